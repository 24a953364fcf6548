// The parts of the book fold in the sidebar; the one with this page is open.

document.addEventListener("DOMContentLoaded", () => {
  for (const caption of document.querySelectorAll("nav.bd-links p.caption")) {
    const part = document.createElement("details");
    const name = document.createElement("summary");
    name.className = "caption";
    name.append(...caption.childNodes);
    part.append(name);
    while (caption.nextElementSibling?.matches("ul")) {
      part.append(caption.nextElementSibling);
    }
    part.open = part.querySelector(".current") !== null;
    caption.replaceWith(part);
  }
});
