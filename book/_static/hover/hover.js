/* What a citation or a method's name says, beside its link, for pointer and keyboard alike. */
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const LINKS = 'main a:is([href*="bibliography.html#"], [href*="notation.html#term-"])';
  const note = document.createElement("div");
  Object.assign(note, { id: "what-a-link-says", className: "link-note", hidden: true });
  note.setAttribute("role", "tooltip");
  document.body.append(note);
  let shown = null;

  function hide() {
    if (!shown) return;
    shown.title = note.textContent; // as the page has it without this script
    shown.removeAttribute("aria-describedby");
    note.hidden = true;
    shown = null;
  }

  function show(link) {
    if (link === shown) return;
    hide();
    if (!link?.title) return;
    shown = link;
    note.textContent = link.title;
    link.removeAttribute("title"); // or the browser shows a second note
    link.setAttribute("aria-describedby", note.id);
    note.hidden = false;
    place();
  }

  // Again whenever something scrolls, as a page does when a link far down gets the focus.
  function place() {
    if (!shown) return;
    const { left, top, bottom } = shown.getBoundingClientRect();
    const [width, height] = [note.offsetWidth, note.offsetHeight];
    const room = document.documentElement.clientWidth - width - 8;
    note.style.left = `${Math.max(8, Math.min(left, room))}px`;
    note.style.top = `${bottom + height + 8 < innerHeight ? bottom : top - height}px`;
  }

  const linkOf = ({ target }) => target.closest?.(LINKS) ?? null;
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "touch" && !note.contains(event.target)) show(linkOf(event));
  });
  document.addEventListener("focusin", (event) => show(linkOf(event)));
  document.addEventListener("keydown", ({ key }) => key === "Escape" && hide());
  document.addEventListener("scroll", place, { capture: true, passive: true });
});
