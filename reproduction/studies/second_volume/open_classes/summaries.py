"""Tables of the chapter: what weak labels leave open, and means with their spread."""

__all__ = ["plus_minus", "what_is_said"]


def what_is_said(table, prefix="", drop=""):
    """What the weak labels of a table say, a row for each kind."""
    said = table.frame[table.frame["method"] == "weak labels"]
    kind = prefix + said["setting"].str.replace(drop, "", regex=True)
    return said.assign(data=kind).pivot_table(
        index="data", columns="metric", values="value", sort=False
    )


def plus_minus(frame):
    """Mean and standard deviation of each column, in words for a table."""
    means = frame.mean().round(1) + 0.0  # no minus before a zero
    return [f"{m:.1f} ± {d:.1f}" for m, d in zip(means, frame.std(), strict=True)]
