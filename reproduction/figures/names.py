"""Names as figures, tables and cards show them; stored tables and code keep the ids."""

import re

__all__ = ["method_name", "setting_name", "starts_with_method", "table_name"]

# Methods that the book runs in two forms. What stands apart by a parenthesis is named already,
# "OFER, journal" is a paper, and "OFER Table 9" a table of it.
_ID = re.compile(
    r"(?<![\w-])"
    r"((?>w?OFER(?:-GMM|-GSSM|-CV|\+\d+)?(?: \d-GMM)?|FKL|SSLSOP|I?KLTGP|SMTGP"
    r"|(?:kNN|ridge) (?:Kemeny|Hamming|Lehmer)))"
    r"(?![\w+-]| \(| Table|, journal|, short| as released)"
    r"( as printed)?(?: (?=wide|exact|smoothed|shuffled|forest))?"
)
_METHODS = {"as printed": "paper's form", "gain": "choosing by gain"}
_SETTINGS = {"papers": "articles"}  # Cora, beside the papers that the book re-runs
_WORDS = re.compile(r"\w+")
_OF_PAPERS = {"esann": "Short version,", "after": "Later work,", "ranking": "Label ranking,"}


def method_name(text):
    """Say of each method in a label whose form it is: the paper's, or ours; other words stay.

    Examples
    --------
    >>> method_name("OFER-GMM as printed, C > 1")
    'OFER-GMM (paper), C > 1'
    >>> method_name("wOFER+800 shuffled − OFER-GMM")
    'wOFER+800 (ours), shuffled − OFER-GMM (ours)'
    >>> method_name("k = 5, as printed")
    'k = 5 (paper)'
    >>> method_name(method_name("OFER 2-GMM as printed − m-KRR"))
    'OFER 2-GMM (paper) − m-KRR'
    """
    if text in _METHODS:
        return _METHODS[text]
    return _ID.sub(_named, text).replace(", as printed", " (paper)")


def setting_name(text):
    """Say of each setting in a label what it is, where its id says it badly; other words stay.

    Examples
    --------
    >>> setting_name("undecided at scenes, papers")
    'undecided at scenes, articles'
    """
    return _WORDS.sub(lambda match: _SETTINGS.get(match[0], match[0]), text)


def starts_with_method(text):
    """Whether a text is a name of methods, rather than words that mention one."""
    return _ID.match(text) is not None


def table_name(id):
    """Name of a stored or printed table, from its id; other words stay.

    Examples
    --------
    >>> table_name("toy-table-09")
    'TOY Table 9'
    """
    if not re.fullmatch(r"[a-z]+(-[a-z0-9]+)+", id):
        return id
    paper, _, rest = id.partition("-")
    name = _OF_PAPERS.get(paper, paper.upper())
    return f"{name} {re.sub('table-0*', 'Table ', rest)}"


def _named(match):
    rest = ", " if match[0].endswith(" ") else ""
    return f"{match[1]} ({'paper' if match[2] else 'ours'}){rest}"
