/* Lets the reader filter the table of claims, and notes the choice in the address, so that it can be
   sent to others. Without this script it is a plain, complete table. */
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  for (const table of document.querySelectorAll("table[data-claims]")) {
    const claims = [...table.tBodies];
    const noted = new URLSearchParams(location.hash.slice(1));
    const texts = claims.map((claim) => claim.textContent.toLowerCase());
    const form = document.createElement("form");
    form.className = "claims-filter";
    form.setAttribute("role", "search");
    form.setAttribute("aria-label", "Claims");

    const labelled = (text, control) => {
      const label = form.appendChild(document.createElement("label"));
      label.append(text, control);
      return control;
    };
    const choice = (text, name) => {
      const select = labelled(text, document.createElement("select"));
      const values = new Set(claims.map((claim) => claim.dataset[name]));
      select.append(new Option("all", ""), ...[...values].map((value) => new Option(value)));
      if (values.has(noted.get(name))) select.value = noted.get(name);
      select.parentElement.hidden = values.size === 1; // in a chapter all claims are of one paper
      return select;
    };
    const paper = choice("Paper", "paper");
    const verdict = choice("Verdict", "verdict");
    const words = labelled("Words", document.createElement("input"));
    words.type = "search";
    words.value = noted.get("words") ?? "";
    const count = form.appendChild(document.createElement("output"));

    const filter = () => {
      const wanted = words.value.toLowerCase().split(/\s+/);
      claims.forEach((claim, k) => {
        claim.hidden =
          (paper.value !== "" && claim.dataset.paper !== paper.value) ||
          (verdict.value !== "" && claim.dataset.verdict !== verdict.value) ||
          !wanted.every((word) => texts[k].includes(word));
      });
      const shown = claims.filter((claim) => !claim.hidden).length;
      count.textContent = `${shown} of ${claims.length} claims`;
    };
    const note = () => {
      const chosen = { paper: paper.value, verdict: verdict.value, words: words.value };
      const parts = Object.entries(chosen).filter(([, value]) => value !== "");
      history.replaceState(null, "", `#${new URLSearchParams(parts)}`);
    };
    const open = () => {
      const claim = claims.find(({ id }) => `#${id}` === location.hash);
      claim?.querySelector("details").setAttribute("open", "");
    };
    window.addEventListener("hashchange", open);
    form.addEventListener("input", () => {
      filter();
      note();
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    table.before(form);
    filter();
    open();
  }
});
