/* Lets the reader choose by which test a result ties with the best one, and which metric a table
   shows. Without this script all metrics stand, and the marks are those of the first choice. */
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const TESTS = ["Student's paired t-test", "the corrected paired t-test"];
  const LEVELS = [0.05, 0.01, 0.001];

  for (const box of document.querySelectorAll("div.results")) {
    const tables = [...box.querySelectorAll("table")];
    const cells = [...box.querySelectorAll("td[data-p]")];
    const rule = box.querySelector("p > span");
    const form = document.createElement("form");
    form.className = "switches";

    const choice = (name, texts) => {
      const label = form.appendChild(document.createElement("label"));
      const select = document.createElement("select");
      select.append(...texts.map((text, i) => new Option(text, i)));
      label.append(name, select);
      return select;
    };
    if (tables.length > 1) {
      const named = box.dataset.chosen;
      const metric = choice(named[0].toUpperCase() + named.slice(1), tables.map((table) => table.rows[0].cells[0].textContent));
      const show = () => tables.forEach((table, i) => (table.parentElement.hidden = i !== Number(metric.value)));
      metric.addEventListener("change", show);
      show();
    }
    if (rule) {
      const hasBoth = cells.some((cell) => cell.dataset.p.includes(" "));
      const test = choice("Test", hasBoth ? TESTS : TESTS.slice(0, 1));
      const level = choice("Level", LEVELS);
      const mark = () => {
        for (const cell of cells) {
          const p = Number(cell.dataset.p.split(" ")[test.value]);
          cell.firstElementChild.style.fontWeight = p < LEVELS[level.value] ? "normal" : "bold";
        }
        rule.textContent = `${TESTS[test.value]} at the level ${LEVELS[level.value]}`;
      };
      test.addEventListener("change", mark);
      level.addEventListener("change", mark);
    }
    if (form.children.length) box.prepend(form);
  }
});
