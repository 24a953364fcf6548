/* An output that tugs at the means of a mixture of round components in the plane. */
"use strict";
(() => {
  const playground = (window.playground ??= {});

  playground.tug = (numbers) => {
    const { area, arrow, combine, evenTicks, footer, formatPoint, handle, html } = playground;
    const { means, scales, reach } = numbers;
    const plane = area({
      label: "Plane of outputs: three means, and an output y that tugs at them and can be moved",
      x: numbers.x,
      y: numbers.y,
      ticks: [evenTicks(numbers.x), evenTicks(numbers.y)],
      titles: ["y₁", "y₂"],
    });
    const each = [...means.keys()];
    const pulls = each.map((j) => {
      const [cx, cy] = plane.at(means[j]);
      const unit = plane.at([1, 0])[0] - plane.at([0, 0])[0];
      const disc = plane.shape("circle", `disc component-${j + 1}`);
      disc({ cx, cy, r: unit * scales[j], "fill-opacity": 0.15 });
      plane.shape("circle", `start component-${j + 1}`)({ cx, cy, r: 4 });
      plane.shape("text", "number", String(j + 1))({ x: cx + 7, y: cy + 15 });
      return plane.shape("path", `arrow component-${j + 1}`);
    });
    const names = [...each.map((j) => `γ${"₁₂₃"[j]}`), "r₁", "r₂"];
    const chart = area({
      label: "The five coordinates of the embedding",
      x: [-reach, reach],
      y: [names.length - 0.4, -0.6],
      height: 230,
      ticks: [evenTicks([-reach, reach]), names.map((name, k) => [k, name])],
      titles: ["value", ""],
    });
    const bars = names.map((_, k) => chart.shape("rect", `share component-${k + 1}`));
    chart.shape("path", "arrow")({ d: chart.path([[0, -0.6], [0, names.length - 0.4]]) });
    const words = html("output", { class: "wide" });
    const output = handle(plane, {
      label: "output y",
      kind: "output",
      text: "y",
      step: 0.1,
      moved: draw,
    });

    function draw(y) {
      const gamma = playground.memberships(numbers, y);
      const centre = combine(gamma, means);
      const rest = y.map((value, k) => value - centre[k]);
      each.forEach((j) => {
        const end = means[j].map((value, k) => value + gamma[j] * (y[k] - value));
        pulls[j]({ d: arrow(plane.at(means[j]), plane.at(end), 1) });
      });
      [...gamma, ...rest].forEach((value, k) => {
        const [[left, top], [right, bottom]] = [
          chart.at([Math.min(value, 0), k - 0.35]),
          chart.at([Math.max(value, 0), k + 0.35]),
        ];
        bars[k]({ x: left, y: top, width: right - left, height: bottom - top });
      });
      output(y);
      words.textContent =
        `y = ${formatPoint(y)}; memberships ${formatPoint(gamma, 3)}; ` +
        `sum of the pulls ${formatPoint(rest, 3)}`;
    }

    draw(numbers.output);
    return html(
      "div",
      { class: "playground" },
      plane.root,
      chart.root,
      words,
      footer(() => draw(numbers.output)),
    );
  };
})();
