"""The page that takes a table, against the package's numbers."""

import hashlib
import re

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ofer import GaussianMixtureEmbedding, JackknifePlus, KernelRidgeCV, OutputFisherRegressor
from tests.book.conftest import BOOK, HTML, THEME

SCRIPTS = BOOK / "_static" / "own_data"
PAGE = HTML / "own_data.html"
# sha256 of the files in the packages that are published
KEPT = {
    "papaparse": "e032656b2c709e9a756d5be817da9885d58b2313c43d432c414eb8534a752685",
    "ml_matrix": "a5567df4093ecbc4d492fc9fa10e08eb23cbebdcb3f19d384b4a8b4ab2fce613",
}
EXACT = {"rtol": 1e-6, "atol": 1e-6}
WARNINGS = pytest.mark.filterwarnings(  # of small mixtures and grids
    "ignore:component:UserWarning",
    "ignore:EM stopped:UserWarning",
    "ignore:alphas should have:UserWarning",
)
EXAMPLES = {  # how Python reads them, their outputs, and the components that help
    "batches.csv": ({}, ["out_strength", "out_colour"], 2),
    "ertrag.csv": ({"sep": ";", "decimal": ","}, ["Ertrag"], 0),
    "fields.csv": ({}, ["crop_yield", "crop_loss"], 0),
}
GOOD = "".join(f"{i},{i * i % 7},{i % 5}\n" for i in range(12))
# What the reader of a bad file is told.
BAD = {
    "empty": (b"", "The file is empty."),
    "blank": (b"\n \n", "The file is empty."),
    "names alone": (b"a,b,c\n", "The file has a row of names, and no other."),
    "one column": (b"a\n1\n2\n", "The file has one column"),
    "texts alone": (b"a,b\nx,y\nz,w\n", "No column holds numbers"),
    "binary": (b"PK\x03\x04\x00\x00\x00", "The file is not text"),
    "two of a name": (f"a,b,a\n{GOOD}".encode(), "Row 1: columns 1 and 3 are both named “a”."),
    "no name": (f"a,,c\n{GOOD}".encode(), "Row 1, column 2: the column has no name."),
    "no row of names": (GOOD.encode(), "Row 1 holds numbers"),
    "ragged": (f"a,b,c\n{GOOD}1,2\n".encode(), "Row 14 has 2 entries, where row 1 names 3"),
    "a text": (
        f"a,b,c\n{GOOD}1,two,3\n".encode(),
        "Row 14, column “b”: “two” is no number. "
        "A missing entry is empty or one of NA, n.a., N/A, nan, null, ? and -.",
    ),
    "infinite": (f"a,b,c\n{GOOD}1,-inf,3\n".encode(), "Row 14, column “b”: “-inf” is no finite"),
    "too large": (f"a,b,c\n{GOOD}1,1e999,3\n".encode(), "Row 14, column “b”: “1e999” is no finite"),
    "points and commas": (
        f"a;b;c\n{GOOD.replace(',', ';')}1,5;2.5;3\n".encode(),
        "“2.5” (row 14, column “b”) has a decimal point or commas between thousands, "
        "“1,5” (row 14, column “a”) does not fit this: write all numbers alike.",
    ),
    "no encoding": (f"a,b,c\u00e9\n{GOOD}".encode("latin-1") + b"\x81,,\n", "neither UTF-8 nor"),
    "quotes": (f'a,b,c\n{GOOD}1,"2,3\n'.encode(), "Row 14: a quotation mark is not closed."),
}


def table_of(row):
    return ("a,b\n" + "".join("{},{}\n".format(*row(i)) for i in range(24))).encode()


