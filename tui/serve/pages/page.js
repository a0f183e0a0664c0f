// The terminal takes the keys without having been clicked at.
const watch = new MutationObserver(() => {
  const keys = document.querySelector(".xterm-helper-textarea");
  if (keys) {
    watch.disconnect();
    keys.focus();
  }
});
watch.observe(document, { childList: true, subtree: true });
