import pandas as pd
import pytest

from reproduction.statistics import ordering_verdict


def paired(differences, significant):
    index = [str(size) for size in range(len(differences))]
    return pd.DataFrame({"difference": differences, "significant": significant}, index=index)


@pytest.mark.parametrize(
    ("differences", "significant", "word", "holds", "opposite"),
    [
        ([-1.0, -2.0], [True, True], "reproduced", ("0", "1"), ()),
        ([-1.0, -2.0], [True, False], "partly", ("0",), ()),
        ([-1.0, 2.0], [True, True], "partly", ("0",), ("1",)),
        ([-1.0, -2.0], [False, False], "not reproduced", (), ()),
        ([1.0, 2.0], [True, False], "not reproduced", (), ("0",)),
        ([0.0, 0.0], [False, False], "not reproduced", (), ()),
    ],
)
def test_words(differences, significant, word, holds, opposite):
    tests = paired(differences, significant)
    assert ordering_verdict(tests, ["0", "1"]) == (word, holds, opposite)
    mirrored = tests.assign(difference=-tests["difference"])
    assert ordering_verdict(mirrored, ["0", "1"], lower_is_better=False).word == word
