/* The page on which a reader drops a table: what it holds, what is computed, and what is shown. */
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const root = document.getElementById("your-table");
  if (!root) return;
  const { area, format, html, table } = window.playground;
  const ownData = window.ownData;
  const MOST_ROWS = 500;
  const LEAST_ROWS = 10;
  const MOST_LEVELS = 20;
  const SHOWN_ROWS = 10;
  const SHOWN_CHARTS = 6;
  const range = (n) => Array.from({ length: n }, (_, i) => i);
  const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
  const several = new Intl.ListFormat("en");

  const file = html("input", { type: "file", accept: ".csv,.tsv,.txt,text/csv" });
  const examples = ownData.examples.map(({ name, text, what }) => {
    const button = html("button", { type: "button" }, name);
    button.addEventListener("click", () => open(name, new TextEncoder().encode(text)));
    return html("li", {}, button, ` ${what}`);
  });
  const problem = html("p", { class: "problem", role: "alert" });
  const about = html("div", { class: "wide" });
  const go = html("button", { type: "button", class: "go" }, "Compute");
  const stop = html("button", { type: "button" }, "Stop");
  const bar = html("progress", { max: 1, value: 0, "aria-label": "share of the work done" });
  const status = html("span", { role: "status" });
  const work = html("p", { class: "wide work" }, go, " ", stop, " ", bar, " ", status);
  const answer = html("div", { class: "wide answer" });
  root.replaceChildren(
    html(
      "div",
      { class: "wide drop" },
      html("label", {}, html("strong", {}, "Drop a CSV file here, or choose one:"), file),
      html("p", {}, "It stays on your computer. Or try one of these, whose numbers are made up:"),
      html("ul", {}, ...examples),
    ),
    problem,
    about,
    work,
    answer,
  );

  let opened = null; // the table, its name, and the controls of its columns
  let worker = null;

  function halt(said) {
    worker?.terminate();
    worker = null;
    stop.disabled = true;
    bar.hidden = true;
    go.disabled = opened === null;
    status.textContent = said;
  }

  /** Do something whose errors are sentences for the reader. */
  function attempt(step) {
    problem.textContent = "";
    try {
      step();
    } catch (error) {
      problem.textContent = error.message;
    }
  }

  function open(name, bytes) {
    opened = null;
    halt("");
    [about, answer].forEach((part) => part.replaceChildren());
    work.hidden = true;
    attempt(() => {
      const data = ownData.read(bytes);
      const numeric = data.columns.filter(({ kind }) => kind === "number");
      const roles = data.columns.map((column) => roleOf(column, column === numeric.at(-1)));
      opened = { name, data, roles };
      const delimiter = { ",": "commas", ";": "semicolons", "\t": "tabs" }[data.delimiter];
      const gaps = data.columns.reduce((total, { missing }) => total + missing, 0);
      const counts = [plural(data.places.length, "row"), plural(data.columns.length, "column")];
      about.append(
        html(
          "p",
          {},
          html("strong", {}, name),
          `: ${counts.join(", ")} between ${delimiter}`,
          data.comma ? " with decimal commas, " : ", ",
          `${gaps === 1 ? "1 missing entry" : `${gaps} missing entries`}. Choose the outputs:`,
        ),
        html(
          "div",
          { class: "scroll", tabindex: 0, role: "region", "aria-label": "columns" },
          table(
            ["column", "holds", "missing", "is"],
            data.columns.map((column, k) => [
              column.name,
              ...[kindOf(column), String(column.missing), roles[k]].map((cell) =>
                html("td", {}, cell),
              ),
            ]),
          ),
        ),
      );
      work.hidden = false;
      halt("");
    });
  }

  const kindOf = ({ kind, levels }) =>
    ({ number: "numbers", empty: "nothing", text: `${levels?.length} texts` })[kind];

  /** The control that says what a column is. */
  function roleOf({ name, kind, levels }, last) {
    const some = {
      number: ["input", "output"],
      text: ["input, by text"],
      empty: [],
    };
    const values = { number: ["input", "output"], text: ["input"], empty: [] }[kind];
    const control = html(
      "select",
      { "aria-label": `what ${name} is` },
      ...some[kind].map((text, i) => html("option", { value: values[i] }, text)),
      html("option", { value: "none" }, "left out"),
    );
    if (last) control.value = "output";
    if (levels?.length > MOST_LEVELS) control.value = "none";
    return control;
  }

  /** Numbers for the worker, and what has been left out of them. */
  function prepare({ data, roles }) {
    const having = (role) => data.columns.filter((_, k) => roles[k].value === role);
    const [outputs, inputs] = [having("output"), having("input")];
    if (outputs.length === 0) throw new Error("Choose a column as output.");
    if (inputs.length === 0) throw new Error("Choose a column as input.");
    const encoded = inputs.flatMap(({ kind, numbers, texts, levels }) =>
      kind === "number"
        ? [numbers]
        : levels.map((level) => texts.map((text) => Number(text === level))),
    );
    const all = range(data.places.length);
    const complete = all.filter((i) => outputs.every(({ numbers }) => !Number.isNaN(numbers[i])));
    const asked = all.filter((i) => !complete.includes(i));
    if (complete.length < LEAST_ROWS) {
      throw new Error(
        `${plural(complete.length, "row")} with all outputs: at least ${LEAST_ROWS} are needed.`,
      );
    }
    const kept = sample(complete.length, MOST_ROWS);
    const known = kept.map((i) => complete[i]);
    const constant = outputs.find(({ numbers }) =>
      known.every((i) => numbers[i] === numbers[known[0]]),
    );
    if (constant) {
      const value = constant.numbers[known[0]];
      throw new Error(
        `Output column “${constant.name}” is constant: all its entries are ${value}.`,
      );
    }
    const rowsOf = (columns, rows) => rows.map((i) => columns.map((values) => values[i]));
    const numbers = {
      X: rowsOf(encoded, known),
      Y: rowsOf(
        outputs.map((column) => column.numbers),
        known,
      ),
      queries: rowsOf(encoded, asked),
    };
    return { numbers, inputs, outputs, asked, kept, complete: complete.length };
  }

  /** Places of at most so many of n rows, the same ones in each call (Marsaglia's xorshift). */
  function sample(n, most) {
    const places = range(n);
    let seed = 2463534242;
    for (let i = 0; n > most && i < most; i++) {
      seed ^= seed << 13;
      seed ^= seed >>> 17;
      seed ^= seed << 5;
      const j = i + ((seed >>> 0) % (n - i));
      [places[i], places[j]] = [places[j], places[i]];
    }
    return places.slice(0, most).sort((a, b) => a - b);
  }

  // a page opened from a file cannot load a worker by its address
  const source = () => `(${ownData.mlMatrix})();
    const compute = (${ownData.compute})(self.mlMatrix);
    self.onmessage = ({ data }) =>
      self.postMessage({ result: compute(data, (what, share) => self.postMessage({ what, share })) });`;

  function start() {
    const task = { ...opened, ...prepare(opened) };
    answer.replaceChildren();
    halt("");
    const address = URL.createObjectURL(new Blob([source()], { type: "text/javascript" }));
    worker = new Worker(address);
    URL.revokeObjectURL(address);
    [go.disabled, stop.disabled, bar.hidden] = [true, false, false];
    worker.onmessage = ({ data: { what, share, result } }) => {
      if (result) {
        halt("Done.");
        show(task, result);
      } else {
        bar.value = share;
        status.textContent = `${what} …`;
      }
    };
    worker.onerror = (event) => {
      event.preventDefault();
      halt("");
      problem.textContent = `The computation failed: ${event.message}.`;
    };
    worker.postMessage(task.numbers);
  }

  const errorOf = ({ mean, error }) => `${format(mean)} ± ${format(error)}`;

  /** The answer in a sentence. */
  function verdict({ methods, ridge, best, kind, gain, helps, learns }) {
    const of = (name) => methods.find((method) => method.name === name);
    const [plain, mixed] = [of(ridge), of(best)];
    const own = `ridge regression with an intercept (${kind} kernel)`;
    const least = helps ? mixed : plain;
    const doubt = learns
      ? ""
      : `The inputs do not predict the outputs: the error is ${format(least.mean)}, and ${format(methods[0].mean)} without them. `;
    if (!mixed)
      return `${doubt}The outputs have too few different values for a mixture; take ${own}.`;
    const against = `${format(mixed.mean)} against ${format(plain.mean)}, a gain of ${errorOf({ mean: gain.mean, error: gain.error })}`;
    return (
      doubt +
      (helps
        ? `A mixture helps here: ${against}; take OFER with ${mixed.C} components (${kind} kernel).`
        : `A mixture does not help here: ${against}; take ${own}.`)
    );
  }

  function show(task, result) {
    ownData.answer = result; // the numbers with all digits, for the browser's console
    const { outputs, asked, kept, complete, numbers } = task;
    const used = result.helps ? result.best : result.ridge;
    const sampled = kept.length < complete ? `, a random choice of ${complete}` : "";
    answer.append(
      html("p", { class: "verdict" }, verdict(result)),
      html(
        "p",
        {},
        `Learnt from ${kept.length} rows${sampled}. Errors are mean squares of leave-one-out, in variances of the outputs (1 is the level of their mean), ± their standard error over the rows.`,
      ),
      html(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": "errors" },
        table(
          ["method", "error", "ridge parameter"],
          result.methods.map((method) => {
            const name = method.name === used ? html("strong", {}, method.name) : method.name;
            const alpha = method.alpha ? Number(method.alpha.toPrecision(3)) : "";
            return [name, html("td", {}, errorOf(method)), html("td", {}, String(alpha))];
          }),
        ),
      ),
      html("h3", {}, "Predicted against observed"),
      html(
        "p",
        {},
        "Each point is a row, predicted by a fit that has not seen it. On the line both are equal.",
      ),
      html(
        "div",
        { class: "charts" },
        ...outputs.slice(0, SHOWN_CHARTS).map(({ name }, k) =>
          scatter(
            name,
            numbers.Y.map((row) => row[k]),
            result.predicted.map((row) => row[k]),
          ),
        ),
      ),
    );
    if (asked.length) showIntervals(task, result);
    answer.append(
      html("h3", {}, "Go on in Python"),
      html(
        "p",
        {},
        "These lines give the same predictions and intervals with the package",
        sampled && ", from all rows",
        ":",
      ),
      html("pre", { tabindex: 0 }, html("code", {}, ownData.python(task, result))),
    );
  }

  function scatter(name, observed, predicted) {
    const values = [...observed, ...predicted];
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const margin = 0.05 * (high - low);
    const ends = [low - margin, high + margin];
    const step = 10 ** Math.floor(Math.log10(high - low)) / 2;
    const every = step * Math.ceil((high - low) / step / 5);
    const first = Math.ceil(ends[0] / every);
    const ticks = range(Math.floor(ends[1] / every) - first + 1).map((i) => {
      const value = (first + i) * every;
      return [value, String(Number(value.toPrecision(6))).replace("-", "−")];
    });
    const chart = area({
      label: `Predicted over observed ${name}`,
      x: ends,
      y: ends,
      left: 58,
      ticks: [ticks, ticks],
      titles: [`${name}, observed`, "predicted"],
    });
    chart.shape(
      "path",
      "way",
    )({
      d: chart.path([
        [ends[0], ends[0]],
        [ends[1], ends[1]],
      ]),
    });
    observed.forEach((value, i) => {
      const [cx, cy] = chart.at([value, predicted[i]]);
      chart.shape("circle", "chosen")({ cx, cy, r: 3, "fill-opacity": 0.6 });
    });
    return chart.root;
  }

  function showIntervals({ name, data, outputs, asked }, { intervals }) {
    const text = (value) => {
      if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
      return String(Number(value.toPrecision(4))).replace("-", "−");
    };
    const heads = outputs.flatMap((output) => [
      output.name,
      `${output.name}, low`,
      `${output.name}, high`,
    ]);
    const decimal = (value) => (data.comma ? String(value).replace(".", ",") : String(value));
    const lines = asked.map((i, q) => [
      String(data.places[i]),
      ...intervals[q].flat().map(decimal),
    ]);
    const written = Papa.unparse([["row", ...heads], ...lines], { delimiter: data.delimiter });
    const address = URL.createObjectURL(new Blob([written], { type: "text/csv" }));
    const link = html(
      "a",
      { href: address, download: name.replace(/(\.\w+)?$/, "_predicted.csv") },
      "Download all of them as CSV",
    );
    const together = outputs.length > 1 ? ` for all outputs of a row together` : "";
    answer.append(
      html("h3", {}, "Rows without outputs"),
      html(
        "p",
        {},
        `${plural(asked.length, "row")} to predict; the first ${Math.min(asked.length, SHOWN_ROWS)} are shown. The intervals (jackknife+) hold at 90 %${together}. `,
        link,
        ".",
      ),
      html(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": "intervals" },
        table(
          ["row", ...outputs.map((output) => output.name)],
          asked
            .slice(0, SHOWN_ROWS)
            .map((i, q) => [
              String(data.places[i]),
              ...intervals[q].map(([at, low, high]) =>
                html("td", {}, `${text(at)} (${text(low)} to ${text(high)})`),
              ),
            ]),
        ),
      ),
    );
  }

  file.addEventListener("change", async () => {
    const [chosen] = file.files;
    if (chosen) open(chosen.name, new Uint8Array(await chosen.arrayBuffer()));
    file.value = ""; // so that the same file can be chosen again
  });
  root.addEventListener("dragover", (event) => event.preventDefault());
  root.addEventListener("drop", async (event) => {
    event.preventDefault();
    const [dropped] = event.dataTransfer.files;
    if (dropped) open(dropped.name, new Uint8Array(await dropped.arrayBuffer()));
  });
  go.addEventListener("click", () => attempt(start));
  stop.addEventListener("click", () => halt("Stopped."));
  work.hidden = true;
});
