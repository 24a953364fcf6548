"""Weak labels of the paper's four tables, and labels that leave classes open."""

from functools import cache

import numpy as np

from reproduction.report.claims import outcome_of
from reproduction.report.stored import (
    SIZES,
    USUAL,
    compare,
    frame_of,
    means_of,
    percent,
    table_row,
    told,
)
from reproduction.statistics import percent_change

WEAK = {
    # task, metric, settings, form with weak labels, what one does by hand
    "ofer-table-08": ("Traits", "rrmse", ["1", "2"], "wOFER+2500", "m-KRR imputed+2500"),
    "ofer-table-10": ("Drugs", "rrmse", [*SIZES], "wOFER+800", "m-KRR imputed+800"),
    "ofer-table-13": ("Caltech-101", "accuracy", None, "wOFER+2500", "one-hot ridge+2500 imputed"),
    "ofer-table-14": ("Animals", "accuracy", None, "wOFER+2500", "one-hot ridge+2500 imputed"),
}

CLAIMS = {
    "ofer-08-weak-labels-help": "undecided",
    "ofer-10-weak-labels-help": "depends on the reading",
    "ofer-13-weak-labels-help": "depends on the reading",
    "ofer-14-weak-labels-help": "not comparable",
}
"""What the text says of the paper's claims that weak labels help."""


@cache
def _weak_row(id):
    """How often weak labels help, by whom and against what."""
    task, metric, settings, weak, by_hand = WEAK[id]
    without = "OFER-GMM"
    wide = "wOFER+2500 wide" if metric == "accuracy" else weak
    pairs = {
        "ours": (weak, without),
        "printed": (f"{weak} as printed", f"{without} as printed"),
        "shuffled": (weak, f"{weak} shuffled"),
        "by hand": (by_hand, wide),
    }
    return task, {
        name: compare(id, *pair, metric, settings=settings) for name, pair in pairs.items()
    }


def _numbers_of_weak_labels():
    numbers = {}
    names = "rows", "ours", "printed", "shuffled", "sure", "sure-shuffled"
    of_hand = "hand", "hand-behind", "hand-mean", "hand-sure"
    total = dict.fromkeys([*names, *of_hand], 0)
    for id, (_, metric, *_) in WEAK.items():
        _, tests = _weak_row(id)
        hand, sign = tests["by hand"], 1 if metric == "accuracy" else -1
        total["rows"] += len(tests["ours"])
        for name in ("ours", "printed", "shuffled"):
            total[name] += int(tests[name]["ahead"].sum())
        total["hand"] += int(hand["ahead"].sum())
        total["hand-behind"] += int(hand["behind"].sum())
        total["hand-mean"] += int((sign * hand["difference"] > 0).sum())
        total["hand-sure"] += int((hand["surely ahead"] | hand["surely behind"]).sum())
        total["sure"] += int(tests["ours"]["surely ahead"].sum())
        total["sure-shuffled"] += int(tests["shuffled"]["surely ahead"].sum())
    numbers |= {f"weak-{name}": count for name, count in total.items()}
    told(total["hand-sure"] < total["hand"] + total["hand-behind"], "few differences are sure")
    drugs = _weak_row("ofer-table-10")[1]
    frame, ten = frame_of("ofer-table-10"), "100"
    steps = {
        "weak": ("OFER-GMM", "wOFER+800"),
        "shuffled": ("OFER-GMM", "wOFER+800 shuffled"),
        "by-hand": ("m-KRR centred", "m-KRR imputed+800"),
        "printed": ("OFER-GMM as printed", "wOFER+800 as printed"),
    }
    for name, (old, new) in steps.items():
        change = percent_change(frame, old, new, metric="rrmse", setting=ten)
        numbers[f"weak-change-{name}"] = f"{change.mean():+.1f}".replace("-", "$-$") + "\\,\\%"
    hand = compare("ofer-table-10", "m-KRR imputed+800", "m-KRR centred", "rrmse")
    numbers["drugs-hand-ahead-of-centred"] = int(hand["ahead"].sum())
    numbers["drugs-hand-surely-ahead"] = int(hand["surely ahead"].sum())
    numbers["drugs-hand-ahead-of-weak"] = int(drugs["by hand"]["ahead"].sum())
    numbers["drugs-weak-printed-ahead"] = int(drugs["printed"]["ahead"].sum())
    few = compare("ofer-table-10", "wOFER+100", "OFER-GMM", "rrmse")
    numbers["drugs-few-ahead"] = int(few["ahead"].sum())
    shuffled = compare("ofer-table-10", "wOFER+800 shuffled", "OFER-GMM", "rrmse")
    told(~shuffled["behind"] & (shuffled["difference"].abs() < 0.005), "shuffled: no effect")
    told(drugs["ours"]["ahead"], "drugs: weak labels help at every size")
    told(~drugs["by hand"]["behind"], "drugs: by hand nowhere significantly behind")
    objects, animals = (_weak_row(id)[1]["by hand"] for id in ("ofer-table-13", "ofer-table-14"))
    told(list(objects.index[objects["behind"]]) == ["1", "2"], "Caltech: one and two images")
    told(~animals["behind"], "AwA: by hand nowhere significantly behind")
    numbers["images-rows"] = len(objects) + len(animals)
    means_ahead = (objects["difference"] > 0).sum() + (animals["difference"] > 0).sum()
    numbers["images-hand-mean-ahead"] = int(means_ahead)
    wide = [
        compare(id, "wOFER+2500 wide", "OFER-GMM wide", "accuracy")["surely ahead"].sum()
        for id in ("ofer-table-13", "ofer-table-14")
    ]
    numbers["wide-sure"] = int(sum(wide))
    printed = max(
        means_of(id, "accuracy").filter(like=" as printed").max(axis=None)
        for id in ("ofer-table-14", "ofer-readings-14-choice")
    )
    numbers["animals-printed-most"] = f"{np.ceil(printed):.0f}\\,\\%"
    frame = frame_of("ofer-table-13").query("method == 'wOFER+2500 as printed'")
    chosen = frame.loc[frame["metric"] == "n_components", "value"]
    numbers["objects-one-component"] = percent((chosen == 1).mean())
    traits = means_of("ofer-table-08", "rrmse").loc[["1", "2"]]
    told(traits["wOFER+2500"] > 0.995 * traits["mean"], "traits: the training mean at best")
    for id, word in CLAIMS.items():
        told(outcome_of(id) == word, f"{id} {word}")
    means = means_of("ofer-table-13", "accuracy").loc["1"]
    numbers["objects-wide-one"] = f"{means['wOFER+2500 wide']:.0f}"
    numbers["objects-hand-one"] = f"{means['one-hot ridge+2500 imputed']:.0f}"
    return numbers


