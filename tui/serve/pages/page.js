// What surrounds the terminal: a page while it loads, a hint without a keyboard, and a page for each way to end.
"use strict";

function end(reason) {
  const pages = [...document.querySelectorAll("main.end")];
  const page = pages.find((one) => one.dataset.end === reason) || pages.find((one) => one.dataset.end === "lost");
  page.append(document.getElementById("given"));
  page.classList.add("-shown");
  document.body.dataset.ended = page.dataset.end;
  page.tabIndex = -1;
  page.focus();  // read out, and the next tab leads to its link
}

// The code and the address of this ending, and of no other: nothing else of them is sent.
function give(about) {
  if (about.code) {
    document.getElementById("code").textContent = about.code;
    document.body.classList.add("-code");
  }
  if (about.link) {
    document.getElementById("link").href = about.link;
    document.body.classList.add("-link");
  }
}

// What a page of the study says, for those who have it read out: the terminal is drawn. One that is gone says nothing.
let read = null;

function readOut(page) {
  const region = document.getElementById("read");
  if (!page.title && page.page !== read) return;
  read = page.page;
  const lines = page.title ? [...page.texts, ...page.options, ...page.buttons] : [];  // else in a game
  region.replaceChildren(...[page.title || document.title, ...lines].filter(Boolean).map((line, index) => {
    const element = document.createElement(index ? "p" : "h1");
    element.textContent = line.replace(/[\u2500-\u25ff]+/g, " ");
    return element;
  }));
}

// The terminal opens its own connection: this listens to it, too.
window.WebSocket = class extends window.WebSocket {
  constructor(...address) {
    super(...address);
    this.addEventListener("message", (event) => {
      if (typeof event.data !== "string") {
        document.body.classList.add("-drawn");
      } else {
        const [kind, about] = JSON.parse(event.data);
        if (kind === "given") give(about);
        if (kind === "page") readOut(about);
      }
    });
    this.addEventListener("close", (event) => end(event.reason || "lost"));
  }
};

// The terminal takes the keys without having been clicked at.
const watch = new MutationObserver(() => {
  const keys = document.querySelector(".xterm-helper-textarea");
  if (keys) {
    watch.disconnect();
    keys.setAttribute("aria-label", document.title);  // it is named in English
    keys.setAttribute("aria-describedby", "read");
    keys.focus();
  }
});
watch.observe(document, { childList: true, subtree: true });

// The screens need 80 columns and 24 rows: on a small screen the letters are smaller, down to 8 pixels.
function letters() {
  const rows = window.innerHeight / 24 / 1.34, columns = window.innerWidth / 80 / 0.605;
  return Math.max(8, Math.min(16, Math.floor(Math.min(rows, columns))));
}

document.addEventListener("DOMContentLoaded", () => {
  document.getElementById("terminal").dataset.fontSize = String(letters());
  const touch = window.matchMedia("(pointer: coarse) and (hover: none)").matches;
  document.body.classList.toggle("-touch", touch);
  const goOn = () => document.body.classList.remove("-touch");
  document.getElementById("go-on").addEventListener("click", goOn);
  // On its way down: the terminal keeps keys to itself on their way up.
  document.addEventListener("keydown", goOn, { once: true, capture: true });
});
