/* The fit without a point that a slider chooses. */
"use strict";
(() => {
  const playground = (window.playground ??= {});

  playground.leftOut = ({ x, y, grid, curve, without, predicted }) => {
    const { area, evenTicks, format, html, table } = playground;
    const heights = [...y, ...predicted, ...curve];
    const ranges = {
      x: [grid[0], grid.at(-1)],
      y: [Math.min(...heights) - 0.3, Math.max(...heights) + 0.3],
    };
    const chart = area({
      label: "Outputs over inputs, with the fit to all points and the fit without one",
      ...ranges,
      height: 270,
      ticks: [evenTicks(ranges.x), evenTicks(ranges.y)],
      titles: ["input", "output"],
    });
    const line = (values) => ({ d: chart.path(grid.map((place, i) => [place, values[i]])) });
    chart.shape("path", "curve chosen")(line(curve));
    const refit = chart.shape("path", "curve decoder-raw");
    const error = chart.shape("path", "way");
    x.forEach((place, i) => {
      const [cx, cy] = chart.at([place, y[i]]);
      chart.shape("circle", "centroid")({ cx, cy, r: 4 });
    });
    const left = chart.shape("circle", "start output");
    const ring = chart.shape("circle", "start decoder-raw");

    const errors = y.map((height, i) => Math.abs(height - predicted[i]));
    const value = errors.indexOf(Math.max(...errors));
    const slider = html("input", { type: "range", min: 0, max: x.length - 1, step: 1, value });
    const count = html("output");
    const cells = ["output", "without", "residual"].map(() => html("td"));

    function draw() {
      const i = Number(slider.value);
      refit(line(without.map((fits) => fits[i])));
      const ends = [y[i], predicted[i]].map((height) => [x[i], height]);
      error({ d: chart.path(ends) });
      [left, ring].forEach((mark, k) => {
        const [cx, cy] = chart.at(ends[k]);
        mark({ cx, cy, r: 6 });
      });
      slider.setAttribute("aria-valuetext", `point ${i + 1} of ${x.length}`);
      count.textContent = i + 1;
      [y[i], predicted[i], y[i] - predicted[i]].forEach((value, k) => {
        cells[k].textContent = format(value, 3);
      });
    }

    slider.addEventListener("input", draw);
    draw();
    return html(
      "div",
      { class: "playground" },
      html("label", { class: "wide" }, html("span", {}, "point left out"), slider, count),
      chart.root,
      html(
        "p",
        { class: "wide" },
        "Solid: the fit to all points. Dashed: without the one that is circled; the ring on it " +
          "is its prediction.",
      ),
      table(["", "output", "predicted without it", "residual"], [["left out", ...cells]]),
    );
  };
})();
