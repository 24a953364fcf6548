// A folded section opens when a link leads to its heading; browsers know of links into it.

const unfold = (hash) =>
  document
    .getElementById(decodeURIComponent(hash.slice(1)))
    ?.querySelector(":scope > details.folded")
    ?.setAttribute("open", "");

document.addEventListener("DOMContentLoaded", () => unfold(location.hash));
addEventListener("hashchange", () => unfold(location.hash));
document.addEventListener("click", ({ target }) => unfold(target.closest("a")?.hash ?? ""));
