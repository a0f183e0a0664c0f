// What surrounds the terminal: a page while it loads, a hint without a keyboard, and a page for each way to end.
"use strict";

function end(reason) {
  const pages = [...document.querySelectorAll("main.end")];
  const page = pages.find((one) => one.dataset.end === reason) || pages.find((one) => one.dataset.end === "lost");
  page.append(document.getElementById("given"));
  page.classList.add("-shown");
  if (["finished", "finished-after-idle", "withdrawn"].includes(page.dataset.end)) forgetDrafts();
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

// A page of the study is a form over the terminal that shows it, too: what is filled in here is filled in there, and a
// button that is pressed here is pressed there. In a game there is none, and the terminal has the keys.
let wire = null;
let confirms = false;  // whether Enter came before the program had said that the answer will do
const room = () => document.getElementById("form");
const fields = () => [...room().querySelectorAll("[name=answer]")];
const button = (id) => room().querySelector(`[data-button="${id}"]`);

function tell(about) {
  const page = room().firstElementChild;
  if (page && wire.readyState === WebSocket.OPEN) {
    wire.send(JSON.stringify(["form", { page: Number(page.dataset.page), ...about }]));
  }
}

// What is typed is told a moment later, not with every letter: an answer may be long.
const TYPING = 150;  // milliseconds
let typing = null;

function tellSoon() {
  if (typing === null) typing = setTimeout(tellNow, TYPING);
}

function tellNow() {
  clearTimeout(typing);
  typing = null;
  tell({ value: answer() });
}

// What is filled in is kept in this tab until it is answered: a page that is loaded again shows it again.
const DRAFT = "draft-";
let answered = null;  // the name of the draft whose answer was sent

function draft(change) {
  const name = room().firstElementChild?.dataset.draft;
  try {
    if (name) return change(sessionStorage, DRAFT + name);
  } catch {  // the browser keeps nothing, or has no room
  }
  return null;
}

function keepDraft() {
  answered = null;
  draft((kept, name) => kept.setItem(name, JSON.stringify(answer())));
}

function showDraft() {
  const value = draft((kept, name) => JSON.parse(kept.getItem(name)));
  const [first] = fields();
  if (value === null || !first) return;
  if (first.type === "radio" || first.type === "checkbox") {
    for (const one of fields()) one.checked = value.includes(Number(one.value));
  } else {
    first.value = value;
  }
  if (first.type === "range") showSlider(first);
  tellNow();
}

function forgetDraft(page) {  // as soon as another page than a question over it comes
  const name = answered;
  if (!name || page?.dataset.draft === name) return;
  answered = null;
  try {
    sessionStorage.removeItem(DRAFT + name);
  } catch {
  }
}

function forgetDrafts() {
  try {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith(DRAFT)) sessionStorage.removeItem(name);
  } catch {
  }
}

function showSlider(slider) {
  delete slider.dataset.unset;
  slider.removeAttribute("aria-valuetext");
  room().querySelector("output").textContent = slider.value;
}

function answer() {
  const [first] = fields();
  if (!first) return null;
  if (first.type === "radio" || first.type === "checkbox") {
    return fields().filter((one) => one.checked).map((one) => Number(one.value));
  }
  if (first.type !== "range") return first.value;
  return "unset" in first.dataset ? null : Number(first.value);
}

function showForm(html) {
  const next = document.createElement("template"), before = room().firstElementChild;
  next.innerHTML = html;
  const page = next.content.firstElementChild;
  document.body.classList.remove("-study");
  document.body.classList.toggle("-form", Boolean(page));
  document.getElementById("terminal").inert = Boolean(page);
  document.getElementById("notice").textContent = "";
  if (!page?.matches(".dialog")) forgetDraft(page);
  if (!page) {
    room().replaceChildren();
    keys()?.focus();
    return;
  }
  document.body.classList.toggle("-contrast", page.dataset.contrast === "on");
  if (before?.dataset.page === page.dataset.page) {
    renew(before, page);
  } else {
    confirms = false;
    clearTimeout(typing);
    typing = null;
    room().replaceChildren(page);
    room().scrollTop = 0;
    showDraft();
    const first = fields().find((one) => one.checked) || fields()[0] || button(page.dataset.focus);
    (first && !first.disabled ? first : room().querySelector("h1")).focus();
    if (first?.type.startsWith("text")) first.setSelectionRange(first.value.length, first.value.length);
    if (localStorage.contrast === "on" && page.dataset.contrast === "off") tell({ button: "contrast" });
  }
}

