/* The lines of Python that do what the page has done. */
"use strict";
(window.ownData ??= {}).python = ({ name, data, inputs, outputs, asked, kept }, result) => {
  const list = (columns) => JSON.stringify(columns.map((column) => column.name));
  const options = [
    JSON.stringify(name),
    `sep=${JSON.stringify(data.delimiter)}`,
    ...(data.comma ? ['decimal=","'] : []),
    ...(data.encoding === "utf-8" ? [] : [`encoding="${data.encoding}"`]),
    "skipinitialspace=True",
    `na_values=${JSON.stringify(data.codes)}`,
    "keep_default_na=False",
  ];
  const ridge = `KernelRidgeCV("fixed", kernel="${result.kind}")`;
  const { helps } = result;
  const first = result.start.map((i) => kept[i]);
  return [
    "import pandas as pd",
    ...(helps ? ["from sklearn.frozen import FrozenEstimator"] : []),
    "from sklearn.impute import SimpleImputer",
    "from sklearn.pipeline import make_pipeline",
    "from sklearn.preprocessing import StandardScaler",
    "",
    ...(helps
      ? [
          "from ofer import GaussianMixtureEmbedding, JackknifePlus, KernelRidgeCV",
          "from ofer import OutputFisherRegressor",
        ]
      : ["from ofer import JackknifePlus, KernelRidgeCV"]),
    "",
    "table = pd.read_csv(",
    ...options.map((option) => `    ${option},`),
    ")",
    `inputs = ${list(inputs)}`,
    `outputs = ${list(outputs)}`,
    "X = pd.get_dummies(table[inputs], dtype=float)",
    "known = table[outputs].notna().all(axis=1)",
    "Y = table.loc[known, outputs].to_numpy()",
    ...(helps
      ? [
          `first = ${JSON.stringify(first)}  # rows at which the components begin`,
          "scaled = pd.DataFrame(StandardScaler().fit_transform(Y))",
          "blocks = scaled.loc[first], scaled.drop(first)",
          "mixture = GaussianMixtureEmbedding(len(first), tol=1e-3)",
          "mixture.fit_in_batches([block.to_numpy() for block in blocks])",
          "embedding = make_pipeline(StandardScaler(), FrozenEstimator(mixture))",
          `last = OutputFisherRegressor(embedding, ${ridge}, block_wise=True)`,
        ]
      : [`last = ${ridge}`]),
    "model = make_pipeline(SimpleImputer(), StandardScaler(), last)",
    "regions = JackknifePlus(model).fit(X[known], Y)  # of 90 %",
    ...(asked.length
      ? ["predicted = regions.predict(X[~known])", "low_high = regions.predict_interval(X[~known])"]
      : ["low_high = regions.predict_interval(X[:5])  # put new rows in their place"]),
  ].join("\n");
};
