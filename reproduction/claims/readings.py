"""A claim in every reading that its paper leaves open."""

from itertools import product

import pandas as pd

from reproduction.claims.decisions import DECIDERS, InReading, combine_readings
from reproduction.engine.catalogue import get_experiment, list_readings
from reproduction.engine.store import groups_of_table, load
from reproduction.statistics.effects import mean_effect
from reproduction.statistics.order import gap

__all__ = ["effects_in_readings", "named_methods", "over_readings", "read_again"]

_UNIT = ["setting", "split"]


def read_again(claim, decide_by, tables, frames):
    """Decide a claim once more in each reading of its table.

    The rows of the methods that a reading concerns are those of the reading, the others stay; all
    are restricted to the rows and splits that the reading has.

    Parameters
    ----------
    claim : Claim
        The claim.
    decide_by : callable
        ``decide_by(tables, **arguments) -> Decision``: its rule with the arguments of the ledger,
        of which some may be given anew.
    tables : dict of str to Table
        What the rule reads.
    frames : dict of str to DataFrame
        By id, the stored tables of readings.

    Returns
    -------
    readings : list of InReading
        In the declared order; those that concern no method of the claim, or lack one that they
        change, its metric or all of its rows, are left out, and those of a single split of a table
        of several, unless groups or counts of test objects decide.
    """
    main, arguments = claim.arguments["table"], claim.arguments
    named, decided = {*named_methods(arguments)}, []
    n_splits = tables[main].frame["split"].nunique()
    metrics = arguments.get("metrics") or [arguments.get("metric")]
    for id, frame in frames.items():
        frame = frame[frame["metric"].isin(metrics)]
        experiment = get_experiment(id)
        for readings in experiment.facts.readings:
            if readings.of != main or not named & {*readings.labels}:
                continue
            compared = named.union(arguments.get("others", ())) - {arguments.get("control")}
            if compared & {*readings.missing}:
                continue
            names = [dimension.name for dimension in readings.dimensions]
            seen = {frozenset()}  # a dimension of other methods makes no reading of this claim
            for choice in readings.choices:
                labels = readings.methods(choice, experiment.methods)
                pairs = frozenset((name, labels[name]) for name in named & {*labels})
                if pairs in seen:
                    continue
                seen.add(pairs)
                methods = {here: own for own, here in labels.items()}
                rows = frame[frame["method"].isin(methods)]
                rows = rows.assign(method=rows["method"].map(methods))
                table = _in_reading(tables[main].frame, rows, labels)
                given = _restricted(arguments, table)
                if not (named <= {*table["method"]} and given is not None):
                    continue
                groups = _groups_in_reading(tables[main].groups, id, methods, labels)
                by_objects = groups is not None or "n_test" in arguments
                if not by_objects and table["split"].nunique() < min(2, n_splits):
                    continue
                again = tables | {main: tables[main]._replace(frame=table, groups=groups)}
                decision = decide_by(again, **given)
                decided.append(InReading(dict(zip(names, choice, strict=True)), decision))
    return decided


def _groups_in_reading(groups, id, methods, replaced):
    """Values without groups of objects, of the methods of a reading and of the others."""
    values = groups_of_table(id)
    if groups is None or values is None:
        return None
    rows = values[values["method"].isin(methods)]
    rows = rows.assign(method=rows["method"].map(methods))
    return pd.concat([groups[~groups["method"].isin(replaced)], rows], ignore_index=True)