// The same page says something else: what is filled in and where the focus is stays.
function renew(before, page) {
  before.toggleAttribute("data-deaf", page.hasAttribute("data-deaf"));
  for (const part of page.querySelectorAll("[data-part]")) {
    const old = before.querySelector(`[data-part=${part.dataset.part}]`);
    if (old.innerHTML === part.innerHTML) continue;
    old.innerHTML = part.innerHTML;
    if (old.id === "problem") fields()[0]?.focus();
  }
  for (const one of page.querySelectorAll("[data-button]")) {
    const old = button(one.dataset.button);
    old.disabled = one.disabled;
    if (one.hasAttribute("aria-pressed")) old.setAttribute("aria-pressed", one.getAttribute("aria-pressed"));
  }
  if (document.activeElement.tagName === "H1") button(page.dataset.focus)?.focus();
  if (confirms && !button("yes").disabled) {
    confirms = false;
    button("yes").click();
  }
}

// Keys that have a meaning for the program are pressed in the terminal.
const PASSED_ON = { Escape: "\u001b", F2: "\u001bOQ" };

function onKey(event) {
  const stop = room().querySelectorAll("input, textarea, button:not([disabled])");
  const digit = Number(event.key), listed = fields()[0]?.type === "radio";
  tell({ key: true });
  if (room().firstElementChild.hasAttribute("data-deaf")) {  // those of a game may still be pressed
    if (!event.ctrlKey && !event.metaKey && !event.altKey && !/^F\d/.test(event.key)) event.preventDefault();
    return;
  }
  if (event.key in PASSED_ON) {
    wire.send(JSON.stringify(["stdin", PASSED_ON[event.key]]));
  } else if (event.ctrlKey && (event.key === "q" || (event.key === "c" && !String(getSelection())))) {
    wire.send(JSON.stringify(["stdin", event.key === "q" ? "\u0011" : "\u0003"]));
  } else if (listed && digit >= 1 && fields()[digit - 1]) {
    fields()[digit - 1].checked = true;
    fields()[digit - 1].dispatchEvent(new Event("input", { bubbles: true }));
    button("yes").focus();
  } else if (event.key === "Enter" && event.target.matches("input")) {
    confirms = "confirms" in event.target.dataset && button("yes").disabled;
    "confirms" in event.target.dataset ? button("yes").click() : button("yes").focus();
  } else if (event.key === "Tab" && !event.shiftKey && event.target === stop[stop.length - 1]) {
    stop[0].focus();  // no key leaves the page by accident
  } else if (event.key === "Tab" && event.shiftKey && event.target === stop[0]) {
    stop[stop.length - 1].focus();
  } else {
    return;
  }
  event.preventDefault();
}

function listenToForm() {
  room().addEventListener("input", ({ target }) => {
    confirms = false;
    if (target.type === "range") showSlider(target);
    keepDraft();
    tellSoon();
  });
  room().addEventListener("pointerup", ({ target }) => {  // in the middle, where the handle was already
    if (target.type === "range") target.dispatchEvent(new Event("input", { bubbles: true }));
  });
  room().addEventListener("submit", (event) => event.preventDefault());
  room().addEventListener("keydown", onKey);
  room().addEventListener("click", ({ target }) => {
    const pressed = target.closest("button");
    if (!pressed) return;
    if (pressed.id === "larger") {
      localStorage.size = String(SIZES[(SIZES.indexOf(size()) + 1) % SIZES.length]);
      location.reload();  // the terminal takes its letters when it is made
    }
    if (pressed.dataset.button === "contrast") {
      localStorage.contrast = pressed.getAttribute("aria-pressed") === "true" ? "off" : "on";
    }
    answered = pressed.dataset.button === "yes" ? room().firstElementChild.dataset.draft : null;
    if (pressed.dataset.button) tell({ value: answer(), button: pressed.dataset.button });
  });
}

