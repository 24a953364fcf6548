/* Elements, areas with axes, and points that can be moved. */
"use strict";
(() => {
  const playground = (window.playground ??= {});

  const build = (node, attributes, children) => {
    Object.entries(attributes).forEach(([name, value]) => node.setAttribute(name, value));
    node.append(...children);
    return node;
  };
  const html = (name, attributes = {}, ...children) =>
    build(document.createElement(name), attributes, children);
  const svg = (name, attributes = {}, ...children) =>
    build(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

  let areas = 0; // how many there are, for their names

  /** A number as the reader sees it, with a true minus sign. */
  const format = (value, digits = 2) =>
    (Math.abs(value) < 0.5 * 10 ** -digits ? 0 : value).toFixed(digits).replace("-", "−");
  const formatPoint = (point, digits) =>
    `(${point.map((value) => format(value, digits)).join(", ")})`;

  /**
   * A drawing area. `x` and `y` are ranges of the data, `ticks` lists of [value, text] for both,
   * `titles` the names of both axes, `left` the room for the second. `at` takes data to the area's
   * units, `locate` an event to data. `shape` adds a shape that is cut off at the frame, and
   * returns what sets its attributes.
   */
  function area({ label, x, y, height = 340, left = 36, ticks = [[], []], titles = ["", ""] }) {
    const width = 340;
    const right = width - 6;
    const low = height - 36;
    const inside = [right - left, low - 6];
    const root = svg("svg", {
      viewBox: `0 0 ${width} ${height}`,
      role: "group",
      "aria-label": label,
    });
    const at = (point) => [
      left + (inside[0] * (point[0] - x[0])) / (x[1] - x[0]),
      low - (inside[1] * (point[1] - y[0])) / (y[1] - y[0]),
    ];
    const locate = (event) => {
      const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(
        root.getScreenCTM().inverse(),
      );
      return [
        x[0] + ((place.x - left) / inside[0]) * (x[1] - x[0]),
        y[0] + ((low - place.y) / inside[1]) * (y[1] - y[0]),
      ];
    };
    const clamp = (point) =>
      [x, y].map(([least, most], k) => Math.min(Math.max(point[k], least), most));

    ticks[0].forEach(([value, text]) => {
      const [across] = at([value, y[0]]);
      root.append(svg("line", { class: "grid", x1: across, x2: across, y1: 6, y2: low }));
      root.append(svg("text", { x: across, y: low + 14, "text-anchor": "middle" }, text));
    });
    ticks[1].forEach(([value, text]) => {
      const [, up] = at([x[0], value]);
      root.append(svg("line", { class: "grid", x1: left, x2: right, y1: up, y2: up }));
      root.append(svg("text", { x: left - 5, y: up + 4, "text-anchor": "end" }, text));
    });
    const middle = (6 + low) / 2;
    root.append(
      svg("text", { x: (left + right) / 2, y: height - 4, "text-anchor": "middle" }, titles[0]),
      svg(
        "text",
        { x: 10, y: middle, "text-anchor": "middle", transform: `rotate(-90 10 ${middle})` },
        titles[1],
      ),
    );
    const frame = `playground-frame-${(areas += 1)}`;
    const size = { x: left, y: 6, width: inside[0], height: inside[1] };
    const shapes = svg("g", { "clip-path": `url(#${frame})` });
    root.append(svg("clipPath", { id: frame }, svg("rect", size)), shapes);
    const shape = (name, kind, ...children) => {
      const node = shapes.appendChild(svg(name, { class: kind }, ...children));
      return (attributes) => build(node, attributes, []);
    };
    const path = (points) => `M${points.map((point) => at(point).join(" ")).join("L")}`;
    return { root, at, locate, clamp, path, shape, x, y };
  }

  /** Whole numbers of a range as ticks, two apart. */
  const evenTicks = ([least, most]) => {
    const ticks = [];
    for (let value = Math.ceil(least / 2) * 2; value <= most; value += 2) {
      ticks.push([value, format(value, 0)]);
    }
    return ticks;
  };

  /** Path of an arrow between two places of an area, in its units, that ends before a mark. */
  function arrow([x1, y1], [x2, y2], mark) {
    const length = Math.hypot(x2 - x1, y2 - y1);
    if (length < mark) return "";
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const [x, y] = [x2 - mark * dx, y2 - mark * dy];
    // Each barb is a line of its own, shorter than a dash, so that it is whole in a dashed arrow.
    const barb = (side) => `M${x} ${y}l${side * 4 * dy - 8 * dx} ${-side * 4 * dx - 8 * dy}`;
    return `M${x1} ${y1}L${x} ${y}${barb(1)}${barb(-1)}`;
  }

  /**
   * A point that the pointer and the arrow keys move, in steps of a hundredth. `moved` is told
   * where to; the function returned puts the point to a place.
   */
  function handle(where, { label, kind, text, step, moved }) {
    const node = svg(
      "g",
      {
        class: `handle ${kind}`,
        tabindex: 0,
        role: "slider",
        "aria-label": label,
        "aria-roledescription": "movable point",
        "aria-valuemin": where.x[0],
        "aria-valuemax": where.x[1],
      },
      svg("circle", { class: "reach", r: 18 }),
      svg("circle", { class: "ring", r: 10 }),
      svg("text", { "text-anchor": "middle", y: 4 }, text),
    );
    where.root.append(node);
    let place = [0, 0];
    let grip = null; // from the pointer to the place, while it is held
    const go = (point) => moved(where.clamp(point).map((value) => Math.round(value * 100) / 100));

    node.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      node.focus({ preventScroll: true });
      node.setPointerCapture(event.pointerId);
      grip = where.locate(event).map((value, k) => place[k] - value);
    });
    node.addEventListener("pointermove", (event) => {
      if (grip) go(where.locate(event).map((value, k) => value + grip[k]));
    });
    node.addEventListener("lostpointercapture", () => (grip = null));
    node.addEventListener("keydown", (event) => {
      const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };
      const way = ways[event.key];
      if (!way || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      const size = step * (event.shiftKey ? 5 : 1);
      go(place.map((value, k) => value + size * way[k]));
    });
    return (point) => {
      place = point;
      const [across, up] = where.at(point);
      build(
        node,
        {
          transform: `translate(${across} ${up})`,
          "aria-valuenow": point[0].toFixed(2),
          "aria-valuetext": `${format(point[0])} across, ${format(point[1])} up`,
        },
        [],
      );
    };
  }

  /** A table of column heads and of rows, each a head and its cells. */
  function table(heads, rows) {
    const head = (scope, content) => html("th", { scope }, content);
    const row = ([first, ...cells]) => html("tr", {}, head("row", first), ...cells);
    return html(
      "table",
      {},
      html("thead", {}, html("tr", {}, ...heads.map((content) => head("col", content)))),
      html("tbody", {}, ...rows.map(row)),
    );
  }

  /** What stands below every picture with handles: how to use them, and a way back. */
  function footer(reset) {
    const button = html("button", { type: "button" }, "Back to the start");
    button.addEventListener("click", reset);
    const keys =
      "or choose them with Tab and move them by the arrow keys, with Shift in larger steps.";
    return html("p", { class: "use" }, `Drag the ringed points, ${keys} `, button);
  }

  Object.assign(playground, {
    area,
    arrow,
    evenTicks,
    footer,
    format,
    formatPoint,
    handle,
    html,
    table,
  });
})();