# What is told when the outputs have been chosen.
BAD_OUTPUTS = {
    "few rows": (b"a,b\n1,2\n3,1\n", "2 rows with all outputs: at least 10 are needed."),
    "constant": (
        b"a,b\n" + b"1,2\n3,2\n" * 6,
        "Output column “b” is constant: all its entries are 2.",
    ),
    "large input": (table_of(lambda i: (i * 1e200, i * i)), "Column “a” has numbers beyond 1e+100"),
    "large output": (
        table_of(lambda i: (i, i * i * 1e160)),
        "Column “b” has numbers beyond 1e+100",
    ),
    "small output": (
        table_of(lambda i: (i, i * i * 1e-160)),
        "numbers that differ by less than 1e-",
    ),
    "far from zero": (table_of(lambda i: (i, 1e15 + i * i)), "less than 1e-9 of their size"),
    "same inputs": (table_of(lambda i: (0.1, i * i)), "Choose an input that varies"),
    "input of others": (
        table_of(lambda i: (i if i > 20 else "", "" if i > 20 else i * i)),
        "Column “a” has no number in the rows with outputs",
    ),
    "no input": (b"a,b\n" + b",2\n,3\n" * 6, "Choose a column as input."),
}


@pytest.mark.parametrize(("name", "sums"), KEPT.items())
def test_kept_libraries_are_the_published_ones(name, sums):
    text = (SCRIPTS / f"{name}.js").read_bytes()
    if name == "ml_matrix":  # a function, whose source a worker is given
        first, _, rest = text.partition(b"\n")
        assert first.endswith(b"function () {")
        text, _, last = rest.rpartition(b"\n};\n")
        assert last == b""
    assert hashlib.sha256(text).hexdigest() == sums


class OwnData:
    """What a reader does on the page."""

    def __init__(self, page):
        self.page = page
        self.root = page.locator("#your-table")

    def drop(self, name, content):
        self.root.locator("input[type=file]").set_input_files(
            {"name": name, "mimeType": "text/csv", "buffer": content}
        )

    def choose(self, outputs):
        for control in self.root.locator("select").all():
            is_output = control.get_attribute("aria-label") in {f"what {o} is" for o in outputs}
            if is_output:
                control.select_option("output")
            elif control.input_value() == "output":
                control.select_option("input")

    def button(self, name):
        return self.root.get_by_role("button", name=name, exact=True)

    def compute(self):
        self.button("Compute").click()
        self.root.get_by_text("Done.").wait_for()
        return self.page.evaluate("ownData.answer")


@pytest.fixture
def own(window):
    opened = OwnData(window.open(PAGE))
    yield opened
    assert window.errors == []


@pytest.fixture
def run_lines(own, tmp_path, monkeypatch):
    """Function that executes the page's Python beside the file, and gives its names."""

    def run_lines(name, text):
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        monkeypatch.chdir(tmp_path)
        names = {}
        exec(compile(own.root.locator("pre").inner_text(), "the page's lines", "exec"), names)
        return names

    return run_lines


def assert_lines_give(names, answer):
    """That the page's Python gives the page's errors, comparisons and predictions."""
    errors, each = names["errors"], names["each"]
    assert list(errors.index) == [method["name"] for method in answer["methods"]]
    for method in answer["methods"]:
        mean, error, gain, spread = errors.loc[method["name"]]
        assert_allclose([mean, error], [method["mean"], method["error"]], **EXACT)
        assert_allclose([gain, spread], [method["gain"]["mean"], method["gain"]["error"]], **EXACT)
        assert_allclose(each[method["name"]], method["each"], **EXACT)
    assert_allclose(names["predicted"], np.array(answer["leftOut"])[:, :, 0], **EXACT)


def example(page, name):
    return page.evaluate("name => ownData.examples.find(e => e.name === name).text", name)


def first_rows(Y, count):
    """Rows at which components begin, as the page's text says."""
    distances = np.square(Y[:, None] - Y).sum(axis=2)
    nearest, found = np.full(len(Y), np.inf), []
    for _ in range(count):
        found.append(int(np.minimum(distances, nearest).sum(axis=1).argmin()))
        nearest = np.minimum(nearest, distances[found[-1]])
    return found


def fit_mixture(Y, count):
    first = first_rows(Y, count)
    blocks = [Y[first], np.delete(Y, first, axis=0)]
    return FrozenEstimator(GaussianMixtureEmbedding(count, tol=1e-3).fit_in_batches(blocks))


