/* What the page computes, in a worker. The tests compare it with the package. */
"use strict";
(window.ownData ??= {}).compute = ({ Matrix, EigenvalueDecomposition }) => {
  const FOLDS = 5;
  const COMPONENTS = [2, 3, 4, 6, 8];
  const LEVEL = 0.9;
  const EM = { tol: 1e-6, most: 500, floor: 1e-6 }; // GaussianMixtureEmbedding(tol=1e-3)
  const PRIOR = 2; // samples that the residuals of all count as, in a component's unit
  const ASKED = 2; // standard errors that a mixture has to gain
  const RIDGES = Array.from({ length: 25 }, (_, i) => 10 ** (-4 + i / 3));

  const range = (n) => Array.from({ length: n }, (_, i) => i);
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const average = (values) => sum(values) / values.length;
  const least = (values) => values.indexOf(Math.min(...values));

  function fill(n, m, entry) {
    const made = new Matrix(n, m);
    for (let i = 0; i < n; i++) for (let k = 0; k < m; k++) made.set(i, k, entry(i, k));
    return made;
  }
  const columnsOf = (A) => range(A.columns).map((k) => A.getColumn(k));

  /** Missing entries replaced by the means of what is there in their columns of `known`. */
  function impute(A, known) {
    const means = columnsOf(known).map((values) => {
      const seen = values.filter((value) => !Number.isNaN(value));
      return seen.length ? average(seen) : 0;
    });
    return fill(A.rows, A.columns, (i, k) => (Number.isNaN(A.get(i, k)) ? means[k] : A.get(i, k)));
  }
  /** Means and standard deviations of columns; a constant one has 1 as its unit. */
  function moments(A) {
    const means = A.mean("column");
    const spreads = columnsOf(A).map((values, k) =>
      Math.sqrt(average(values.map((value) => (value - means[k]) ** 2))),
    );
    const varies = spreads.map((spread, k) => spread > 1e-10 * Math.abs(means[k]));
    return { means, spreads, varies, units: spreads.map((s, k) => (varies[k] ? s : 1)) };
  }
  const meanVariance = (A) => average(moments(A).spreads.map((spread) => spread ** 2));

  const standardise = (A, { means, units }) => A.clone().subRowVector(means).divRowVector(units);

  /** Squared distances between rows. */
  function squares(A, B) {
    const [a, b] = [A, B].map((rows) => Matrix.pow(rows, 2).sum("row"));
    const products = A.mmul(B.transpose());
    return fill(A.rows, B.rows, (i, j) => Math.max(0, a[i] + b[j] - 2 * products.get(i, j)));
  }

  /**
   * A kernel, centred and decomposed once: its eigenvectors V, eigenvalues, and for each of 25 ridge
   * parameters the leverages of the samples. `rows` are centred rows of the kernel for queries.
   */
  function decompose(X, kind) {
    const n = X.rows;
    const gamma = 1 / (2 * X.columns * meanVariance(X) || 1); // the mean squared distance of pairs
    const kernel = (A) =>
      kind === "linear" ? A.mmul(X.transpose()) : Matrix.exp(squares(A, X).mul(-gamma));
    const means = kernel(X).mean("column");
    const rows = (A) => {
      const K = kernel(A).subRowVector(means);
      return K.subColumnVector(K.mean("row"));
    };
    const K = rows(X);
    const trace = K.trace();
    let V;
    let values;
    if (kind === "linear" && X.columns < n - 1) {
      // the few directions of the inputs: X has mean zero
      const small = new EigenvalueDecomposition(X.transpose().mmul(X), { assumeSymmetric: true });
      const top = Math.max(...small.realEigenvalues);
      const kept = range(X.columns).filter((k) => small.realEigenvalues[k] > 1e-12 * top);
      values = kept.map((k) => small.realEigenvalues[k]);
      const turned = X.mmul(small.eigenvectorMatrix);
      V = turned.subMatrixColumn(kept).divRowVector(values.map(Math.sqrt));
    } else {
      const whole = new EigenvalueDecomposition(K, { assumeSymmetric: true });
      values = whole.realEigenvalues.map((value) => Math.max(value, 0));
      V = whole.eigenvectorMatrix;
    }
    const alphas = RIDGES.map((ridge) => (trace > 0 ? ridge * trace : ridge * (n - 1)) / (n - 1));
    const shrink = alphas.map((alpha) => values.map((value) => value / (value + alpha)));
    const shares = new Matrix(shrink).transpose();
    const leverages = Matrix.pow(V, 2)
      .mmul(shares)
      .add(1 / n);
    return { n, V, Vt: V.transpose(), alphas, shrink, leverages, rows };
  }

  /** Ridge regression of targets, with the ridge parameter of least leave-one-out error. */
  function regress(system, T) {
    const { V, Vt, alphas, shrink, leverages } = system;
    const { means, varies, units } = moments(T);
    // as `ofer.utils.scoring.target_units`: what is constant is in units of its size
    const scales = units.map((unit, k) => (varies[k] ? unit : Math.abs(means[k]) || 1));
    const centred = T.clone().subRowVector(means);
    const projected = Vt.mmul(centred);
    let best = { error: Infinity };
    alphas.forEach((alpha, a) => {
      const fitted = V.mmul(projected.clone().mulColumnVector(shrink[a]));
      const left = leverages.getColumn(a).map((leverage) => 1 - leverage);
      const missed = Matrix.sub(centred, fitted).divColumnVector(left);
      const error = missed.clone().divRowVector(scales).pow(2).mean();
      if (error < best.error) best = { error, alpha, a, missed, T };
    });
    return best;
  }

  /** Weights of the samples in the predictions of queries. */
  function smoother({ n, V, Vt, shrink, alphas, rows }, queries, a) {
    const K = rows(queries);
    const part = K.mmul(V).mulRowVector(shrink[a]).mmul(Vt);
    return K.sub(part)
      .div(alphas[a])
      .add(1 / n);
  }

  /**
   * Rows at which components begin: each brings the distances to the nearest of them down most.
   * Fewer than asked for where there are not so many different rows.
   */
  function starts(Y, count) {
    const n = Y.rows;
    const distances = squares(Y, Y).to2DArray();
    let nearest = new Array(n).fill(Infinity);
    const found = [];
    while (found.length < count) {
      const totals = distances.map((row) =>
        sum(row.map((value, i) => Math.min(value, nearest[i]))),
      );
      const next = least(totals);
      if (nearest[next] < 1e-10) break;
      found.push(next);
      nearest = nearest.map((value, i) => Math.min(value, distances[next][i]));
    }
    return found;
  }

  /** A mixture of round Gaussians, from components at some rows; its posterior and its means. */
  function fitMixture(Y, first) {
    const [n, d, C] = [Y.rows, Y.columns, first.length];
    const data = Y.to2DArray();
    const begin = first.map((row) => data[row]);
    const centre = range(d).map((k) => average(begin.map((row) => row[k])));
    const spread = average(begin.flatMap((row) => row.map((value, k) => (value - centre[k]) ** 2)));
    let weights = new Array(C).fill(1 / C);
    let means = begin;
    let variances = new Array(C).fill(EM.floor * spread);
    const floor = EM.floor * meanVariance(Y);
    const logs = (y) =>
      weights.map((weight, j) => {
        let square = 0;
        for (let k = 0; k < d; k++) square += (y[k] - means[j][k]) ** 2;
        return (
          Math.log(weight) -
          0.5 * (square / variances[j] + d * Math.log(2 * Math.PI * variances[j]))
        );
      });
    const share = (y) => {
      const parts = logs(y);
      const top = Math.max(...parts);
      const exps = parts.map((value) => Math.exp(value - top));
      const total = sum(exps);
      return [exps.map((value) => value / total), top + Math.log(total)];
    };
    let bound = -Infinity;
    for (let step = 0; step < EM.most; step++) {
      let likelihood = 0;
      const sizes = new Array(C).fill(10 * Number.EPSILON);
      const firsts = means.map(() => new Array(d).fill(0));
      const seconds = new Array(C).fill(0);
      for (const y of data) {
        const [shares, log] = share(y);
        likelihood += log;
        for (let j = 0; j < C; j++) {
          sizes[j] += shares[j];
          for (let k = 0; k < d; k++) {
            const moved = y[k] - means[j][k];
            firsts[j][k] += shares[j] * moved;
            seconds[j] += shares[j] * moved * moved;
          }
        }
      }
      const shifts = firsts.map((row, j) => row.map((value) => value / sizes[j]));
      variances = seconds.map(
        (value, j) => (value / sizes[j] - sum(shifts[j].map((v) => v * v))) / d + floor,
      );
      means = means.map((mean, j) => mean.map((value, k) => value + shifts[j][k]));
      weights = sizes.map((size) => size / sum(sizes));
      const gain = likelihood / n - bound;
      bound = likelihood / n;
      if (Math.abs(gain) < EM.tol) break;
    }
    const posterior = (Z) => new Matrix(Z.to2DArray().map((y) => share(y)[0]));
    return { C, means: new Matrix(means), posterior };
  }

  /** Rows, each replaced by the nearest point of the simplex: max(v - tau, 0). */
  function project(A) {
    return new Matrix(
      A.to2DArray().map((row) => {
        const sorted = [...row].sort((a, b) => b - a);
        let total = 0;
        let tau = 0;
        sorted.forEach((value, k) => {
          total += value;
          if (value * (k + 1) > total - 1) tau = (total - 1) / (k + 1);
        });
        return row.map((value) => Math.max(value - tau, 0));
      }),
    );
  }

  /** Memberships and outputs of the two predicted blocks of an embedding. */
  function decode(mixture, membership, mean) {
    const shares = project(membership);
    return { shares, outputs: Matrix.add(mean, shares.mmul(mixture.means)) };
  }

  /** Both blocks of the outputs, each regressed; the outputs that leave-one-out predicts. */
  function regressEmbedding(system, mixture, Y) {
    const shares = mixture.posterior(Y);
    const blocks = [shares, Matrix.sub(Y, shares.mmul(mixture.means))].map((T) =>
      regress(system, T),
    );
    const left = blocks.map(({ T, missed }) => Matrix.sub(T, missed));
    return { mixture, blocks, ...decode(mixture, ...left) };
  }

  /** Mean of values and its standard error. */
  function estimate(values) {
    const mean = average(values);
    const spread = sum(values.map((value) => (value - mean) ** 2)) / (values.length - 1);
    return { mean, error: Math.sqrt(spread / values.length) };
  }
  const paired = (one, other) => estimate(one.map((value, i) => value - other[i]));

  /** Both blocks decoded; a regression without a mixture has one block, and all of each row. */
  const decodeBlocks = ({ mixture }, parts) =>
    mixture
      ? decode(mixture, ...parts)
      : { shares: fill(parts[0].rows, 1, () => 1), outputs: parts[0] };

  /**
   * How far samples are missed, as `JackknifePlus` has it: mean squares of each component and
   * output in the fit without a sample, and the samples' scores in these units.
   */
  function measure(shares, missed) {
    const [n, d] = [missed.rows, missed.columns];
    const components = range(shares.columns);
    const square = (i, k) => missed.get(i, k) ** 2;
    const pooled = Matrix.pow(missed, 2)
      .mean("column")
      .map((value) => Math.max(value, 1e-300));
    const sums = components.map((j) =>
      pooled.map(
        (all, k) => sum(range(n).map((i) => shares.get(i, j) * square(i, k))) + PRIOR * all,
      ),
    );
    const sizes = components.map((j) => sum(shares.getColumn(j)) + PRIOR);
    const variances = components.map((j) =>
      fill(n, d, (i, k) => {
        const own = shares.get(i, j) + PRIOR / n;
        const others = (sums[j][k] - own * square(i, k)) / (sizes[j] - own);
        return Math.max(others, Number.EPSILON * pooled[k]);
      }),
    );
    const scores = range(n).map((i) =>
      Math.max(
        ...range(d).map((k) => {
          const mixed = sum(variances.map((part, j) => shares.get(i, j) * part.get(i, k)));
          return Math.sqrt(square(i, k) / mixed);
        }),
      ),
    );
    return { variances, scores };
  }

  /**
   * The prediction of a query, and the ends of its interval, for each output. `at` is predicted
   * by the fit with all samples, a row of `fits` by the fit without one of them.
   */
  function interval({ variances, scores }, at, fits) {
    const n = scores.length;
    const rank = Math.ceil(Math.round(LEVEL * (n + 1) * 1e9) / 1e9);
    const smallest = (values) => (rank > n ? Infinity : values.sort()[rank - 1]);
    const own = at.shares.getRow(0);
    return range(at.outputs.columns).map((k) => {
      const reach = scores.map(
        (score, i) =>
          score * Math.sqrt(sum(own.map((share, j) => share * variances[j].get(i, k)))),
      );
      const ends = [-1, 1].map(
        (side) =>
          side * smallest(Float64Array.from(reach, (r, i) => r + side * fits.outputs.get(i, k))),
      );
      return [at.outputs.get(0, k), ...ends];
    });
  }

  /** The intervals of queries that no fit has seen. */
  function intervals(system, model, Y, queries, tell) {
    const measured = measure(model.shares, Matrix.sub(Y, model.outputs));
    const block = Math.max(1, Math.ceil(queries.rows / 20));
    const found = [];
    for (let start = 0; start < queries.rows; start += block) {
      const end = Math.min(start + block, queries.rows) - 1;
      const part = queries.subMatrix(start, end, 0, queries.columns - 1);
      const weights = model.blocks.map(({ a }) => smoother(system, part, a));
      for (let q = 0; q < part.rows; q++) {
        // predictions of a block with all samples, and without each
        const whole = model.blocks.map(({ T }, b) => weights[b].getRowVector(q).mmul(T));
        const without = model.blocks.map(({ T, missed: r }, b) =>
          fill(
            Y.rows,
            T.columns,
            (i, k) => whole[b].get(0, k) - weights[b].get(q, i) * r.get(i, k),
          ),
        );
        const [at, fits] = [whole, without].map((parts) => decodeBlocks(model, parts));
        found.push(interval(measured, at, fits));
      }
      tell(found.length / queries.rows);
    }
    return found;
  }

  /**
   * The intervals of some of the samples, each from all others alone. The fits without two samples
   * i and j follow from the one with all: their residuals r there solve (I - H) r = e, where e are
   * those of the one fit, H its hat matrix, and both are cut to the two rows.
   */
  function intervalsLeftOut(system, model, Y, left, tell) {
    const { n, V, Vt, shrink, leverages } = system;
    const hats = model.blocks.map(({ a }) =>
      V.subMatrixRow(left)
        .mulRowVector(shrink[a])
        .mmul(Vt)
        .add(1 / n),
    );
    return left.map((i, q) => {
      const others = range(n).filter((j) => j !== i);
      const [at, fits, samples] = ["at", "fits", "samples"].map((what) =>
        decodeBlocks(
          model,
          model.blocks.map(({ T, missed, a }, b) => {
            if (what === "at") return Matrix.sub(T, missed).subMatrix(i, i, 0, T.columns - 1);
            const own = 1 - leverages.get(i, a);
            return fill(n - 1, T.columns, (p, k) => {
              const j = others[p];
              const [other, h] = [1 - leverages.get(j, a), hats[b].get(q, j)];
              const determinant = own * other - h * h;
              const [r, s] = [missed.get(i, k), missed.get(j, k)];
              return what === "fits"
                ? T.get(i, k) - (other * (own * r + h * s)) / determinant
                : T.get(j, k) - (own * (other * s + h * r)) / determinant;
            });
          }),
        ),
      );
      tell((q + 1) / left.length);
      return interval(
        measure(samples.shares, Matrix.sub(Y.subMatrixRow(others), samples.outputs)),
        at,
        fits,
      );
    });
  }

  /**
   * Everything that the page shows. `X`, `Y` and `queries` are rows of numbers, NaN where missing in
   * inputs. `tell` is told what is done, and which share of it.
   */
  return ({ X, Y, queries }, tell) => {
    const known = new Matrix(X);
    const inputs = impute(known, known);
    const outputs = new Matrix(Y);
    const scale = moments(inputs);
    const units = moments(outputs);
    const [n, d] = [outputs.rows, outputs.columns];
    const Z = standardise(inputs, scale);
    const T = standardise(outputs, units);
    const methods = [];
    const add = (name, missed, more) => {
      const squared = Matrix.pow(missed, 2);
      const [errors, each] = ["row", "column"].map((by) => squared.mean(by));
      methods.push({ name, squared, errors, each, ...estimate(errors), ...more });
    };

    tell("the mean of the outputs", 0);
    add("mean of the outputs", Matrix.mul(T, n / (n - 1)), {});
    const systems = ["linear", "rbf"].map((kind, i) => {
      tell(`ridge regression, ${kind} kernel`, 0.05 + 0.15 * i);
      const system = decompose(Z, kind);
      const found = regress(system, T);
      const blocks = [found];
      const model = { blocks, ...decodeBlocks({}, [Matrix.sub(T, found.missed)]) };
      const fits = [{ model, left: range(n) }];
      add(`ridge regression, ${kind}`, found.missed, { kind, alpha: found.alpha, fits });
      return system;
    });
    const ridge = methods[1].mean <= methods[2].mean ? methods[1] : methods[2];
    const system = systems[methods.indexOf(ridge) - 1];

    // a mixture is judged by outputs that it has not seen
    const folds = range(FOLDS).map((f) => range(n).filter((i) => i % FOLDS === f));
    const parts = folds.map((_, f) => T.subMatrixRow(range(n).filter((i) => i % FOLDS !== f)));
    const chosen = parts.map((part) => starts(part, Math.max(...COMPONENTS)));
    const all = starts(T, Math.max(...COMPONENTS));
    const most = Math.min(all.length, ...chosen.map((rows) => rows.length));
    const counts = COMPONENTS.filter((C) => C <= most);
    counts.forEach((C, c) => {
      const fits = folds.map((left, f) => {
        tell(`mixture of ${C} components`, 0.4 + (0.3 * (c + f / FOLDS)) / counts.length);
        const mixture = fitMixture(parts[f], chosen[f].slice(0, C));
        return { model: regressEmbedding(system, mixture, T), left };
      });
      const predicted = fill(n, d, (i, k) => fits[i % FOLDS].model.outputs.get(i, k));
      add(`OFER, ${C} components`, Matrix.sub(T, predicted), { kind: ridge.kind, C, fits });
    });
    const mixtures = methods.slice(3);
    const best = mixtures[least(mixtures.map(({ mean }) => mean))];
    const gain = best && paired(ridge.errors, best.errors);
    const helps = Boolean(best) && gain.mean > ASKED * gain.error;
    const used = helps ? best : ridge;
    const over = paired(methods[0].errors, used.errors);
    const gains = methods.map(({ errors }) => paired(ridge.errors, errors));
    // of each output: how much lower the best mixture's squared error is than that of ridge regression
    const gainsEach = best ? columnsOf(Matrix.sub(ridge.squared, best.squared)).map(estimate) : [];

    const leftOut = new Array(n);
    used.fits.forEach(({ model, left }, f) => {
      const done = (share) =>
        tell("intervals of the rows with outputs", 0.7 + (0.2 * (f + share)) / used.fits.length);
      intervalsLeftOut(system, model, T, left, done).forEach((found, q) => {
        leftOut[left[q]] = found;
      });
    });
    const first = helps ? all.slice(0, best.C) : [];
    const model = helps ? regressEmbedding(system, fitMixture(T, first), T) : ridge.fits[0].model;
    const asked = queries.length
      ? intervals(
          system,
          model,
          T,
          standardise(impute(new Matrix(queries), known), scale),
          (share) => tell("intervals of the rows that lack an output", 0.9 + 0.1 * share),
        )
      : [];
    const back = (rows) =>
      rows.map((row) =>
        row.map((values, k) => values.map((value) => units.means[k] + units.units[k] * value)),
      );
    return {
      methods: methods.map(({ squared, errors, fits, ...shown }, m) => ({
        ...shown,
        gain: gains[m], // over ridge regression, in the same rows
      })),
      ridge: ridge.name,
      best: best?.name,
      kind: ridge.kind,
      gain,
      gainsEach,
      helps,
      learns: over.mean > ASKED * over.error,
      counts,
      starts: chosen, // rows at which components begin, in the rows without a fold
      start: all, // and in all rows
      leftOut: back(leftOut), // of rows with outputs: prediction, low, high of each output
      intervals: back(asked), // of rows without
    };
  };
};
