// A formula cannot be broken: one that is longer than its line can be scrolled, and has a shadow
// that says so. The keyboard reaches it.

document.addEventListener("DOMContentLoaded", async () => {
  await window.MathJax?.startup?.promise;
  const formulas = [...document.querySelectorAll("mjx-container")];
  const mark = () => {
    formulas.forEach((formula) => formula.classList.remove("long"));
    const long = formulas.map((formula) => {
      const line = formula.hasAttribute("display") ? formula : formula.closest("p, dd, li, td, div");
      const seen = formula.firstElementChild; // what is read aloud follows it, and may be wider
      return seen.getBoundingClientRect().width > line.clientWidth + 1;
    });
    formulas.forEach((formula, i) => {
      formula.classList.toggle("long", long[i]);
      if (long[i]) formula.tabIndex = 0;
      else formula.removeAttribute("tabindex");
    });
  };
  mark();
  window.addEventListener("resize", mark);
  document.addEventListener("toggle", mark, true); // what was folded had no line
});