def _numbers_of_open_classes():
    id, numbers = "ofer-weak-small", {}
    accuracy = means_of(id, "accuracy")
    names = {
        "labelled": "labelled only", "refit": "restrict and refit", "aggd": "PL-AGGD"
    }  # fmt: skip
    for name, rival in names.items():
        tests = compare(id, "gain", rival, "accuracy", USUAL)
        for what in ("ahead", "behind", "surely ahead", "surely behind"):
            numbers[f"open-{name}-{what.replace(' ', '-')}"] = int(tests[what].sum())
    told(numbers["open-aggd-ahead"] == numbers["open-aggd-behind"], "PL-AGGD is level")
    sure = numbers["open-aggd-surely-ahead"] + numbers["open-aggd-surely-behind"]
    told(sure == 0, "PL-AGGD is level by the sound test, too")
    numbers["open-settings"] = len(accuracy)
    numbers["open-lead"] = f"{(accuracy['gain'] - accuracy['restrict and refit']).mean():.1f}"
    numbers["open-lead-aggd"] = f"{(accuracy['gain'] - accuracy['PL-AGGD']).mean():.1f}"
    best = accuracy.mean().drop(["gain", "best parameter (oracle)", "all known"])
    told(best.idxmax() == "PL-AGGD", "PL-AGGD is the best rival on average")
    digits = accuracy.loc["digits two 1"]
    for name, method in (names | {"gain": "gain", "known": "all known"}).items():
        numbers[f"open-one-{name}"] = f"{digits[method]:.0f}\\,\\%"
    real = compare("ofer-partial-labels", "gain", "restrict and refit", "accuracy", USUAL)
    numbers["real-settings"] = len(real)
    numbers["real-surely-ahead"] = int(real["surely ahead"].sum())
    rows, ahead, sure = 0, 0, 0
    bounds = {"gain", "weak labels", "best parameter (oracle)", "all known"}
    for table in ("weak-small", "partial-labels", "weak-awa", "weak-caltech101"):
        means = means_of(f"ofer-{table}", "accuracy")
        rows += len(means)
        for rival in means.columns.difference([*bounds]):
            tests = compare(f"ofer-{table}", "gain", rival, "accuracy", USUAL)
            ahead += int(tests["behind"].sum())
            sure += int(tests["surely behind"].sum())
    numbers |= {"open-all-settings": rows, "open-rivals-ahead": ahead, "open-rivals-surely": sure}
    guards = frame_of("ofer-weak-safeguards")
    used = guards[(guards["metric"] == "used") & (guards["method"] == "gain")]
    wrong = used[used["setting"].str.endswith("shuffled")]["value"]
    numbers["open-shuffled-fits"] = len(wrong)
    numbers["open-shuffled-used"] = int(wrong.sum())
    ten = accuracy.index.str.endswith(" 10")
    lead = (accuracy["gain"] - accuracy["restrict and refit"])[ten].abs().max()
    numbers["open-lead-ten"] = f"{lead:.1f}"
    return numbers


def table():
    """In how many rows weak labels help, in which form and against what."""
    lines = [
        r"\begin{tabular}{@{}lrrrrrrrr@{}}", r"\toprule",
        r" & & \multicolumn{2}{c}{our form} & printed & \multicolumn{2}{c}{true beats shuffled}"
        r" & \multicolumn{2}{c}{by hand} \\",
        r"\cmidrule(lr){3-4}\cmidrule(lr){6-7}\cmidrule(l){8-9}",
        r"task & rows & Student & sound & Student & Student & sound & better & worse \\",
        r"\midrule",
    ]  # fmt: skip
    for id in WEAK:
        task, tests = _weak_row(id)
        ours, printed, shuffled, hand = tests.values()
        counts = (
            len(ours), ours["ahead"].sum(), ours["surely ahead"].sum(), printed["ahead"].sum(),
            shuffled["ahead"].sum(), shuffled["surely ahead"].sum(), hand["ahead"].sum(),
            hand["behind"].sum(),
        )  # fmt: skip
        lines.append(table_row(task, *counts))
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


NUMBERS = [_numbers_of_weak_labels, _numbers_of_open_classes]