def left_out_predictions(X, Y, kernel, count):
    """Each row as OFER predicts it with a mixture that has not seen the row's fold."""
    predicted = np.empty(Y.shape)
    for fold in range(5):
        left = np.arange(len(Y)) % 5 == fold
        model = OutputFisherRegressor(
            fit_mixture(Y[~left], count),
            KernelRidgeCV("fixed", kernel=kernel),
            block_wise=True,
        )
        predicted[left] = model.fit(X, Y).loo_predict()[left]
    return predicted


def left_out_intervals(model_of, alphas, X, Y):
    """Rows and intervals of `JackknifePlus` fitted without the row that it is asked about.

    The ridge parameters are chosen anew without the row; rows are left away where they are others
    than those `alphas`, by fold, of the fits with all rows, which the page keeps.
    """
    rows, found = [], []
    for i in range(len(Y)):
        others = np.delete(np.arange(len(Y)), i)
        regions = JackknifePlus(model_of(i % 5)).fit(X[others], Y[others])
        if chosen_alphas(regions.estimator_) == alphas[i % 5]:
            rows.append(i)
            found.append(regions.predict_interval(X[[i]])[0].reshape(-1, 2))
    return rows, np.array(found)


def chosen_alphas(model):
    return [part.alpha_ for part in getattr(model, "regressor_", {"y": model}).values()]


