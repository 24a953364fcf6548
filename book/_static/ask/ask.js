// A question gets a field, or its choices, and a button that checks the answer.

const numbersIn = (text) => (text.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);

const isRight = (given, expected) =>
  given.length === expected.length &&
  given.every((one, i) => Math.abs(one - expected[i]) <= 0.01 * Math.abs(expected[i]));

const addForm = (question, number) => {
  const { answer, choices } = question.dataset;
  const form = document.createElement("form");
  for (const [i, choice] of (choices?.split("|") ?? []).entries()) {
    const label = document.createElement("label");
    const button = document.createElement("input");
    Object.assign(button, { type: "radio", name: `ask-${number}`, value: i + 1, required: true });
    label.append(button, ` ${choice.trim()}`);
    form.append(label);
  }
  if (!choices) {
    const field = document.createElement("input");
    Object.assign(field, { type: "text", name: "given", required: true });
    field.setAttribute("aria-label", "Your answer");
    form.append(field);
  }
  const check = Object.assign(document.createElement("button"), { textContent: "Check" });
  const said = document.createElement("output");
  form.append(check, said);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const [given] = new FormData(form).values();
    const right = isRight(numbersIn(given), numbersIn(answer));
    said.textContent = right ? "Right." : "No. Try again, or open the answer.";
    if (right) question.querySelector("details")?.setAttribute("open", "");
  });
  question.insertBefore(form, question.querySelector("details"));
};

document.addEventListener("DOMContentLoaded", () =>
  document.querySelectorAll(".ask").forEach(addForm),
);
