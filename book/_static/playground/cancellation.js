/* Predicted centroids and residuals by the number of components, with one ridge or with two. */
"use strict";
(() => {
  const playground = (window.playground ??= {});

  playground.cancellation = ({ reference, counts, one, two }) => {
    const { area, arrow, evenTicks, format, html } = playground;
    const values = [reference, ...one.centroids, ...one.sums, ...two.centroids, ...two.sums].flat();
    const range = [Math.min(...values) - 0.3, Math.max(...values) + 0.3];
    const chart = area({
      label: "Predicted centroids and residuals of several queries, a row each",
      x: range,
      y: [reference.length + 0.5, 0.5],
      height: 270,
      ticks: [evenTicks(range), reference.map((_, q) => [q + 1, String(q + 1)])],
      titles: ["output", "query"],
    });
    const rows = reference.map((value, q) => {
      const line = [q + 0.6, q + 1.4].map((place) => [value, place]);
      chart.shape("path", "target")({ d: chart.path(line) });
      return {
        way: chart.shape("path", "arrow"),
        centroid: chart.shape("rect", "decoder-raw"),
        sum: chart.shape("circle", "start chosen"),
      };
    });

    const slider = html("input", { type: "range", min: 0, max: counts.length - 1, step: 1 });
    slider.value = 0;
    const count = html("output");
    const apart = html("input", { type: "checkbox" });
    const play = html("button", { type: "button" }, "Play");
    const words = html("output", { class: "wide" });

    function draw() {
      const k = Number(slider.value);
      const { centroids, sums } = apart.checked ? two : one;
      rows.forEach(({ way, centroid, sum }, q) => {
        const [from, to] = [centroids[k][q], sums[k][q]].map((value) => chart.at([value, q + 1]));
        centroid({ x: from[0] - 5, y: from[1] - 5, width: 10, height: 10 });
        way({ d: arrow(from, to, 6) });
        sum({ cx: to[0], cy: to[1], r: 6 });
      });
      const gap = Math.max(...sums[k].map((value, q) => Math.abs(value - reference[q])));
      slider.setAttribute("aria-valuetext", `${counts[k]} components`);
      count.textContent = counts[k];
      words.textContent = `Largest distance of a sum from the ridge of the outputs: ${format(gap)}`;
    }

    let clock = null;
    const stop = () => {
      clearInterval(clock);
      clock = null;
      play.textContent = "Play";
    };
    play.addEventListener("click", () => {
      if (clock) return stop();
      play.textContent = "Stop";
      clock = setInterval(() => {
        slider.value = (Number(slider.value) + 1) % counts.length;
        draw();
        if (Number(slider.value) === 0) stop();
      }, 800);
    });
    slider.addEventListener("input", draw);
    apart.addEventListener("input", draw);
    draw();
    return html(
      "div",
      { class: "playground" },
      html("label", { class: "wide" }, html("span", {}, "components"), slider, count),
      html("p", { class: "wide" }, play),
      html("label", { class: "wide" }, html("span", {}, "one ridge per block"), apart),
      chart.root,
      html(
        "p",
        { class: "wide" },
        "Square: the predicted centroid. Arrow: the predicted residual. Ring: their sum. " +
          "Grey: kernel ridge regression of the outputs themselves.",
      ),
      words,
    );
  };
})();
