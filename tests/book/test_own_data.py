"""The page that takes a table, against the package's numbers."""

import hashlib

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
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
EXAMPLES = {  # how Python reads them, their outputs, and the components that help
    "batches.csv": ({}, ["strength", "colour"], 2),
    "ertrag.csv": ({"sep": ";", "decimal": ","}, ["Ertrag"], 0),
    "fields.csv": ({}, ["yield", "loss"], 0),
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
    "a text": (f"a,b,c\n{GOOD}1,two,3\n".encode(), "Row 14, column “b”: “two” is no number."),
    "infinite": (f"a,b,c\n{GOOD}1,-inf,3\n".encode(), "Row 14, column “b”: “-inf” is no finite"),
    "too large": (f"a,b,c\n{GOOD}1,1e999,3\n".encode(), "Row 14, column “b”: “1e999” is no finite"),
    "quotes": (f'a,b,c\n{GOOD}1,"2,3\n'.encode(), "Row 14: a quotation mark is not closed."),
}
# What is told when the outputs have been chosen.
BAD_OUTPUTS = {
    "few rows": (b"a,b\n1,2\n3,1\n", "2 rows with all outputs: at least 10 are needed."),
    "constant": (
        b"a,b\n" + b"1,2\n3,2\n" * 6,
        "Output column “b” is constant: all its entries are 2.",
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


def left_out_errors(X, Y, kernel, count):
    """Squared errors of each row by a mixture that has not seen its fold."""
    errors = np.empty(Y.shape)
    for fold in range(5):
        left = np.arange(len(Y)) % 5 == fold
        model = OutputFisherRegressor(fit_mixture(Y[~left], count), KernelRidgeCV(kernel=kernel))
        errors[left] = np.square(model.fit(X, Y).loo_predict() - Y)[left]
    return errors.mean(axis=1)


@pytest.mark.html
@pytest.mark.filterwarnings(
    "ignore:component:UserWarning",
    "ignore:EM stopped:UserWarning",
    "ignore:alphas should have:UserWarning",
)
@pytest.mark.parametrize("name", EXAMPLES)
def test_numbers_are_those_of_the_package(own, faults, tmp_path, monkeypatch, name):
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
        ridge = KernelRidgeCV(kernel=kernel).fit(X[known], T)
        method = shown[f"ridge regression, {kernel}"]
        errors[kernel] = np.square(ridge.loo_residuals_).mean(axis=1)
        assert_allclose(method["alpha"], ridge.alpha_, **EXACT)
        assert_allclose(method["mean"], errors[kernel].mean(), **EXACT)
        spread = errors[kernel].std(ddof=1) / np.sqrt(len(T))
        assert_allclose(method["error"], spread, **EXACT)
    kind = min(errors, key=lambda kernel: errors[kernel].mean())
    assert answer["kind"] == kind
    gains = {}
    for count in (2, 3, 4, 6, 8):
        found = left_out_errors(X[known], T, kind, count)
        assert_allclose(shown[f"OFER, {count} components"]["mean"], found.mean(), **EXACT)
        gains[count] = errors[kind] - found
    best = max(gains, key=lambda count: gains[count].mean())
    asked = 2 * gains[best].std(ddof=1) / np.sqrt(len(T))
    assert answer["helps"] == (gains[best].mean() > asked) == bool(components)
    assert answer["best"] == f"OFER, {best} components"

    last = KernelRidgeCV(kernel=kind)
    if components:
        assert best == components
        embedding = make_pipeline(StandardScaler(), fit_mixture(T, best))
        last = OutputFisherRegressor(embedding, last)
    regions = JackknifePlus(last).fit(X[known], Y)
    shown_intervals = np.array(answer["intervals"])
    assert len(shown_intervals) == np.sum(~known) > 0
    assert_allclose(shown_intervals[:, :, 0], regions.predict(X[~known]), **EXACT)
    assert_allclose(shown_intervals[:, :, 1:], regions.predict_interval(X[~known]), **EXACT)

    lines = own.root.locator("pre").inner_text()
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(compile(lines, "the page's lines", "exec"), names)
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
    assert (written["row"] == np.flatnonzero(~known) + 2).all()  # as a spreadsheet counts
    flat = shown_intervals.reshape(len(written), -1)
    assert_allclose(written.drop(columns="row").to_numpy(), flat, **EXACT)


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
        own.root.get_by_role("alert").get_by_text(told).wait_for()


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
def test_of_many_rows_500_are_taken_by_chance(own):
    own.drop("many.csv", many_rows(700))
    assert len(own.compute()["predicted"]) == 500
    assert own.root.get_by_text("a random choice of 700").is_visible()
