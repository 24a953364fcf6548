// A formula within a sentence cannot be broken: one that is longer than its line can be scrolled.
// The keyboard reaches each formula that can.

document.addEventListener("DOMContentLoaded", async () => {
  await window.MathJax?.startup?.promise;
  const formulas = [...document.querySelectorAll("mjx-container:not([display])")];
  const all = [...document.querySelectorAll("mjx-container")];
  const mark = () => {
    formulas.forEach((formula) => formula.classList.remove("long"));
    const long = formulas.filter((formula) => {
      const line = formula.closest("p, dd, li, td, div");
      return formula.getBoundingClientRect().width > line.clientWidth;
    });
    long.forEach((formula) => formula.classList.add("long"));
    for (const formula of all) {
      if (formula.scrollWidth > formula.clientWidth) formula.tabIndex = 0;
      else formula.removeAttribute("tabindex");
    }
  };
  mark();
  window.addEventListener("resize", mark);
  document.addEventListener("toggle", mark, true); // what was folded had no line
});
