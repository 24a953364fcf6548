"""Methods that see the same samples: drug activities, the identities, and other tasks."""

from reproduction.claims import KINDS, on_what
from reproduction.engine import get_experiment
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
from reproduction.statistics import read_paper


def _numbers_of_drugs():
    id, metric = "ofer-table-09", "rrmse"
    means, arrmse = means_of(id, metric), means_of(id, "arrmse")
    printed, ours = "OFER-GMM as printed", "OFER-GMM"
    plain = compare(id, printed, "m-KRR", metric)
    centred = compare(id, printed, "m-KRR centred", metric)
    of_ours = compare(id, ours, "m-KRR centred", metric)
    frame = frame_of(id)
    chosen = frame[(frame["metric"] == "n_components") & (frame["method"] == printed)]["value"]
    numbers = {
        "drugs-sizes": len(means),
        "drugs-ahead-of-plain": int(plain["ahead"].sum()),
        "drugs-surely-ahead-of-plain": int(plain["surely ahead"].sum()),
        "drugs-ahead-of-centred": int(centred["ahead"].sum()),
        "drugs-behind-centred": int(centred["behind"].sum()),
        "drugs-ours-ahead-of-centred": int(of_ours["ahead"].sum()),
        "drugs-one-component": percent((chosen == 1).mean()),
        "drugs-worst-ours": percent((means[ours] / means["m-KRR centred"] - 1).abs().max(), 1),
    }
    there = read_paper(id).query("metric == 'rrmse' and method == 'm-KRR'")
    there = there.set_index("setting")["mean"]
    for when, sizes in {"few": ["10", "20"], "late": ["100", "300", "500"]}.items():
        for name, method in {"plain": "m-KRR", "centred": "m-KRR centred"}.items():
            gap = (means.loc[sizes, method] - there[sizes]).abs().max()
            numbers[f"fit-{when}-{name}"] = f"{gap:.3f}"
    few, late = (
        {of: float(numbers[f"fit-{when}-{of}"]) for of in ("plain", "centred")}
        for when in ("few", "late")
    )
    told(few["plain"] > few["centred"], "with few molecules the printed baseline has an intercept")
    told(late["plain"] < late["centred"], "with many it has none")
    told(means < 0.5, "activities lie far from zero")
    cells = read_paper(id).set_index(["method", "setting"])["printed"]
    told(cells["IOKR"] == cells["m-KRR"], "IOKR and ridge regression are printed alike")
    told(list(centred.index[centred["behind"]]) == ["300", "500"], "worse from 300 molecules on")
    told(plain["ahead"], "the paper's form beats its baseline at every size")
    told(
        list(centred.index[centred["surely behind"]]) == ["300", "500"],
        "the sound test finds the same",
    )
    for reading in ("Tanimoto, intercept", "Gaussian, no intercept", "Gaussian, intercept"):
        for form in (printed, ours):
            pair = f"{form}, {reading}", f"m-KRR, {reading}"
            told(
                ~compare("ofer-readings-drugs", *pair, metric)["significant"],
                "one of four readings",
            )
    pair = f"{printed}, Tanimoto, no intercept", "m-KRR, Tanimoto, no intercept"
    told(compare("ofer-readings-drugs", *pair, metric)["ahead"], "ahead in that one, at every size")
    rivals = arrmse.drop(columns=["m-KRR", "IOKR"])
    told(rivals.loc[["10", "20"]] > 0.99, "with few molecules nothing beats the mean")
    told((means["m-RF"] < means[[printed, ours]].min(axis=1)), "the forest has the lower mean")
    in_readings = means_of("ofer-readings-drugs", metric)
    of_ofer = in_readings.filter(regex="^OFER.*, Tanimoto").min(axis=1)
    told(means["m-RF"] < of_ofer, "so it has in both readings with the Tanimoto kernel")
    few = in_readings.loc[["10", "20"]]
    told(few.min(axis=1) > 0.989 * few["training mean"], "no reading beats the mean by more")
    baselines = few.filter(regex="^m-KRR").gt(there[["10", "20"]] + 0.05, axis=0)
    told(
        list(baselines.columns[baselines.any()]) == ["m-KRR, Tanimoto, no intercept"]
        and baselines["m-KRR, Tanimoto, no intercept"].all(),
        "with few molecules one baseline alone is far above the printed one",
    )
    return numbers