@pytest.mark.html
@WARNINGS
@pytest.mark.parametrize("name", EXAMPLES)
def test_numbers_are_those_of_the_package(own, faults, run_lines, tmp_path, name):
    options, outputs, components = EXAMPLES[name]
    own.page.set_viewport_size({"width": 390, "height": 800})
    text = example(own.page, name)
    (tmp_path / name).write_text(text, encoding="utf-8")
    own.button(name).click()
    own.choose(outputs)
    answer = own.compute()

    table = pd.read_csv(tmp_path / name, **options)
    known = table[outputs].notna().all(axis=1).to_numpy()
    frame = pd.get_dummies(table.drop(columns=outputs), dtype=float).to_numpy()
    before = make_pipeline(SimpleImputer(), StandardScaler()).fit(frame[known])
    X, Y = before.transform(frame), table.loc[known, outputs].to_numpy()
    T = StandardScaler().fit_transform(Y)
    shown = {method["name"]: method for method in answer["methods"]}
    errors = {}
    for kernel in ("linear", "rbf"):
        ridge = KernelRidgeCV("fixed", kernel=kernel).fit(X[known], T)
        method = shown[f"ridge regression, {kernel}"]
        squares = np.square(ridge.loo_residuals_)
        assert_allclose(method["each"], squares.mean(axis=0), **EXACT)
        errors[kernel] = squares.mean(axis=1)
        assert_allclose(method["alpha"], ridge.alpha_, **EXACT)
        assert_allclose(method["mean"], errors[kernel].mean(), **EXACT)
        spread = errors[kernel].std(ddof=1) / np.sqrt(len(T))
        assert_allclose(method["error"], spread, **EXACT)
    kind = min(errors, key=lambda kernel: errors[kernel].mean())
    assert answer["kind"] == kind
    plain = np.square(KernelRidgeCV("fixed", kernel=kind).fit(X[known], T).loo_residuals_)
    gains = {}
    for count in (2, 3, 4, 6, 8):
        found = np.square(left_out_predictions(X[known], T, kind, count) - T)
        method = shown[f"OFER, {count} components"]
        assert_allclose(method["mean"], found.mean(), **EXACT)
        assert_allclose(method["each"], found.mean(axis=0), **EXACT)
        gains[count] = plain - found
        rows = gains[count].mean(axis=1)
        assert_allclose(method["gain"]["mean"], rows.mean(), **EXACT)
        assert_allclose(method["gain"]["error"], rows.std(ddof=1) / np.sqrt(len(T)), **EXACT)
    best = max(gains, key=lambda count: gains[count].mean())
    asked = 2 * gains[best].mean(axis=1).std(ddof=1) / np.sqrt(len(T))
    assert answer["helps"] == (gains[best].mean() > asked) == bool(components)
    assert answer["best"] == f"OFER, {best} components"
    assert answer["gain"] == shown[answer["best"]]["gain"]
    for k, each in enumerate(answer["gainsEach"]):
        assert_allclose(each["mean"], gains[best][:, k].mean(), **EXACT)
        assert_allclose(each["error"], gains[best][:, k].std(ddof=1) / np.sqrt(len(T)), **EXACT)
    told = own.root.locator(".comparison").inner_text()
    size, error = re.search(r"by (\S+) ± (\S+) \(mean of the differences", told).groups()
    assert_allclose(float(size), abs(gains[best].mean()), atol=0.6 * 10.0 ** -len(size[2:]))
    assert_allclose(float(error), asked / 2, atol=0.6 * 10.0 ** -len(error[2:]))
    assert f"answer is {'the mixture' if components else 'ridge regression'}" in told
    tried = f"Of 5 mixtures (2, 3, 4, 6, and 8 components), the one with {best} does best."
    assert told.startswith(tried)
    assert "The same rows chose the best of 5, so it looks a little better than it is." in told

    last = KernelRidgeCV("fixed", kernel=kind)
    if components:
        assert best == components
        embedding = make_pipeline(StandardScaler(), fit_mixture(T, best))
        last = OutputFisherRegressor(embedding, last, block_wise=True)
    regions = JackknifePlus(last).fit(X[known], Y)
    shown_intervals = np.array(answer["intervals"])
    assert len(shown_intervals) == np.sum(~known) > 0
    assert_allclose(shown_intervals[:, :, 0], regions.predict(X[~known]), **EXACT)
    assert_allclose(shown_intervals[:, :, 1:], regions.predict_interval(X[~known]), **EXACT)

    # each row with outputs from the others, in fits that have kernel and ridge parameter of all
    ridge = KernelRidgeCV("fixed", kernel=kind).fit(X[known], T)
    fixed = KernelRidgeCV(kernel=kind, gamma=ridge.gamma_, alphas=ridge.alphas_)
    models = [fixed] * 5
    if components:
        seen = [T[np.arange(len(T)) % 5 != fold] for fold in range(5)]
        models = [
            OutputFisherRegressor(fit_mixture(part, best), fixed, block_wise=True) for part in seen
        ]
    alphas = [chosen_alphas(clone(model).fit(X[known], T)) for model in models]
    rows, ends = left_out_intervals(lambda fold: models[fold], alphas, X[known], T)
    assert len(rows) > len(T) / 2
    left_out = np.array(answer["leftOut"])
    assert_allclose(
        left_out[rows, :, 1:], ends * Y.std(axis=0)[:, None] + Y.mean(axis=0)[:, None], **EXACT
    )
    predicted = T - ridge.loo_residuals_
    if components:
        predicted = left_out_predictions(X[known], T, kind, best)
    assert_allclose(left_out[:, :, 0], predicted * Y.std(axis=0) + Y.mean(axis=0), **EXACT)

    names = run_lines(name, text)
    assert_lines_give(names, answer)
    assert_allclose(names["new_predicted"], shown_intervals[:, :, 0], **EXACT)
    assert_allclose(names["low_high"], shown_intervals[:, :, 1:], **EXACT)

    verdict = own.root.locator(".verdict").inner_text()
    assert ("helps here" in verdict) == answer["helps"]
    assert own.page.evaluate("document.documentElement.scrollWidth") == 390
    for theme in ("light", "dark"):
        own.page.evaluate(THEME, theme)
        assert faults(own.page) == []

    with own.page.expect_download() as started:
        own.root.get_by_role("link", name="Download").click()
    written = pd.read_csv(started.value.path(), **options)
    assert (written["row"] == np.arange(len(table)) + 2).all()  # as a spreadsheet counts
    parts = written.drop(columns="row").to_numpy().reshape(len(table), len(outputs), 4)
    assert_allclose(parts[:, :, 0], table[outputs], **EXACT)
    assert_allclose(parts[known, :, 1:], left_out, **EXACT)
    assert_allclose(parts[~known, :, 1:], shown_intervals, **EXACT)