def effects_in_readings(id, methods, rival, *, setting, metric, level, within=None):
    """How far methods are from a rival in each reading of a table, for a specification curve.

    Parameters
    ----------
    id : str
        Of the table that is read.
    methods : sequence of str
        Some of its methods.
    rival : str
        What each is compared with, in the same reading.
    setting : str or sequence of str
        Rows.
    metric : str
        Which one.
    level : float
        One minus the confidence of the intervals, by Student's t-test over the splits.
    within : sequence of str, default=None
        Ids of the experiments whose readings are wanted; None means all that read the table.

    Returns
    -------
    effects : DataFrame
        A row for each reading, setting and method: ``value``, ``low`` and ``high``, in percent of
        the rival's mean, ``p``, and ``setting``. The default reading may be the table's own rows.
    choices : DataFrame of str
        The same rows: ``method``, and a column for each dimension. What an experiment does not
        vary has the default option.
    """
    stored, effects, choices, default = load(id)[0], [], [], {}
    settings = [setting] if isinstance(setting, str) else setting
    for other in list_readings(id) if within is None else within:
        experiment, frame = get_experiment(other), load(other)[0]
        for readings in experiment.facts.readings:
            if readings.of != id:
                continue
            names = [dimension.name for dimension in readings.dimensions]
            default |= dict(zip(names, readings.choices[0], strict=True))
            for choice in readings.choices:
                labels = readings.methods(choice, experiment.methods)
                if choices and not labels:
                    continue  # the table's own rows, which another experiment has as well
                known = {here: method for method, here in labels.items()}
                rows = frame[frame["method"].isin(known)]
                table = _in_reading(stored, rows.assign(method=rows["method"].map(known)), labels)
                table = table[table["metric"] == metric]
                for at, method in product(settings, methods):
                    rows = table[table["setting"] == at]
                    values = rows.pivot(index="split", columns="method", values="value")
                    apart, unit = gap(values[method], values[rival]), values[rival].mean() / 100
                    effect = mean_effect(apart.to_numpy(), unit=unit, level=level)
                    effects.append((effect.value, effect.low, effect.high, effect.p, at))
                    choices.append({"method": method} | dict(zip(names, choice, strict=True)))
    return (
        pd.DataFrame(effects, columns=["value", "low", "high", "p", "setting"]),
        pd.DataFrame(choices, columns=["method", *default]).fillna(default),
    )


def _in_reading(frame, rows, replaced):
    """A table with the rows of a reading in the place of its own, where all methods have some."""
    kept = frame[~frame["method"].isin(replaced)]
    if not rows.empty:
        methods = rows.groupby(_UNIT)["method"].nunique()
        units = methods[methods == rows["method"].nunique()].reset_index()[_UNIT]
        kept, rows = kept.merge(units, on=_UNIT), rows.merge(units, on=_UNIT)
    table = pd.concat([kept, rows], ignore_index=True)
    order = {setting: place for place, setting in enumerate(frame["setting"].unique())}
    return table[table["setting"].isin(order)].sort_values(
        "setting", key=lambda column: column.map(order), kind="stable", ignore_index=True
    )


def _restricted(arguments, table):
    """Arguments that name settings, without those that a reading lacks; None where none is left."""
    known, given = {*table["setting"]}, {}
    if wanted := arguments.get("settings"):
        given["settings"] = [setting for setting in wanted if setting in known]
    if isinstance(than := arguments.get("than"), dict):
        given["than"] = {setting: rival for setting, rival in than.items() if setting in known}
    lone = arguments.get("setting")
    return None if not all(given.values()) or not known or (lone and lone not in known) else given


def over_readings(decision, readings):
    """A decision that takes all readings into account.

    Parameters
    ----------
    decision : Decision
        By the claim's own table.
    readings : list of InReading
        What is found in the others.

    Returns
    -------
    decision : Decision
        With the outcome of `combine_readings`, by each decider, and the readings.
    """
    if not readings:
        return decision
    everywhere = [InReading({}, decision), *readings]
    outcomes = [one.decision.outcome for one in everywhere]
    by_decider = {
        decider: _over(
            [
                (one.decision.by_decider or {}).get(decider, one.decision.outcome)
                for one in everywhere
            ]
        )
        for decider in DECIDERS
    }
    return decision._replace(
        outcome=_over(outcomes),
        by_decider=by_decider,
        readings=tuple(everywhere),
    )


def _over(outcomes):
    """Of all readings, the claim's own table first: what says nothing there stays so."""
    return outcomes[0] if outcomes[0] == "not comparable" else combine_readings(outcomes)


def named_methods(arguments):
    """Methods that the arguments of a rule name.

    Parameters
    ----------
    arguments : mapping
        Of a rule.

    Yields
    ------
    method : str
    """
    for name in ("method", "methods", "than", "among", "control"):
        value = arguments.get(name, [])
        if isinstance(value, dict):
            value = [*value.values()] if name == "than" else [*value]
        yield from [value] if isinstance(value, str) else value