// The page keeps within what the server takes of a visitor (limits.py), so that nobody who holds a key or pastes is sent
// away: what is more is left out here.
const MESSAGES = { rate: 300, burst: 800 }, CHARACTERS = { rate: 100_000, burst: 800_000 }, LONGEST = 60_000;

class Bucket {
  constructor({ rate, burst }) {
    Object.assign(this, { rate, burst, left: burst, at: performance.now() });
  }

  take(amount) {
    const now = performance.now();
    this.left = Math.min(this.burst, this.left + (now - this.at) / 1000 * this.rate);
    this.at = now;
    if (amount > this.left) return false;
    this.left -= amount;
    return true;
  }
}

const messages = new Bucket(MESSAGES), characters = new Bucket(CHARACTERS);
const mayBeSent = (data) => data.length <= LONGEST && messages.take(1) && characters.take(data.length);

// The terminal opens its own connection: this listens to it, too.
window.WebSocket = class extends window.WebSocket {
  constructor(...address) {
    super(...address);
    wire = this;
    this.addEventListener("message", (event) => {
      if (typeof event.data !== "string") {
        document.body.classList.add("-drawn");
      } else {
        const [kind, about] = JSON.parse(event.data);
        if (kind === "given") give(about);
        if (kind === "form") showForm(about);
        if (kind === "notice") document.getElementById("notice").textContent = about;
      }
    });
    this.addEventListener("close", (event) => end(event.reason || "lost"));
    window.addEventListener("blur", () => this.readyState === 1 && super.send('["blur"]'));
    window.addEventListener("focus", () => this.readyState === 1 && super.send('["focus"]'));
  }

  send(data) {  // the terminal loses the keys to a form, too: then the window has them still
    if (!/^\["(focus|blur)"\]$/.test(data) && mayBeSent(data)) super.send(data);
  }
};

// The terminal takes the keys without having been clicked at.
const keys = () => document.querySelector(".xterm-helper-textarea");
const watch = new MutationObserver(() => {
  if (keys()) {
    watch.disconnect();
    keys().setAttribute("aria-label", document.title);  // it is named in English
    if (!document.getElementById("terminal").inert) keys().focus();
  }
});
watch.observe(document, { childList: true, subtree: true });

const SIZES = [16, 20, 26, 32];  // pixels of letters to choose from
const size = () => Number(localStorage.size) || SIZES[0];

// The screens need 80 columns and 24 rows: on a small screen the letters are smaller, down to 8 pixels.
function letters() {
  const rows = window.innerHeight / 24 / 1.34, columns = window.innerWidth / 80 / 0.605;
  return Math.max(8, Math.min(size(), Math.floor(Math.min(rows, columns))));
}

document.addEventListener("DOMContentLoaded", () => {
  document.documentElement.style.fontSize = `${size()}px`;
  listenToForm();
  document.getElementById("terminal").inert = document.body.matches(".-study");  // a study begins with a form
  document.getElementById("terminal").dataset.fontSize = String(letters());
  const touch = window.matchMedia("(pointer: coarse) and (hover: none)").matches;
  document.body.classList.toggle("-touch", touch);
  const goOn = () => document.body.classList.remove("-touch");
  document.getElementById("go-on").addEventListener("click", goOn);
  // On its way down: the terminal keeps keys to itself on their way up.
  document.addEventListener("keydown", goOn, { once: true, capture: true });
});