@pytest.mark.html
def test_bad_files_are_told_what_is_wrong(own):
    for content, told in BAD.values():
        own.drop("table.csv", content)
        own.root.get_by_role("alert").get_by_text(told).wait_for()
        assert not own.button("Compute").is_visible()


@pytest.mark.html
def test_bad_outputs_are_told_what_is_wrong(own):
    for content, told in BAD_OUTPUTS.values():
        own.drop("table.csv", content)
        own.button("Compute").click()
        alert = own.root.get_by_role("alert")
        alert.get_by_text(told).wait_for()
        button, problem = (node.bounding_box() for node in (own.button("Compute"), alert))
        assert 0 < problem["y"] - button["y"] < 100
        assert problem["y"] + problem["height"] <= 800  # of the window


@pytest.mark.html
@pytest.mark.parametrize(("others", "counts"), [((2,), []), ((2, 3) * 5, [2, 3])])
@WARNINGS
def test_outputs_of_few_values_have_few_mixtures_or_none(own, run_lines, others, counts):
    y = [1] * (30 - len(others)) + [*others]
    table = "a,y\n" + "".join(f"{i * i},{value}\n" for i, value in enumerate(y))
    own.drop("few.csv", table.encode())
    answer = own.compute()
    assert answer["counts"] == counts
    assert_lines_give(run_lines("few.csv", table), answer)
    assert ("too few different values" in own.root.locator(".verdict").inner_text()) != bool(counts)
    assert own.root.locator(".comparison").is_visible() == bool(counts)


def many_rows(n):
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(n, 5)), columns=list("abcde"))
    table["e"] += table["a"]
    return table.to_csv(index=False).encode()


@pytest.mark.html
def test_the_page_answers_while_it_computes_and_stops(own):
    own.drop("many.csv", many_rows(700))
    own.button("Compute").click()
    own.root.get_by_text("ridge regression, rbf kernel …").wait_for()
    frames = own.page.evaluate(
        """() => new Promise(done => {
            let count = 0;
            const next = () => (count += 1) < 5 ? requestAnimationFrame(next) : done(count);
            next();
        })"""
    )
    assert frames == 5
    own.button("Stop").click()
    own.root.get_by_text("Stopped.").wait_for()
    assert own.page.evaluate("'answer' in ownData") is False
    assert own.button("Stop").is_disabled()
    assert own.button("Compute").is_enabled()


@pytest.mark.html
@WARNINGS
def test_of_many_rows_500_are_taken_by_chance(own, run_lines):
    assert own.page.evaluate("ownData.mostRows") == 500
    own.page.evaluate("ownData.mostRows = 50")  # the same with fewer
    own.drop("many.csv", many_rows(70))
    answers = [own.compute() for _ in range(2)]
    assert len(answers[0]["leftOut"]) == 50
    assert answers[0] == answers[1]
    assert own.root.get_by_text("a random choice of 70").is_visible()
    aside = own.root.get_by_role("region", name="rows that the page did not learn from")
    rows, why, what = aside.locator("tbody tr").inner_text().split("\t")
    left = [range(int(a), int(b or a) + 1) for a, b in re.findall(r"(\d+)(?: to (\d+))?", rows)]
    assert len({row for part in left for row in part}) == 20
    assert ("chance left these out" in why, what) == (True, "not used")
    assert_lines_give(run_lines("many.csv", many_rows(70).decode()), answers[0])