def table():
    """Errors on drug activities, ours and, where it prints them, the paper's."""
    means = means_of("ofer-table-09", "rrmse")
    printed = read_paper("ofer-table-09").query("metric == 'rrmse'")
    printed = printed.pivot(index="setting", columns="method", values="mean")
    rows = {
        "ridge regression, no intercept": ("m-KRR", "m-KRR"),
        "ridge regression, intercept": ("m-KRR centred", None),
        "OFER (paper)": ("OFER-GMM as printed", "OFER-GMM"),
        "OFER (ours)": ("OFER-GMM", None),
        "random forest": ("m-RF", "m-RF"),
    }
    lines = [r"\begin{tabular}{@{}lrrrrr@{}}", r"\toprule", table_row("molecules", *SIZES)]
    lines.append(r"\midrule")
    for name, (ours, theirs) in rows.items():
        lines.append(table_row(name, *(f"{means.loc[size, ours]:.3f}" for size in SIZES)))
        if theirs:
            cells = (f"{printed.loc[size, theirs]:.2f}" for size in SIZES)
            lines.append(table_row(r"\quad in print", *cells))
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def _numbers_of_identities():
    means, reference = means_of("ofer-ablation", "rrmse"), "m-KRR centred"
    wide = frame_of("ofer-ablation").pivot(
        index=["setting", "split"], columns="method", values="value"
    )
    pairs = {"natural": "m-KRR", "natural, intercept": reference}
    gap = max((wide[a] / wide[b] - 1).abs().max() for a, b in pairs.items())
    forms = [name for name in means.columns if name not in ("m-KRR", reference, "weak labels")]
    tests = {
        form: compare("ofer-ablation", form, reference, "rrmse") for form in [*forms, "weak labels"]
    }
    weak, behind = tests["weak labels"]["ahead"], tests["weak labels"]["behind"]
    harm = compare("ofer-ablation", "weak labels", "defaults", "rrmse")["behind"]
    small = "D2 clean 60"
    exact = means["exact pre-image"] / means["defaults"]
    numbers = {
        "ablation-tasks": len(means),
        "ablation-forms": len(forms),
        "ablation-ahead": int(sum(tests[form]["ahead"].sum() for form in forms)),
        "ablation-weak-ahead": int(weak.sum()),
        "ablation-weak-behind": int(behind.sum()),
        "ablation-weak-harm": percent(
            means.loc[small, "weak labels"] / means.loc[small, "defaults"] - 1
        ),
        "ablation-printed-worse": int((means["as printed"] > means[reference]).sum()),
        "ablation-exact-worse": int((exact > 1).sum()),
        "ablation-worst": f"{wide['as printed'].max():.1f}",
    }
    told(gap < 1e-9, "the identities hold to all digits that are stored")
    told(weak.index[weak].str.startswith("NCI-60"), "weak labels help on drugs")
    told(behind.index[behind].str.startswith("D2 clean"), "weak labels lose on clean inputs")
    told(list(harm.index[harm]) == [small], "weak labels do harm on the smaller clean task")
    clean = means.index.str.startswith("D2 clean")
    blocks = means["ridges by block"] / means[reference] - 1
    told(blocks[clean] > 0.1, "a ridge parameter per block does harm on clean data")
    told(blocks[~clean].abs() < 0.02, "and next to nothing elsewhere")
    return numbers


def _numbers_elsewhere():
    """Series, traits, images, tables of several targets, tags."""
    observed = means_of("ofer-table-05", "rrmse observed")
    series = compare("ofer-table-05", "OFER-GSSM", "m-KRR", "rrmse observed")
    gain = 1 - observed["OFER-GSSM"] / observed["m-KRR"]
    kalman = 1 - observed["Kalman fitted"] / observed["OFER-GSSM"]
    tables = means_of("ofer-mtr", "arrmse")
    apart = compare("ofer-mtr", "OFER-GMM", "m-KRR centred", "arrmse", USUAL)
    traits = means_of("ofer-table-07", "rrmse")[lambda means: means.index.isin(["1", "2"])]
    tags = means_of("after-bibtex", "f1").max()  # each system has one setting
    authors = {"IOKR", "SIOKR", "ISOKR", "SISOKR"}
    printed = read_paper("after-bibtex").set_index("method")["mean"]
    numbers = {
        "series-sizes": len(observed),
        "series-ahead": int(series["ahead"].sum()),
        "series-least-gain": percent(gain.min(), 1),
        "series-most-gain": percent(gain.max(), 1),
        "series-kalman-least": percent(kalman.min(), 1),
        "series-kalman-most": percent(kalman.max(), 1),
        "multi-target-sets": len(tables),
        "multi-target-apart": int(apart["significant"].sum()),
        "tags-systems": len(authors),
        "tags-gap": f"{max(abs(tags[name] - printed[name]) for name in authors):.1f}",
        "tags-lead": f"{tags['ridge, threshold, one tag'] - tags['IOKR']:.1f}",
        "tags-tuned": f"{_tags_tuned() - tags['IOKR']:.1f}",
    }
    told(kalman > 0, "a Kalman forecast has the lower error")
    told((observed["OFER-GSSM as printed"] > observed["m-KRR"]), "the printed form is behind")
    told(traits.drop(columns="mean").gt(traits["mean"], axis=0), "traits: worse than the mean")
    for form, ridge in {"OFER-GMM as printed": "m-KRR", "OFER-GMM": "m-KRR centred"}.items():
        told(
            ~compare("ofer-table-07", form, ridge, "rrmse")["significant"], "traits: no difference"
        )
    readings = means_of("ofer-readings-traits", "rrmse").loc[["1", "2"]]
    told(
        readings.drop(columns="training mean").gt(readings["training mean"], axis=0),
        "traits: worse than the mean in every reading",
    )
    for kernel in ("Gaussian of median width", "Gaussian, width by folds", "linear"):
        for intercept in ("intercept", "no intercept"):
            form, ridge = (
                f"{name}, {kernel}, {intercept}" for name in ("OFER-GMM as printed", "m-KRR")
            )
            tests = compare("ofer-readings-traits", form, ridge, "rrmse").loc[["1", "2"]]
            only = ["2"] if (kernel, intercept) == ("linear", "no intercept") else []
            told(list(tests.index[tests["ahead"]]) == only, "traits: ahead in one reading alone")
            told(~tests["behind"], "traits: behind in none")
            if only:
                lead = 1 - readings.loc["2", form] / readings.loc["2", ridge]
                numbers["traits-linear-lead"] = percent(lead)
    told(on_what(get_experiment("after-bibtex")).kind == KINDS["faithful"], "tags: own data")
    for id in ("ofer-table-11", "ofer-table-12"):
        accuracy = means_of(id, "accuracy")
        ofer = accuracy.filter(regex="^OFER").max(axis=1)
        told(ofer < accuracy[["m-SVM", "one-hot ridge"]].min(axis=1), "images: OFER is behind")
    return numbers


def _tags_tuned():
    return means_of("after-bibtex-leads", "f1")["IOKR, form chosen"].iloc[0]


NUMBERS = [_numbers_of_drugs, _numbers_of_identities, _numbers_elsewhere]
