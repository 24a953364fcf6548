/* What the pictures compute. The tests compare it with the package. */
"use strict";
(() => {
  const playground = (window.playground ??= {});

  const sum = (values) => values.reduce((total, value) => total + value, 0);

  /** Responsibilities of round components for y, by logarithms so that none underflows to 0 / 0. */
  function memberships({ weights, means, scales }, y) {
    const logs = means.map((mean, j) => {
      const square = sum(mean.map((value, k) => (y[k] - value) ** 2));
      return Math.log(weights[j]) - y.length * Math.log(scales[j]) - square / (2 * scales[j] ** 2);
    });
    const top = Math.max(...logs);
    const parts = logs.map((value) => Math.exp(value - top));
    return parts.map((part) => part / sum(parts));
  }

  /** The sum of points, each times its weight. */
  function combine(weights, points) {
    return points[0].map((_, k) => sum(points.map((point, j) => weights[j] * point[k])));
  }

  /** Nearest point of the probability simplex: max(v - tau, 0), where tau makes it sum to one. */
  function projectSimplex(v) {
    const sorted = [...v].sort((a, b) => b - a);
    const taus = sorted.map((_, k) => (sum(sorted.slice(0, k + 1)) - 1) / (k + 1));
    const tau = taus.findLast((value, k) => sorted[k] > value);
    return v.map((value) => Math.max(value - tau, 0));
  }

  /** Weights with one of them set, the others scaled so that all sum to one. */
  function setWeight(weights, chosen, value) {
    const rest = sum(weights) - weights[chosen];
    return weights.map((weight, j) => (j === chosen ? value : (weight * (1 - value)) / rest));
  }

  Object.assign(playground, { combine, memberships, projectSimplex, setWeight });
})();