@pytest.mark.html
def test_rows_that_lack_outputs_are_named_with_their_columns(own):
    own.button("fields.csv").click()
    own.compute()
    aside = own.root.get_by_role("region", name="rows that the page did not learn from")
    found = [row.inner_text().split("\t") for row in aside.locator("tbody tr").all()]
    assert found == [
        ["13, 25, 37, 49, 61", "“crop_yield” and “crop_loss” are missing", "predicted"],
        ["22", "“crop_loss” is missing", "predicted"],
    ]


def curves(n, hours):
    """A table of two inputs and a curve of many outputs, whose last no input predicts."""
    rng = np.random.default_rng(3)
    inputs = rng.normal(size=(n, 2)).round(3)
    Y = np.sin(np.arange(hours) / 3 + inputs[:, :1]) + 0.3 * inputs[:, 1:]
    Y[:, -1] = rng.normal(size=n)
    table = pd.DataFrame(
        np.column_stack([inputs, Y.round(3)]),
        columns=["heat", "wind", *(f"h{k + 1}" for k in range(hours))],
    )
    table.loc[[4, 9], "h7"] = np.nan
    table.loc[6, "h1":] = np.nan
    return table.to_csv(index=False, sep=";")


@pytest.mark.html
@WARNINGS
def test_many_outputs_have_one_menu_curves_and_a_table(own, faults, run_lines):
    own.page.set_viewport_size({"width": 390, "height": 800})
    own.drop("curves.csv", curves(60, 24).encode())
    own.root.get_by_text("Entries are separated by semicolons.").wait_for()
    assert own.root.locator("select >> visible=true").count() == 3
    proposal = own.root.locator(".proposal").inner_text()
    assert proposal.startswith(
        "Outputs: the last column of numbers, “h24”, and with it 23 others from “h1” on,"
    )
    answer = own.compute()
    assert_lines_give(run_lines("curves.csv", curves(60, 24)), answer)
    each = own.root.get_by_role("region", name="errors of each output")
    assert each.locator("tbody tr").count() == 24
    told = own.root.locator(".answer > .outputs").inner_text()
    assert "“h24” is predicted worse than by its mean, whose error is 1.0" in told
    aside = own.root.get_by_role("region", name="rows that the page did not learn from")
    found = [row.inner_text().split("\t")[:2] for row in aside.locator("tbody tr").all()]
    assert found == [["6, 11", "“h7” is missing"], ["8", "all 24 outputs are missing"]]
    row = own.root.get_by_label("row to show")
    for chosen, lines in (("2", ["observed", "predicted"]), ("8, lacks outputs", ["predicted"])):
        row.select_option(label=chosen)
        picture = own.root.get_by_label(f"Outputs of row {chosen[0]}").locator("..")
        assert [key.split(",")[0] for key in picture.locator("li").all_inner_texts()] == lines
        assert picture.locator(".curve").count() == len(lines)
    assert own.page.evaluate("document.documentElement.scrollWidth") == 390
    # The theme's button for the way back fades while colours change.
    own.page.add_style_tag(content="#pst-back-to-top { display: none !important; }")
    for theme in ("light", "dark"):
        own.page.evaluate(THEME, theme)
        assert faults(own.page) == []

    together = own.root.get_by_label("what h1 to h24 is")
    together.select_option("none")
    own.button("Compute").click()
    own.root.get_by_text("Choose a column as output.").wait_for()
    own.button("one by one").click()
    columns = own.root.get_by_role("region", name="columns", exact=True)
    assert columns.locator("select >> visible=true").count() == 26
    own.choose(["h2", "h3"])
    assert len(own.compute()["methods"][0]["each"]) == 2


ROLES = {  # names, those proposed as outputs
    "numbers": (["a", "y1", "y2", "y3"], ["y1", "y2", "y3"]),
    "prefix": (["a", "b", "out_a", "out_b"], ["out_a", "out_b"]),
    "suffix": (["a", "heat target", "b", "cold target"], ["heat target", "cold target"]),
    "units": (["length_mm", "b", "c", "width_mm"], ["width_mm"]),
    "no input left": (["x1", "x2", "x3", "x4"], ["x4"]),
    "none": (["a", "b", "c", "yield"], ["yield"]),
}


