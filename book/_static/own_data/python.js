/* The lines of Python that compute the page's numbers again, and go on from there. */
"use strict";
(window.ownData ??= {}).python = ({ name, data, inputs, outputs, asked, kept, complete }, result) => {
  const list = (columns) => JSON.stringify(columns.map((column) => column.name));
  const numbers = list([...inputs, ...outputs].filter((column) => column.kind === "number"));
  const plain = data.comma
    ? '.replace(r"\\.", "", regex=True).replace(",", ".", regex=True)'
    : '.replace(",", "", regex=True)';
  const { helps, kind, counts, starts, start, best } = result;
  const mixtures = counts.length > 0;
  const ridge = `KernelRidgeCV("fixed", kernel="${kind}")`;
  const components = result.methods.find((method) => method.name === best)?.C;
  const rowsOf = (rows) => `[${rows.slice(0, counts.at(-1)).join(", ")}]`;
  return [
    "import csv",
    "",
    "import numpy as np",
    "import pandas as pd",
    ...(mixtures ? ["from sklearn.frozen import FrozenEstimator"] : []),
    "from sklearn.impute import SimpleImputer",
    "from sklearn.pipeline import make_pipeline",
    "from sklearn.preprocessing import StandardScaler",
    "",
    ...(mixtures
      ? [
          "from ofer import GaussianMixtureEmbedding, JackknifePlus, KernelRidgeCV",
          "from ofer import OutputFisherRegressor",
        ]
      : ["from ofer import JackknifePlus, KernelRidgeCV"]),
    "",
    `with open(${JSON.stringify(name)}, encoding="${data.encoding}") as file:`,
    `    lines = csv.reader(file, delimiter=${JSON.stringify(data.delimiter)})`,
    "    lines = [[cell.strip() for cell in line] for line in lines]",
    "names, *rows = [line for line in lines if len(line) > 1 or any(line)]",
    "table = pd.DataFrame(rows, columns=names)",
    `table = table.mask(table.isin(${JSON.stringify(data.codes)}))`,
    `inputs = ${list(inputs)}`,
    `outputs = ${list(outputs)}`,
    `numbers = ${numbers}`,
    `table[numbers] = table[numbers]${plain}.astype(float)`,
    "known = table[outputs].notna().all(axis=1)",
    "frame = pd.get_dummies(table[inputs], dtype=float).to_numpy()",
    "X, new = frame[known], frame[~known]",
    "Y = table.loc[known, outputs].to_numpy(dtype=float)",
    ...(kept.length < complete
      ? [
          `mixed = np.arange(1, len(Y) + 1, dtype=np.uint32)  # the page's choice of ${kept.length} rows`,
          "for _ in range(2):",
          "    mixed = (mixed ^ (mixed >> 16)) * np.uint32(0x45D9F3B)",
          `taken = np.sort(np.argsort(mixed ^ (mixed >> 16))[:${kept.length}])`,
          "X, Y = X[taken], Y[taken]",
        ]
      : []),
    "",
    "# The errors: each row is predicted by a fit without it.",
    "Z = make_pipeline(SimpleImputer(), StandardScaler()).fit_transform(X)",
    "units = StandardScaler().fit(Y)",
    "T = units.transform(Y)",
    'left_out = {"mean of the outputs": -T / (len(T) - 1)}',
    'for kernel in ("linear", "rbf"):',
    '    model = KernelRidgeCV("fixed", kernel=kernel).fit(Z, T)',
    '    left_out[f"ridge regression, {kernel}"] = T - model.loo_residuals_',
    ...(mixtures
      ? [
          "",
          "",
          "def mixture(T, first):",
          '    """Mixture whose components begin at some rows."""',
          "    model = GaussianMixtureEmbedding(len(first), tol=1e-3)",
          "    return model.fit_in_batches([T[first], np.delete(T, first, axis=0)])",
          "",
          "",
          "fold = np.arange(len(T)) % 5",
          "first = [  # rows at which components begin, in the rows without each fold",
          ...starts.map((rows) => `    ${rowsOf(rows)},`),
          "]",
          `for count in ${JSON.stringify(counts)}:`,
          "    predicted = np.empty(T.shape)",
          "    for f in range(5):",
          "        seen = FrozenEstimator(mixture(T[fold != f], first[f][:count]))",
          `        model = OutputFisherRegressor(seen, ${ridge}, block_wise=True)`,
          "        predicted[fold == f] = model.fit(Z, T).loo_predict()[fold == f]",
          '    left_out[f"OFER, {count} components"] = predicted',
        ]
      : []),
    "",
    "squares = {name: (T - part) ** 2 for name, part in left_out.items()}",
    "rows = pd.DataFrame({name: part.mean(axis=1) for name, part in squares.items()})",
    `lower = rows.rsub(rows["${result.ridge}"], axis=0)`,
    'errors = pd.concat([rows.agg(["mean", "sem"]), lower.agg(["mean", "sem"])],',
    '                   keys=["error", "lower than ridge regression by"]).T',
    "print(errors.to_string())",
    "each = pd.DataFrame({name: part.mean(axis=0) for name, part in squares.items()}, outputs)",
    `predicted = units.inverse_transform(left_out["${helps ? best : result.ridge}"])`,
    "",
    "# The method of the answer, fitted to all these rows, and its intervals of 90 %.",
    ...(helps
      ? [
          `seen = FrozenEstimator(mixture(T, [${start.slice(0, components).join(", ")}]))`,
          "embedding = make_pipeline(StandardScaler(), seen)",
          `last = OutputFisherRegressor(embedding, ${ridge}, block_wise=True)`,
        ]
      : [`last = ${ridge}`]),
    "model = make_pipeline(SimpleImputer(), StandardScaler(), last)",
    "regions = JackknifePlus(model).fit(X, Y)",
    ...(asked.length
      ? ["new_predicted = regions.predict(new)", "low_high = regions.predict_interval(new)"]
      : ["# regions.predict(new) and regions.predict_interval(new), of new rows"]),
  ].join("\n");
};
