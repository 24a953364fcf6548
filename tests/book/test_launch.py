"""One setting gives every chapter a button that opens it at a notebook service."""

import shutil

import jupytext
import pytest
import yaml
from bs4 import BeautifulSoup

from reproduction.pipeline.execute import BOOK, ROOT
from reproduction.pipeline.render import render


@pytest.fixture
def links(tmp_path):
    """A function that renders a chapter with the book's settings and an address: its links."""
    given = yaml.safe_load((ROOT / "_config.yml").read_text())
    kept = {name: given[name] for name in ("title", "repository", "launch_buttons")}
    kept["sphinx"] = {"local_extensions": {"launch": "book/_ext"}}
    kept["execute"] = given["execute"]
    book = tmp_path / "book"
    (book / "_ext").mkdir(parents=True)
    shutil.copy(BOOK / "_ext" / "launch.py", book / "_ext")
    (book / "_toc.yml").write_text("format: jb-book\nroot: page\n")
    notebook = jupytext.reads("# %% [markdown]\n# # A chapter\n\n# %%\n1 + 1\n", fmt="py:percent")
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    notebook.metadata["language_info"] = {"name": "python", "pygments_lexer": "ipython3"}
    jupytext.write(notebook, book / "page.ipynb")

    def links(address=None):
        if address is not None:
            kept["repository"]["url"] = address
        (tmp_path / "_config.yml").write_text(yaml.safe_dump(kept))
        html = tmp_path / "html"
        inputs = [tmp_path / "_config.yml", book / "page.ipynb"]
        assert render(book, html, tmp_path / "kept", inputs) == ""
        page = BeautifulSoup((html / "page.html").read_text(), "html.parser")
        return [link["href"] for link in page.find_all("a", href=True)]

    return links


def test_button_with_an_address(links):
    wanted = "https://mybinder.org/v2/gh/someone/ofer/main?urlpath=lab/tree/book/page.ipynb"
    assert wanted in links("https://github.com/someone/ofer")


def test_no_button_without(links):
    assert not any("mybinder" in link for link in links())
