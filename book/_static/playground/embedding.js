/* The embedding of an output by a mixture of round components in the plane. */
"use strict";
(() => {
  const playground = (window.playground ??= {});

  playground.embedding = (numbers) => {
    const { area, arrow, combine, evenTicks, footer, formatPoint, handle, html } = playground;
    let state = numbers;
    const change = (part) => {
      state = { ...state, ...part };
      draw();
    };

    const plane = area({
      label: "Plane of outputs: the means of three components and an output y, which can be moved",
      x: numbers.x,
      y: numbers.y,
      ticks: [evenTicks(numbers.x), evenTicks(numbers.y)],
      titles: ["y₁", "y₂"],
    });
    const each = [...numbers.means.keys()];
    const discs = each.map((j) => plane.shape("circle", `disc component-${j + 1}`));
    const spokes = each.map((j) => plane.shape("path", `spoke component-${j + 1}`));
    const residual = plane.shape("path", "arrow");
    const centroid = plane.shape("rect", "centroid");
    const means = each.map((j) =>
      handle(plane, {
        label: `mean of component ${j + 1}`,
        kind: `component-${j + 1}`,
        text: j + 1,
        step: 0.1,
        moved: (point) => change({ means: state.means.with(j, point) }),
      }),
    );
    const output = handle(plane, {
      label: "output y",
      kind: "output",
      text: "y",
      step: 0.1,
      moved: (point) => change({ output: point }),
    });
    const components = each.map((j) =>
      component(j, {
        weight: (value) => change({ weights: playground.setWeight(state.weights, j, value) }),
        scale: (value) => change({ scales: state.scales.with(j, value) }),
      }),
    );
    const words = html("output");

    function draw() {
      const gamma = playground.memberships(state, state.output);
      const centre = combine(gamma, state.means);
      const unit = plane.at([1, 0])[0] - plane.at([0, 0])[0];
      each.forEach((j) => {
        const [cx, cy] = plane.at(state.means[j]);
        discs[j]({ cx, cy, r: unit * state.scales[j], "fill-opacity": 0.6 * state.weights[j] });
        spokes[j]({ d: plane.path([state.means[j], centre]), "stroke-width": 8 * gamma[j] });
        means[j](state.means[j]);
        components[j].show(state.weights[j], state.scales[j], gamma[j]);
      });
      const [x, y] = plane.at(centre);
      centroid({ x: x - 5, y: y - 5, width: 10, height: 10 });
      residual({ d: arrow([x, y], plane.at(state.output), 12) });
      output(state.output);
      const rest = state.output.map((value, k) => value - centre[k]);
      words.textContent =
        `y = ${formatPoint(state.output)}; centroid (square) ${formatPoint(centre, 3)}; ` +
        `residual (arrow) ${formatPoint(rest, 3)}`;
    }

    draw();
    return html(
      "div",
      { class: "playground" },
      plane.root,
      html("div", { class: "panel" }, ...components.map((part) => part.root), words),
      footer(() => change(numbers)),
    );
  };

  /** Membership of a component, and sliders that tell their values to `moved`. */
  function component(j, moved) {
    const { format, html } = playground;
    const index = "₁₂₃"[j];
    const slider = (name, [least, most], tell) => {
      const input = html("input", { type: "range", min: least, max: most, step: 0.01 });
      const text = html("span", { class: "value" });
      input.addEventListener("input", () => tell(Number(input.value)));
      const show = (value) => {
        input.value = value;
        text.textContent = format(value);
      };
      return { root: html("label", {}, html("span", {}, name), input, text), show };
    };
    const weight = slider(`weight π${index}`, [0.02, 0.96], moved.weight);
    const scale = slider(`spread σ${index}`, [0.2, 3], moved.scale);
    const bar = html("span", { class: "bar" });
    const text = html("span", { class: "value" });
    const root = html(
      "fieldset",
      { class: `component-${j + 1}` },
      html("legend", {}, `component ${j + 1}`),
      html(
        "div",
        {},
        html("span", {}, `membership γ${index}`),
        html("span", { class: "track" }, bar),
        text,
      ),
      weight.root,
      scale.root,
    );
    const show = (weightNow, scaleNow, membership) => {
      weight.show(weightNow);
      scale.show(scaleNow);
      bar.style.inlineSize = `${100 * membership}%`;
      text.textContent = format(membership, 3);
    };
    return { root, show };
  }
})();
