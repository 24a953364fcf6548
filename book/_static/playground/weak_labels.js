/* Errors over labelled samples for a number of weak labels that a slider chooses. */
"use strict";
(() => {
  const playground = (window.playground ??= {});

  playground.weakLabels = ({ sizes, baseline, rival, curves }) => {
    const { area, format, html, table } = playground;
    const all = [baseline, rival, ...curves];
    const highest = Math.max(
      ...all.map(({ mean, std }) => Math.max(...mean.map((m, i) => m + std[i]))),
    );
    const lowest = Math.min(
      ...all.map(({ mean, std }) => Math.min(...mean.map((m, i) => m - std[i]))),
    );
    const places = sizes.map(Math.log10);
    const ticks = [];
    for (let cent = 2 * Math.ceil(50 * lowest); cent <= 100 * highest; cent += 2) {
      ticks.push([cent / 100, format(cent / 100)]);
    }
    const chart = area({
      label: "Error over labelled molecules",
      x: [places[0] - 0.1, places.at(-1) + 0.1],
      y: [lowest - 0.005, highest + 0.005],
      height: 270,
      left: 52,
      ticks: [sizes.map((size, i) => [places[i], String(size)]), ticks],
      titles: ["labelled molecules", "RRMSE on the test set"],
    });
    const points = (values) => values.map((value, i) => [places[i], value]);
    const band = ({ mean, std }) => {
      const [above, below] = [1, -1].map((sign) => points(mean.map((m, i) => m + sign * std[i])));
      return `${chart.path([...above, ...below.reverse()])}Z`;
    };
    chart.shape("path", "band baseline")({ d: band(baseline) });
    const spread = chart.shape("path", "band chosen");
    curves.forEach(({ mean }) => chart.shape("path", "ghost")({ d: chart.path(points(mean)) }));
    chart.shape("path", "curve baseline")({ d: chart.path(points(baseline.mean)) });
    chart.shape("path", "curve rival")({ d: chart.path(points(rival.mean)) });
    const curve = chart.shape("path", "curve chosen");
    const dots = sizes.map(() => chart.shape("circle", "chosen"));

    const slider = html("input", {
      type: "range",
      min: 0,
      max: curves.length - 1,
      step: 1,
      value: 0,
    });
    const count = html("output");
    const title = html("span");
    const rows = sizes.map(() => [html("td"), html("td"), html("td"), html("td")]);
    const text = ({ mean, std }, i) => `${format(mean[i], 3)} ± ${format(std[i], 3)}`;

    function draw() {
      const chosen = curves[slider.value];
      spread({ d: band(chosen) });
      curve({ d: chart.path(points(chosen.mean)) });
      dots.forEach((dot, i) => {
        const [cx, cy] = chart.at([places[i], chosen.mean[i]]);
        dot({ cx, cy, r: 5 });
      });
      slider.setAttribute("aria-valuetext", `${chosen.weak} weak molecules`);
      count.textContent = chosen.weak;
      title.textContent = `with ${chosen.weak} weak`;
      rows.forEach(([own, other, gain, imputed], i) => {
        own.textContent = text(chosen, i);
        other.textContent = text(baseline, i);
        gain.textContent = format(chosen.mean[i] - baseline.mean[i], 3);
        imputed.textContent = format(rival.mean[i], 3);
      });
    }

    slider.addEventListener("input", draw);
    draw();
    const heads = ["labelled", title, "baseline", "change", "imputed"];
    return html(
      "div",
      { class: "playground" },
      html("label", { class: "wide" }, html("span", {}, "weak molecules"), slider, count),
      chart.root,
      html(
        "p",
        { class: "wide" },
        `Solid: OFER. Dashed: the baseline. Dotted: the baseline with ${rival.weak} imputed outputs. Thin: the other stops.`,
      ),
      table(
        heads,
        rows.map((cells, i) => [sizes[i], ...cells]),
      ),
    );
  };
})();
