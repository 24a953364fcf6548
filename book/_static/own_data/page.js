/* The page on which a reader drops a table: what it holds, what is computed, and what is shown. */
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const root = document.getElementById("your-table");
  if (!root) return;
  const { area, format, html, table } = window.playground;
  const ownData = window.ownData;
  ownData.mostRows = 500; // that it learns from
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
      html("label", {}, html("strong", {}, "Drop a CSV file here or choose one:"), file),
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
  let taken = null; // the file

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

  function showName() {
    const files = new DataTransfer();
    if (taken) files.items.add(taken);
    file.files = files.files;
  }

  /** Take a file that was chosen or dropped, or an example; the control shows its name. */
  function open(name, bytes) {
    taken = new File([bytes], name);
    showName();
    opened = null;
    halt("");
    [about, answer].forEach((part) => part.replaceChildren());
    work.hidden = true;
    attempt(() => {
      const data = ownData.read(bytes);
      const proposed = proposeOutputs(data.columns);
      const roles = data.columns.map((column) => roleOf(column, proposed.includes(column)));
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
          `${gaps === 1 ? "1 missing entry" : `${gaps} missing entries`}.`,
        ),
        html("p", { class: "proposal" }, sentences(data.columns, proposed).join(" ")),
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
    ({ number: "numbers", empty: "nothing", date: "dates", text: `${levels?.length} texts` })[kind];

  /** The last column of numbers, and those whose names follow the same pattern. */
  function proposeOutputs(columns) {
    const numeric = columns.filter(({ kind }) => kind === "number");
    const last = numeric.at(-1);
    const patterns = [
      /^(\D*)\d+(\D*)$/, // y1, y2
      /^(.+[ _.-])[^ _.-]+$/, // out_a, out_b
      /^[^ _.-]+([ _.-][^ _.-]{3,})$/, // a_out, b_out; shorter endings are units
    ];
    for (const pattern of patterns) {
      const same = (name) => pattern.exec(name)?.slice(1).join("#");
      const found = numeric.filter(({ name }) => same(last.name) && same(name) === same(last.name));
      const others = columns.filter(({ kind }) => ["number", "text"].includes(kind));
      if (found.length > 1 && found.length < others.length) return found;
    }
    return [last];
  }

  /** What the reader is told above the table of columns. */
  function sentences(columns, proposed) {
    const quoted = (some) => several.format(some.map(({ name }) => `“${name}”`));
    const last = proposed.at(-1);
    const siblings = proposed.slice(0, -1);
    const dates = columns.filter(({ kind }) => kind === "date");
    return [
      siblings.length
        ? `Outputs: the last column of numbers, ${quoted([last])}, and with it ${quoted(siblings)}, because the names follow one pattern.`
        : `Output: the last column of numbers, ${quoted([last])}.`,
      "If this is wrong, change it in the table.",
      ...(dates.length
        ? [
            `Dates are left out: ${quoted(dates)}. To use them, add a column of numbers, such as days since the first date.`,
          ]
        : []),
    ];
  }

  /** The control that says what a column is. */
  function roleOf({ name, kind, levels }, isOutput) {
    const some = {
      number: ["input", "output"],
      text: ["input, by text"],
      date: [],
      empty: [],
    };
    const values = { number: ["input", "output"], text: ["input"], date: [], empty: [] }[kind];
    const control = html(
      "select",
      { "aria-label": `what ${name} is` },
      ...some[kind].map((text, i) => html("option", { value: values[i] }, text)),
      html("option", { value: "none" }, "left out"),
    );
    if (isOutput) control.value = "output";
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
    const kept = sample(complete.length, ownData.mostRows);
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
    return { numbers, inputs, outputs, asked, known, kept, complete: complete.length };
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

  /** Decimals with which an error is told: two of them count, and what differs looks different. */
  function decimals({ methods, ridge, best, helps }) {
    const errors = [ridge, best].map((name) => methods.find((m) => m.name === name)?.mean ?? 1);
    const same = (digits) => format(errors[0], digits) === format(errors[1], digits);
    const enough = (k) => Math.min(...errors) >= 10 ** (1 - k) && !(helps && same(k));
    return [2, 3, 4, 5].find(enough) ?? 6;
  }

  /** The answer in words. */
  function verdict(result) {
    const { methods, ridge, best, kind, helps, learns, gain } = result;
    const of = (name) => methods.find((method) => method.name === name);
    const [plain, mixed] = [of(ridge), of(best)];
    const text = ({ mean }) => format(mean, decimals(result));
    const own = `Take ridge regression with an intercept (${kind} kernel).`;
    const doubt = learns
      ? ""
      : `The inputs do not predict the outputs: the error is ${text(helps ? mixed : plain)} with them and ${text(methods[0])} without. `;
    if (!mixed) return `${doubt}The outputs have too few different values for a mixture. ${own}`;
    const errors = `its error is ${text(mixed)}, that of ridge regression ${text(plain)}`;
    if (helps) {
      return `${doubt}A mixture helps here: ${errors}. Take OFER with ${mixed.C} components (${kind} kernel).`;
    }
    const chance =
      gain.mean > 0 && text(mixed) !== text(plain) ? ", a difference that may be chance" : "";
    return `${doubt}A mixture does not help here: ${errors}${chance}. ${own}`;
  }

  function show(task, result) {
    ownData.answer = result; // the numbers with all digits, for the browser's console
    const { outputs, kept, complete, numbers } = task;
    const chosen = result.helps ? result.best : result.ridge;
    const used = result.methods.find(({ name }) => name === chosen);
    const digits = decimals(result);
    const sampled = kept.length < complete ? `, a random choice of ${complete}` : "";
    const order = range(outputs.length).sort((a, b) => used.each[a] - used.each[b]);
    const part = (k) => `${outputs[k].name} (${format(used.each[k], digits)})`;
    const many = outputs.length > 1;
    const each = many
      ? ` Of the outputs, ${part(order[0])} is predicted best and ${part(order.at(-1))} worst.`
      : "";
    answer.append(
      html("p", { class: "verdict" }, verdict(result)),
      html(
        "p",
        {},
        `The page learnt from ${kept.length} rows${sampled}. An error is the mean squared error of predictions by leave-one-out, divided by the variance of the output: a method that always predicts the mean has an error of about 1. After ± stands the standard error over the rows.${each}`,
      ),
      html(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": "errors" },
        table(
          [
            "method",
            many ? "error, all outputs" : "error",
            ...(many ? outputs.map(({ name }) => name) : []),
            "ridge parameter",
          ],
          result.methods.map((method) => {
            const name = method === used ? html("strong", {}, method.name) : method.name;
            const alpha = method.alpha ? Number(method.alpha.toPrecision(3)) : "";
            return [
              name,
              html("td", {}, `${format(method.mean, digits)} ± ${format(method.error, digits)}`),
              ...(many ? method.each.map((mean) => html("td", {}, format(mean, digits))) : []),
              html("td", {}, String(alpha)),
            ];
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
            result.leftOut.map((row) => row[k][0]),
          ),
        ),
      ),
    );
    showIntervals(task, result);
    answer.append(
      html("h3", {}, "Go on in Python"),
      html(
        "p",
        {},
        "These lines do the same with the package",
        sampled && ", from all rows",
        " and give intervals for new rows:",
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

  function showIntervals(task, result) {
    const { data, outputs, asked, known } = task;
    const { leftOut, intervals } = result;
    const kept = asked.length + known.length;
    const text = (value) => {
      if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
      return String(Number(value.toPrecision(4))).replace("-", "−");
    };
    const cellOf = ([at, low, high]) =>
      html("td", {}, `${text(at)} (${text(low)} to ${text(high)})`);
    const inside = known.filter((i, q) =>
      outputs.every(({ numbers }, k) => {
        const [, low, high] = leftOut[q][k];
        return low <= numbers[i] && numbers[i] <= high;
      }),
    ).length;
    const together = outputs.length > 1 ? " for all outputs of a row together" : "";
    const the = outputs.length > 1 ? "all outputs" : "the output";
    answer.append(
      html("h3", {}, "Intervals"),
      html(
        "p",
        {},
        `Each prediction has an interval (jackknife+) that should hold the output, at a level of 90 %${together}. The page predicts a row with outputs from the other rows alone: the intervals hold ${the} in ${inside} of ${known.length} such rows. `,
        html("a", downloadOf(task, result), `Download the ${kept} rows as CSV`),
        ".",
      ),
    );
    const add = (title, rows, label, cells) =>
      answer.append(
        html("h4", {}, rows.length > SHOWN_ROWS ? `${title}, the first ${SHOWN_ROWS}` : title),
        html(
          "div",
          { class: "scroll", tabindex: 0, role: "region", "aria-label": label },
          table(
            ["row", ...cells.heads],
            rows.slice(0, SHOWN_ROWS).map((i, q) => [String(data.places[i]), ...cells.of(i, q)]),
          ),
        ),
      );
    const predicted = outputs.map((output) => `${output.name}, predicted`);
    if (asked.length) {
      add("Rows that lack an output", asked, "intervals of rows that lack an output", {
        heads: predicted,
        of: (i, q) => intervals[q].map(cellOf),
      });
    }
    add("Rows with outputs", known, "intervals of rows with outputs", {
      heads: outputs.flatMap((output, k) => [output.name, predicted[k]]),
      of: (i, q) =>
        outputs.flatMap(({ numbers }, k) => [
          html("td", {}, text(numbers[i])),
          cellOf(leftOut[q][k]),
        ]),
    });
  }

  /** Address and name of a file with each row's outputs, predictions and intervals. */
  function downloadOf({ name, data, outputs, asked, known }, { leftOut, intervals }) {
    const heads = outputs.flatMap((output) =>
      ["", ", predicted", ", low", ", high"].map((what) => output.name + what),
    );
    const decimal = (value) => {
      if (Number.isNaN(value)) return "";
      return data.comma ? String(value).replace(".", ",") : String(value);
    };
    const rows = [
      ...known.map((i, q) => [i, leftOut[q]]),
      ...asked.map((i, q) => [i, intervals[q]]),
    ];
    const lines = rows
      .sort(([i], [j]) => i - j)
      .map(([i, found]) => [
        String(data.places[i]),
        ...outputs.flatMap(({ numbers }, k) => [numbers[i], ...found[k]].map(decimal)),
      ]);
    const written = Papa.unparse([["row", ...heads], ...lines], { delimiter: data.delimiter });
    const address = URL.createObjectURL(new Blob([written], { type: "text/csv" }));
    return { href: address, download: name.replace(/(\.\w+)?$/, "_predicted.csv") };
  }

  file.addEventListener("change", async () => {
    const [chosen] = file.files;
    if (chosen) open(chosen.name, new Uint8Array(await chosen.arrayBuffer()));
  });
  // so that the same file can be chosen again; a choice that is broken off leaves the name there
  file.addEventListener("click", () => {
    file.value = "";
  });
  file.addEventListener("cancel", showName);
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
