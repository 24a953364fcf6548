/* The page on which a reader drops a table: what it holds, what is computed, and what is shown. */
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const root = document.getElementById("your-table");
  if (!root) return;
  const { area, format, html, table } = window.playground;
  const ownData = window.ownData;
  ownData.mostRows = 500; // that it learns from
  const LEAST_ROWS = 10;
  const LARGEST = 1e100; // number of a table, so that sums of squares are finite
  const FINEST = 1e-9; // range of a column over its size
  const MOST_LEVELS = 20;
  const SHOWN_ROWS = 10;
  const MOST_OUTPUTS = 8; // above it, curves and one menu for all
  const range = (n) => Array.from({ length: n }, (_, i) => i);
  const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
  const words = new Intl.ListFormat("en");
  const listed = (texts) => words.format(texts);
  /** Names in quotes; of many, the first of them. */
  const quoted = (columns) => {
    const some = columns.slice(0, columns.length > MOST_OUTPUTS ? MOST_OUTPUTS - 1 : undefined);
    const rest = columns.length - some.length;
    return listed([...some.map(({ name }) => `“${name}”`), ...(rest ? [`${rest} more`] : [])]);
  };
  /** Numbers in rising order, those that follow each other together: “3, 7 to 9, 12”. */
  function runs(numbers) {
    const found = [];
    numbers.forEach((number) => {
      if (found.at(-1)?.[1] === number - 1) found.at(-1)[1] = number;
      else found.push([number, number]);
    });
    return found.map(([a, b]) => (a === b ? a : b === a + 1 ? `${a}, ${b}` : `${a} to ${b}`)).join(", ");
  }
  const region = (label, ...children) =>
    html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, ...children);

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
    about,
    work,
    problem, // below the button, or below the file where nothing is opened
    answer,
  );

  let opened = null; // the table, its name, and the controls of its columns
  let worker = null;
  let taken = null; // the file
  let takenBytes = null;

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
      tellProblem(error.message, ...(error.asks ? asking() : []));
    }
  }

  /** Buttons by which the reader says what the commas of the file mean. */
  function asking() {
    const { name } = taken;
    const choices = { decimal: "1,250 is 1.25", thousands: "1,250 is 1250" };
    return Object.entries(choices).flatMap(([commas, text]) => {
      const button = html("button", { type: "button" }, text);
      button.addEventListener("click", () => open(name, takenBytes, commas));
      return [" ", button];
    });
  }

  function tellProblem(...parts) {
    problem.replaceChildren(...parts);
    problem.scrollIntoView({ block: "nearest" });
  }

  function showName() {
    const files = new DataTransfer();
    if (taken) files.items.add(taken);
    file.files = files.files;
  }

  /** Take a file that was chosen or dropped, or an example; the control shows its name. */
  function open(name, bytes, commas) {
    taken = new File([bytes], name);
    takenBytes = bytes;
    showName();
    opened = null;
    halt("");
    [about, answer].forEach((part) => part.replaceChildren());
    work.hidden = true;
    attempt(() => {
      const data = ownData.read(bytes, commas);
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
          `: ${counts.join(", ")}, ${gaps === 1 ? "1 missing entry" : `${gaps} missing entries`}. `,
          `Entries are separated by ${delimiter}`,
          data.comma ? ", and numbers have decimal commas." : ".",
        ),
        html("p", { class: "proposal" }, sentences(data.columns, proposed).join(" ")),
        tableOfColumns(data.columns, roles, proposed),
      );
      work.hidden = false;
      halt("");
    });
  }

  /** Every column with the menu that says what it is; many outputs have one menu together. */
  function tableOfColumns(columns, roles, proposed) {
    const made = table(
      ["column", "holds", "missing", "is"],
      columns.map((column, k) => [
        column.name,
        ...[kindOf(column), String(column.missing), roles[k]].map((cell) => html("td", {}, cell)),
      ]),
    );
    if (proposed.length > MOST_OUTPUTS) {
      const rows = [...made.tBodies[0].rows];
      const together = range(columns.length).filter((k) => proposed.includes(columns[k]));
      const names = `${proposed[0].name} to ${proposed.at(-1).name}`;
      const role = roleOf({ ...proposed[0], name: names }, true);
      role.addEventListener("change", () => {
        together.forEach((k) => (roles[k].value = role.value));
      });
      const single = html("button", { type: "button" }, "one by one");
      const missing = proposed.reduce((total, column) => total + column.missing, 0);
      const head = html("th", { scope: "row" }, `${names} (${proposed.length} columns) `, single);
      const cells = ["numbers", String(missing), role].map((cell) => html("td", {}, cell));
      const row = html("tr", {}, head, ...cells);
      rows[together[0]].before(row);
      together.forEach((k) => (rows[k].hidden = true));
      single.addEventListener("click", () => {
        row.remove();
        together.forEach((k) => (rows[k].hidden = false));
        roles[together[0]].focus();
      });
    }
    return region("columns", made);
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
    const last = proposed.at(-1);
    const siblings = proposed.slice(0, -1);
    const others =
      siblings.length < MOST_OUTPUTS
        ? quoted(siblings)
        : `${siblings.length} others from “${siblings[0].name}” on`;
    const dates = columns.filter(({ kind }) => kind === "date");
    return [
      siblings.length
        ? `Outputs: the last column of numbers, ${quoted([last])}, and with it ${others}, because the names follow one pattern.`
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
    checkSizes(inputs, outputs, known);
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

  /** That squares of numbers stay within what a computer holds, and something varies. */
  function checkSizes(inputs, outputs, known) {
    const fail = (name, why) => {
      throw new Error(`Column “${name}” ${why}`);
    };
    const isVarying = ({ name, kind, numbers, texts }) => {
      if (kind === "text") return new Set(known.map((i) => texts[i])).size > 1;
      const seen = known.map((i) => numbers[i]).filter((value) => !Number.isNaN(value));
      if (seen.length === 0) fail(name, "has no number in the rows with outputs: leave it out.");
      const reach = Math.max(...seen) - Math.min(...seen);
      const largest = Math.max(...seen.map(Math.abs));
      if (numbers.some((value) => Math.abs(value) > LARGEST)) {
        fail(name, `has numbers beyond ${LARGEST}: use another unit.`);
      }
      if (reach > 0 && reach < 1 / LARGEST) {
        fail(name, `has numbers that differ by less than ${1 / LARGEST}: use another unit.`);
      }
      if (reach > 0 && reach < FINEST * largest) {
        fail(name, `has numbers that differ by less than ${FINEST} of their size: subtract their mean.`);
      }
      return reach > 0;
    };
    outputs.forEach(isVarying);
    if (!inputs.map(isVarying).includes(true)) {
      throw new Error("Choose an input that varies in the rows with outputs.");
    }
  }

  /** Places of at most so many of n rows, the same ones in each call and in Python's lines. */
  function sample(n, most) {
    const mixed = (i) => {
      let bits = i + 1;
      for (let turn = 0; turn < 2; turn++) bits = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b);
      return (bits ^ (bits >>> 16)) >>> 0;
    };
    const places = range(n).sort((i, j) => mixed(i) - mixed(j));
    return places.slice(0, most).sort((a, b) => a - b);
  }

  /** The rows that the page does not learn from: which, why, and what becomes of them. */
  function rowsAside({ data, outputs, asked, known, kept, complete }) {
    const reasons = new Map();
    asked.forEach((i) => {
      const lacking = outputs.filter(({ numbers }) => Number.isNaN(numbers[i]));
      const all = lacking.length === outputs.length && outputs.length > MOST_OUTPUTS;
      const which = all ? `all ${outputs.length} outputs` : quoted(lacking);
      const why = `${which} ${lacking.length > 1 ? "are" : "is"} missing`;
      const key = lacking.map(({ name }) => name).join("\n");
      if (!reasons.has(key)) reasons.set(key, [why, "predicted", []]);
      reasons.get(key)[2].push(data.places[i]);
    });
    if (kept.length < complete) {
      const taken = new Set([...known, ...asked]);
      const rest = range(data.places.length).filter((i) => !taken.has(i));
      const why = `more than ${ownData.mostRows} rows have outputs, and chance left these out`;
      reasons.set("", [why, "not used", rest.map((i) => data.places[i])]);
    }
    if (reasons.size === 0) return [];
    const count = data.places.length - known.length;
    const told = `The page did not learn from ${plural(count, "row")}. The row of names is row 1.`;
    const lines = [...reasons.values()].map(([why, then, rows]) => [
      runs(rows),
      html("td", {}, why),
      html("td", {}, then),
    ]);
    const label = "rows that the page did not learn from";
    return [html("p", {}, told), region(label, table(["rows", "why", "are"], lines))];
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
      tellProblem(`The computation failed: ${event.message}.`);
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

  /** That the inputs say too little of the outputs. */
  function unlearnt(result, mean) {
    const [baseline] = result.methods;
    const outputs = baseline.each.length > 1 ? "outputs" : "output";
    const [own, without] = [mean, baseline.mean].map((value) => format(value, decimals(result)));
    const start = `The inputs do not predict the ${outputs}`;
    if (mean < baseline.mean) return `${start}: the error is ${own} with them and ${without} without.`;
    return `${start}: their mean does better, with an error of ${without} against ${own}.`.replace(
      "their",
      outputs === "output" ? "its" : "their",
    );
  }

  /** The paired comparison that the answer rests on. */
  function comparison({ methods, best, helps, gain, counts }) {
    if (!best) return "";
    const { C } = methods.find(({ name }) => name === best);
    const lower = gain.mean > 0;
    const asked = `${lower && !helps ? "less" : "more"} than two standard errors`;
    const decides = lower ? `This is ${asked}, so ` : "So ";
    const then = helps ? "the answer is the mixture." : "the answer is ridge regression.";
    const several = counts.length > 1;
    const which = several
      ? `Of ${counts.length} mixtures (${listed(counts.map(String))} components), the one with ${C} does best.`
      : `The mixture has ${C} components.`;
    const chosen = several
      ? ` The same rows chose the best of ${counts.length}, so it looks a little better than it is.`
      : "";
    const size = plusMinus({ ...gain, mean: Math.abs(gain.mean) });
    return `${which} Row by row, its squared error is ${lower ? "lower" : "higher"} than that of ridge regression by ${size} (mean of the differences and its standard error). ${decides}${then}${chosen}`;
  }

  /** A mean and its standard error, with two digits of the error. */
  function plusMinus({ mean, error }) {
    const digits = Math.min(Math.max(Math.ceil(-Math.log10(error)) + 1, 2), 6) || 2;
    return `${format(mean, digits)} ± ${format(error, digits)}`;
  }

  /** Which outputs are predicted best and worst, and which worse than by their means. */
  function ofOutputs({ outputs }, { methods: [baseline] }, used, digits) {
    if (outputs.length === 1) return [];
    const order = range(outputs.length).sort((a, b) => used.each[a] - used.each[b]);
    const part = (k) => `${outputs[k].name} (${format(used.each[k], digits)})`;
    const told = [
      `Of the outputs, ${part(order[0])} is predicted best and ${part(order.at(-1))} worst.`,
    ];
    const failed = range(outputs.length).filter((k) => used.each[k] > baseline.each[k]);
    if (failed.length) {
      const [are, means] = failed.length > 1 ? ["are", "their means"] : ["is", "its mean"];
      told.push(
        `${quoted(failed.map((k) => outputs[k]))} ${are} predicted worse than by ${means}, whose error is ${format(baseline.each[failed[0]], digits)}: do not use these predictions.`,
      );
    }
    return told;
  }

  /** The answer in words. */
  function verdict(result) {
    const { methods, ridge, best, kind, helps, learns, gain } = result;
    const of = (name) => methods.find((method) => method.name === name);
    const [plain, mixed] = [of(ridge), of(best)];
    const text = ({ mean }) => format(mean, decimals(result));
    const own = `Take ridge regression with an intercept (${kind} kernel).`;
    const doubt = learns ? "" : `${unlearnt(result, (helps ? mixed : plain).mean)} `;
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
    const single = outputs.length > 1 && outputs.length <= MOST_OUTPUTS;
    const head = outputs.length > 1 ? "error, all outputs" : "error";
    const cell = (text) => html("td", {}, text);
    answer.append(
      html("p", { class: "verdict" }, verdict(result)),
      html("p", { class: "comparison" }, comparison(result)),
      html("p", { class: "outputs" }, ofOutputs(task, result, used, digits).join(" ")),
      html(
        "p",
        {},
        `The page learnt from ${kept.length} rows${sampled}. An error is the mean squared error of predictions by leave-one-out, divided by the variance of the output: a method that always predicts the mean has an error of about 1. After ± stands the standard error over the rows.`,
      ),
      region(
        "errors",
        table(
          [
            "method",
            head,
            "lower than ridge regression by, row by row",
            ...(single ? outputs.map(({ name }) => name) : []),
            "ridge parameter",
          ],
          result.methods.map((method) => {
            const name = method === used ? html("strong", {}, method.name) : method.name;
            return [
              name,
              cell(`${format(method.mean, digits)} ± ${format(method.error, digits)}`),
              cell(method.name === result.ridge ? "" : plusMinus(method.gain)),
              ...(single ? method.each.map((mean) => cell(format(mean, digits))) : []),
              cell(method.alpha ? String(Number(method.alpha.toPrecision(3))) : ""),
            ];
          }),
        ),
      ),
      ...rowsAside(task),
    );
    if (outputs.length > MOST_OUTPUTS) {
      answer.append(...eachOutput(task, result));
    } else {
      answer.append(
        html("h3", {}, "Predicted against observed"),
        html(
          "p",
          {},
          "Each point is a row, predicted by a fit that has not seen it. On the line both are equal.",
        ),
        html(
          "div",
          { class: "charts" },
          ...outputs.map(({ name }, k) =>
            scatter(
              name,
              numbers.Y.map((row) => row[k]),
              result.leftOut.map((row) => row[k][0]),
            ),
          ),
        ),
      );
    }
    showIntervals(task, result);
    answer.append(
      html("h3", {}, "Go on in Python"),
      html(
        "p",
        {},
        "These lines compute the numbers of this page again: the errors, the predictions of each row by a fit without it, and what the answer rests on. Then they fit the method of the answer, for new rows.",
      ),
      html("pre", { tabindex: 0 }, html("code", {}, ownData.python(task, result))),
    );
  }

  /** Round values for an axis between two numbers, with their texts. */
  function ticksOf(low, high) {
    const step = 10 ** Math.floor(Math.log10(high - low)) / 2;
    const every = step * Math.ceil((high - low) / step / 5);
    const first = Math.ceil(low / every);
    return range(Math.floor(high / every) - first + 1).map((i) => {
      const value = (first + i) * every;
      return [value, String(Number(value.toPrecision(6))).replace("-", "−")];
    });
  }

  /** Curves over the outputs, in the order of their columns, and what each of them is. */
  function curves(label, title, lines, band = []) {
    const d = lines[0].values.length;
    const all = [...lines.flatMap(({ values }) => values), ...band.flat()].filter(Number.isFinite);
    const [least, most] = [Math.min(...all), Math.max(...all)];
    const margin = 0.05 * (most - least) || 1;
    const y = [least - margin, most + margin];
    const every = Math.ceil(d / 8);
    const places = range(Math.floor((d - 1) / every) + 1).map((i) => 1 + i * every);
    const chart = area({
      label,
      x: [1, d],
      y,
      left: 58,
      height: 260,
      ticks: [places.map((place) => [place, String(place)]), ticksOf(...y)],
      titles: ["output, in the order of the columns", title],
    });
    const points = (values) =>
      values.map((value, k) => [k + 1, Math.min(Math.max(value, y[0]), y[1])]);
    if (band.length) {
      const outline = [...points(band[1]), ...points(band[0]).reverse()];
      chart.shape("path", "band chosen")({ d: chart.path(outline) });
    }
    lines.forEach(({ kind, values }) => {
      chart.shape("path", `curve ${kind}`)({ d: chart.path(points(values)) });
    });
    const keys = lines.map(({ kind, name }) => html("li", { class: `key ${kind}` }, name));
    return html("div", {}, chart.root, html("ul", { class: "keys" }, ...keys));
  }

  /** The errors of many outputs: curves, and the numbers in a table. */
  function eachOutput({ outputs }, result) {
    const { methods, ridge, best, gainsEach } = result;
    const compared = [methods[0].name, ridge, ...(best ? [best] : [])].map((name) =>
      methods.find((method) => method.name === name),
    );
    const kinds = ["baseline", "rival", "chosen"];
    const lines = compared.map(({ name, each }, m) => ({ name, kind: kinds[m], values: each }));
    const digits = decimals(result);
    const texts = outputs.map(({ name }, k) => [
      name,
      ...compared.map(({ each }) => html("td", {}, format(each[k], digits))),
      ...(best ? [html("td", {}, plusMinus(gainsEach[k]))] : []),
    ]);
    const heads = ["output", ...compared.map(({ name }) => name)];
    if (best) heads.push("OFER lower than ridge regression by, row by row");
    const shown = region("errors of each output", table(heads, texts));
    shown.classList.add("long");
    return [
      html("h3", {}, "Each output"),
      html("div", { class: "charts" }, curves("Error of each output", "error", lines)),
      shown,
    ];
  }

  function scatter(name, observed, predicted) {
    const values = [...observed, ...predicted];
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const margin = 0.05 * (high - low);
    const ends = [low - margin, high + margin];
    const ticks = ticksOf(...ends);
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
    if (outputs.length > MOST_OUTPUTS) {
      answer.append(...chooseRow(task, result));
      return;
    }
    const add = (title, rows, label, cells) =>
      answer.append(
        html("h4", {}, rows.length > SHOWN_ROWS ? `${title}, the first ${SHOWN_ROWS}` : title),
        region(
          label,
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

  /** Observed and predicted curves, with their intervals, of one row that a menu chooses. */
  function chooseRow({ data, outputs, asked, known }, { leftOut, intervals }) {
    const found = new Map([
      ...known.map((i, q) => [i, leftOut[q]]),
      ...asked.map((i, q) => [i, intervals[q]]),
    ]);
    const moments = outputs.map(({ numbers }) => {
      const seen = known.map((i) => numbers[i]);
      const mean = seen.reduce((total, value) => total + value, 0) / seen.length;
      return [mean, Math.sqrt(seen.reduce((t, v) => t + (v - mean) ** 2, 0) / seen.length)];
    });
    // outputs of unlike units have no axis in common but that of their standard deviations
    const spreads = moments.map(([, spread]) => spread);
    const means = moments.map(([mean]) => mean);
    const reach = Math.max(...means) - Math.min(...means);
    const alike =
      Math.max(...spreads) < 10 * Math.min(...spreads) && reach < 10 * Math.max(...spreads);
    const title = alike ? "output" : "standard deviations from the mean";
    const place = (value, k) => (alike ? value : (value - moments[k][0]) / moments[k][1]);
    const optionOf = (more) => (i) => html("option", { value: i }, `${data.places[i]}${more}`);
    const options = [...known.map(optionOf("")), ...asked.map(optionOf(", lacks outputs"))];
    const menu = html("select", { "aria-label": "row to show" }, ...options);
    const chart = html("div", { class: "charts" });
    const draw = () => {
      const i = Number(menu.value);
      const values = found.get(i);
      const of = (part) => values.map((three, k) => place(three[part], k));
      const observed = outputs.map(({ numbers }, k) => place(numbers[i], k));
      const complete = !observed.some(Number.isNaN);
      const lines = [
        ...(complete ? [{ name: "observed", kind: "output", values: observed }] : []),
        { name: "predicted, with its intervals", kind: "chosen", values: of(0) },
      ];
      const label = `Outputs of row ${data.places[i]}`;
      chart.replaceChildren(curves(label, title, lines, [of(1), of(2)]));
    };
    menu.addEventListener("change", draw);
    draw();
    return [html("label", { class: "row" }, html("span", {}, "Row"), menu), chart];
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
