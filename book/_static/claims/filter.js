/* Lets the reader filter the claims of a page, and notes the choice in the address, so that it can be
   sent to others. Without this script all are there. */
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const claims = [...document.querySelectorAll("details.claim")];
  if (claims.length === 0) return; // bars of outcomes alone
  const conclusions = [...document.querySelectorAll("details.conclusion")];
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
  const outcome = choice("Outcome", "outcome");
  const on = choice("On", "on");
  const words = labelled("Words", document.createElement("input"));
  words.type = "search";
  words.value = noted.get("words") ?? "";
  const count = form.appendChild(document.createElement("output"));

  const filter = () => {
    const wanted = words.value.toLowerCase().split(/\s+/);
    claims.forEach((claim, k) => {
      claim.hidden =
        (paper.value !== "" && claim.dataset.paper !== paper.value) ||
        (outcome.value !== "" && claim.dataset.outcome !== outcome.value) ||
        (on.value !== "" && claim.dataset.on !== on.value) ||
        !wanted.every((word) => texts[k].includes(word));
    });
    const shown = claims.filter((claim) => !claim.hidden).length;
    for (const conclusion of conclusions) {
      conclusion.hidden = conclusion.querySelector(".claim:not([hidden])") === null;
      conclusion.open = !conclusion.hidden && shown < claims.length;
    }
    count.textContent = `${shown} of ${claims.length} claims`;
  };
  const note = () => {
    const chosen = {
      paper: paper.value,
      outcome: outcome.value,
      on: on.value,
      words: words.value,
    };
    const parts = Object.entries(chosen).filter(([, value]) => value !== "");
    history.replaceState(null, "", `#${new URLSearchParams(parts)}`);
  };
  const open = () => {
    const goal = [...claims, ...conclusions].find(({ id }) => `#${id}` === location.hash);
    for (let part = goal; part; part = part.parentElement.closest("details")) part.open = true;
    goal?.scrollIntoView();
  };
  window.addEventListener("hashchange", open);
  form.addEventListener("input", () => {
    filter();
    note();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  document.querySelector("div.claims").before(form);
  filter();
  open();
});
