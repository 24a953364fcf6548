/* Puts the moving picture into each figure that has numbers for one; the still one leaves last. */
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  for (const source of document.querySelectorAll("script[data-playground]")) {
    const still = document.getElementById(source.dataset.figure).querySelector("img");
    still.replaceWith(window.playground[source.dataset.playground](JSON.parse(source.textContent)));
  }
});