@pytest.mark.html
@pytest.mark.parametrize(("names", "outputs"), ROLES.values(), ids=ROLES)
def test_siblings_of_the_last_column_are_proposed_as_outputs(own, names, outputs):
    own.drop("table.csv", (",".join(names) + "\n" + "1,2,3,4\n4,3,2,1\n").encode())
    controls = [own.root.get_by_label(f"what {name} is", exact=True) for name in names]
    roles = [control.input_value() for control in controls]
    assert [name for name, role in zip(names, roles, strict=True) if role == "output"] == outputs
    told = own.root.locator(".proposal").inner_text()
    assert all(f"“{name}”" in told for name in outputs)
    assert ("follow one pattern" in told) == (len(outputs) > 1)


@pytest.mark.html
@WARNINGS
def test_codes_of_missing_entries_and_dates_are_known(own, run_lines):
    codes = ["", "NA", "n.a.", "N/A", "nan", "NULL", "?", "-", "na", "NaN"]
    dates = ["2024-01-31", "31.1.2024", "1/31/24", "2024-01-31T10:00"]
    lines = ["day,kind,a,b,y"]
    for i in range(40):
        number = codes[i // 3] if i % 3 == 0 and i < 30 else i % 5
        cells = ["red" if i % 2 else "None", i * i % 7, number, i % 11]
        lines.append(",".join(map(str, [dates[i % 4], *cells])))
    text = "\n".join([*lines, "2024-02-01,red,1,2,?\n"])
    own.drop("codes.csv", text.encode())
    own.root.locator(".proposal").wait_for()  # the file is read
    holds = [row.inner_text().split("\t")[1:3] for row in own.root.locator("tbody tr").all()]
    assert holds[:4] == [["dates", "0"], ["2 texts", "0"], ["numbers", "0"], ["numbers", "10"]]
    assert "Dates are left out: “day”." in own.root.locator(".proposal").inner_text()
    answer = own.compute()
    names = run_lines("codes.csv", text)
    assert_lines_give(names, answer)
    assert_allclose(
        np.reshape(names["low_high"], (1, 1, 2)),
        np.array(answer["intervals"])[:, :, 1:],
        **EXACT,
    )


@pytest.mark.html
def test_complete_outputs_have_intervals_too(own):
    own.drop("table.csv", many_rows(40))
    assert own.root.locator("input[type=file]").evaluate("e => e.files[0].name") == "table.csv"
    answer = own.compute()
    assert answer["intervals"] == []
    region = own.root.get_by_role("region", name="intervals of rows with outputs")
    assert region.locator("tbody tr").count() == 10
    own.button("fields.csv").click()
    assert own.root.locator("input[type=file]").evaluate("e => e.files[0].name") == "fields.csv"


@pytest.mark.html
def test_inputs_that_tell_nothing_are_named(own):
    noise = np.random.default_rng(0).normal(size=(40, 3))
    own.drop("noise.csv", pd.DataFrame(noise, columns=list("abc")).to_csv(index=False).encode())
    assert not own.compute()["helps"]
    verdict = own.root.locator(".verdict").inner_text()
    assert verdict.startswith("The inputs do not predict the output: ")
    assert re.search(r"A mixture does not help here: its error is .* Take ridge reg", verdict)


def nasty_table(seed):
    """A file that is hard to read, and its column of outputs."""
    rng = np.random.default_rng(seed)
    n, sep = 24, ",;\t"[seed % 3]
    comma = sep != "," and rng.random() < 0.5
    unit, scale = 10.0 ** rng.integers(-60, 60, 2)
    a = rng.normal(size=n) * scale
    y = np.where(a + 0.5 * scale * rng.normal(size=n) > 0, np.pi, 1.0) * unit  # one quick mixture
    levels = [
        "TRUE",
        "FALSE",
        "1,2" if sep != "," else "b ",
        " ÄÖ\u00a0",
        "a\x1fb",
        "NA",
        "?",
        "0x1",
    ]
    columns = {
        " a ": a,
        "t": rng.choice(levels[: 2 + seed % 7], n),
        "t_TRUE": rng.integers(0, 9, n),  # as a level of the column t would be called
        "id\u00a0": [f"{rng.integers(1, 9)}{'7' * 25}" for _ in range(n)],
        'it"s': rng.choice(["", "-", "1.5E+3", "-.5", "+2.", "7"], n),
        "line\nend": rng.choice(['say "so"', f"x{sep}y", "two\r\nlines"], n),
        "y\t": y,
    }

    def write(cell, quoted):
        text = repr(float(cell)) if isinstance(cell, float) else str(cell)
        number = not isinstance(cell, str) or re.fullmatch(r"[-+]?[\d.]+(E\+3)?", text)
        text = text.replace(".", ",") if comma and number else text
        if quoted or any(sign in text for sign in (sep, '"', "\n", "\r")):
            return '"' + text.replace('"', '""') + '"' + " " * (rng.random() < 0.2)
        return " " * rng.integers(3) + text + " " * rng.integers(3)

    rows = zip(*columns.values(), strict=True)
    lines = [[write(cell, rng.random() < 0.2) for cell in row] for row in [columns, *rows]]
    ends = rng.choice(["\n", "\r\n", "\r", "\n\n", "\n  \n"], n + 1)
    text = "".join(sep.join(line) + end for line, end in zip(lines, ends, strict=True))
    return text.encode(["utf-8", "utf-8-sig", "cp1252"][rng.integers(3)]), y


@pytest.mark.html
@WARNINGS
@pytest.mark.parametrize("seed", range(6))
def test_lines_of_python_read_what_the_page_reads(own, run_lines, seed):
    content, y = nasty_table(seed)
    own.drop("nasty.csv", content)
    answer = own.compute()
    names = run_lines("nasty.csv", content)
    assert names["names"][0] == "a"
    assert_allclose(names["Y"][:, 0], y, rtol=1e-15)
    assert_lines_give(names, answer)


@pytest.mark.html
@WARNINGS
@pytest.mark.parametrize(
    ("sep", "quote", "says", "unit"),
    [
        ("\t", "", "1,250 is 1250", 1.0),
        (";", "", "1,250 is 1.25", 0.001),
        (",", '"', "1,250 is 1250", 1.0),
    ],
)
def test_commas_that_can_be_both_are_asked_about(own, run_lines, sep, quote, says, unit):
    y = 1000 * (1 + np.arange(20) // 3 % 2)
    text = f"a{sep}y\n" + "".join(f"{i % 7}{sep}{quote}{v:,}{quote}\n" for i, v in enumerate(y))
    own.drop("commas.csv", text.encode())
    own.root.get_by_role("alert").get_by_text("“1,000” (row 2, column “y”)").wait_for()
    assert not own.button("Compute").is_visible()
    own.button(says).click()
    answer = own.compute()
    names = run_lines("commas.csv", text)
    assert_allclose(names["Y"][:, 0], y * unit)
    assert_lines_give(names, answer)


COMMAS = {  # numbers that are read without a question, and the last of them
    "exponents": ("5,3E+3", 5300),
    "points and commas": ("1,234.5", 1234.5),
    "commas and points": ("1.234,5", 1234.5),
    "millions": ("1,000,000", 1e6),
    "a zero before": ("0,125", 0.125),
}


@pytest.mark.html
@WARNINGS
@pytest.mark.parametrize(("number", "value"), COMMAS.values(), ids=COMMAS)
def test_commas_that_can_be_one_thing_are_read_so(own, run_lines, number, value):
    text = "codes;a;y\n" + "".join(f"{'1,2' if i == 3 else 'u'};{i};{i % 2}\n" for i in range(20))
    text += f"u;3;{number}\n"
    own.drop("commas.csv", text.encode())
    answer = own.compute()
    names = run_lines("commas.csv", text)
    assert names["Y"][-1, 0] == value
    assert_lines_give(names, answer)
