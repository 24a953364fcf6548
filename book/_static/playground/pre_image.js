/* The pre-image of a predicted embedding, by two decoders. */
"use strict";
(() => {
  const playground = (window.playground ??= {});
  // Corners of the simplex, as it is drawn.
  const CORNERS = [
    [0, 0],
    [1, 0],
    [0.5, 1],
  ];

  /** Memberships, which sum to one, of a place in the plane of the triangle. */
  const membershipsAt = ([across, up]) => [1 - across - up / 2, across - up / 2, up];

  playground.preImage = (numbers) => {
    const { area, arrow, combine, evenTicks, footer, formatPoint, handle, html, table } =
      playground;
    const names = ["raw", "simplex"];
    const marks = { raw: "□", simplex: "○" };
    let state = numbers;
    const change = (part) => {
      state = { ...state, ...part };
      draw();
    };

    const triangle = area({
      label:
        "Plane of memberships that sum to one: the simplex and a prediction, which can be moved",
      x: [-0.5, 1.5],
      y: [-0.45, 1.3],
      height: 290,
      left: 6,
      titles: ["memberships that sum to one", ""],
    });
    const plane = area({
      label:
        "Plane of outputs: what two decoders make of the prediction; the residual can be moved",
      x: numbers.x,
      y: numbers.y,
      ticks: [evenTicks(numbers.x), evenTicks(numbers.y)],
      titles: ["y₁", "y₂"],
    });
    const corners = [
      [triangle, CORNERS],
      [plane, numbers.means],
    ];
    corners.forEach(([where, points]) => {
      where.shape("path", "simplex")({ d: `${where.path(points)}Z` });
      const middle = where.at(combine([1 / 3, 1 / 3, 1 / 3], points));
      points.forEach((point, j) => {
        const [x, y] = where.at(point);
        const away = 14 / Math.hypot(x - middle[0], y - middle[1]);
        const name = where.shape("text", "corner", j + 1);
        name({
          x: x + away * (x - middle[0]),
          y: y + away * (y - middle[1]) + 4,
          "text-anchor": "middle",
        });
      });
    });

    const way = triangle.shape("path", "way");
    const projection = triangle.shape("circle", "decoder-simplex");
    const prediction = handle(triangle, {
      label: "predicted memberships",
      kind: "decoder-raw",
      text: "h₁",
      step: 0.05,
      moved: (place) => change({ memberships: membershipsAt(place) }),
    });
    const residuals = names.map((name) => plane.shape("path", `arrow decoder-${name}`));
    const starts = [
      plane.shape("rect", "start decoder-raw"),
      plane.shape("circle", "start decoder-simplex"),
    ];
    const raw = plane.shape("rect", "decoder-raw");
    const decoded = handle(plane, {
      label: "decoded output, which sets the residual",
      kind: "decoder-simplex",
      text: "y*",
      step: 0.1,
      moved: (point) => {
        const centre = combine(playground.projectSimplex(state.memberships), numbers.means);
        change({ residual: point.map((value, k) => value - centre[k]) });
      },
    });
    const cells = Object.fromEntries(names.map((name) => [name, [html("td"), html("td")]]));
    const words = html("output");

    function draw() {
      const g = { raw: state.memberships, simplex: playground.projectSimplex(state.memberships) };
      const centres = names.map((name) => combine(g[name], numbers.means));
      const outputs = centres.map((centre) => centre.map((value, k) => value + state.residual[k]));
      names.forEach((name, i) => {
        residuals[i]({ d: arrow(plane.at(centres[i]), plane.at(outputs[i]), [7, 12][i]) });
        cells[name][0].textContent = formatPoint(g[name], 3);
        cells[name][1].textContent = formatPoint(outputs[i], 3);
      });
      const places = names.map((name) => combine(g[name], CORNERS));
      way({ d: triangle.path(places) });
      prediction(places[0]);
      disc(projection, triangle.at(places[1]));
      square(starts[0], plane.at(centres[0]));
      disc(starts[1], plane.at(centres[1]));
      square(raw, plane.at(outputs[0]));
      decoded(outputs[1]);
      words.textContent = `residual h₂ = ${formatPoint(state.residual, 3)}`;
    }

    draw();
    const heads = ["decoder", "memberships g", "output y*"];
    return html(
      "div",
      { class: "playground" },
      triangle.root,
      plane.root,
      table(
        heads,
        names.map((name) => [`${marks[name]} ${name}`, ...cells[name]]),
      ),
      words,
      footer(() => change(numbers)),
    );
  };

  const disc = (set, [cx, cy]) => set({ cx, cy, r: 6 });
  const square = (set, [x, y]) => set({ x: x - 5, y: y - 5, width: 10, height: 10 });
})();
