"""Names that readers see, and the ids of stored tables that they stand for."""

import pytest

from reproduction.engine import get_experiment, list_experiments
from reproduction.figures.names import (
    method_name,
    setting_name,
    starts_with_method,
    table_name,
)


@pytest.mark.parametrize(
    ("id", "name"),
    [
        ("OFER-GMM as printed", "OFER-GMM (paper)"),
        ("OFER-GMM", "OFER-GMM (ours)"),
        ("OFER 2-GMM as printed", "OFER 2-GMM (paper)"),
        ("OFER-GMM wide", "OFER-GMM (ours), wide"),
        ("wOFER+800 as printed, shuffled", "wOFER+800 (paper), shuffled"),
        ("SSLSOP, outputs held", "SSLSOP (ours), outputs held"),
        ("IKLTGP / IKLTGP as printed", "IKLTGP (ours) / IKLTGP (paper)"),
        ("as printed", "paper's form"),
        ("k = 5, as printed", "k = 5 (paper)"),
        ("gain", "choosing by gain"),
        ("OFER Table 9", "OFER Table 9"),
        ("m-KRR centred", "m-KRR centred"),
        ("SMTGP (16)", "SMTGP (16)"),
        ("OFER, journal", "OFER, journal"),
    ],
)
def test_a_name_says_whose_form_it_is(id, name):
    assert method_name(id) == name


def test_no_two_methods_of_a_table_share_a_name_and_no_name_is_named_again():
    for table in list_experiments():
        names = [method_name(id) for id in get_experiment(table).methods]
        assert len({*names}) == len(names), table
        assert [method_name(name) for name in names] == names
        told = [name for name in names if name != "Lemma 4.1, integral as printed"]
        assert not any("as printed" in name for name in told), table


def test_words_that_mention_a_method_are_no_name():
    assert starts_with_method("OFER-GMM, wOFER+700")
    assert not starts_with_method("percent below KLTGP")


def test_a_data_set_of_articles_is_not_called_papers():
    assert setting_name("scenes and papers") == "scenes and articles"
    assert setting_name("Caltech-101, the paper's") == "Caltech-101, the paper's"


def test_names_of_tables():
    assert table_name("ofer-table-09") == "OFER Table 9"
    assert table_name("esann-table-01") == "Short version, Table 1"
    assert table_name("after-bibtex") == "Later work, bibtex"
    assert table_name("Table 9") == "Table 9"
