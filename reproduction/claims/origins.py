"""How near the data behind a table are to those of the paper."""

from reproduction.datasets import dataset_info

__all__ = ["ORIGINS", "data_origin", "thinning"]

ORIGINS = ("faithful", "thinned", "generated", "substitute")


def data_origin(id, sidecar, settings=()):
    """How near the data of a table are to those of the paper.

    Parameters
    ----------
    id : str
        Id of a table of results.
    sidecar : dict
        What is stored beside it.
    settings : sequence of str, default=()
        The rows of the table that count; none means all.

    Returns
    -------
    origin : {"faithful", "thinned", "generated", "substitute"}
        "substitute" as soon as one of its data sets is one; "generated" where there is none, by
        rules of which papers leave much open; "thinned" where a part of the paper's data was used,
        in other coordinates, or learning was cut short, see `thinning`.
    """
    fidelities = {dataset_info(name).fidelity for name in sidecar.get("data", {})}
    if "substitute" in fidelities:
        return "substitute"
    if not fidelities:
        return "generated"
    return "thinned" if thinning(id, sidecar, settings) else "faithful"


def thinning(id, sidecar, settings=()):
    """What a table was computed with less of than in the paper: data, or iterations.

    Parameters
    ----------
    id : str
        Id of a table of results.
    sidecar : dict
        What is stored beside it.
    settings : sequence of str, default=()
        As in `data_origin`.

    Returns
    -------
    part : str
        Empty where it is nothing.
    """
    given = sidecar.get("parameters", {})
    match id:
        case "fkl-table-01" | "fkl-table-02" | "fkl-table-04":
            stopped = (
                f"maximum likelihood stopped after {given['max_iter']} iterations, "
                f"learning after {given['learner_max_iter']}"
            )
            # Labels of the other half were never published.
            return f"the public half of the letters, {stopped}" if id == "fkl-table-01" else stopped
        case "smtgp-table-02":
            parts = {
                "Poser": "points in the place of joint angles of Poser",
                "USPS": f"parameters chosen on {given['n_select']} of 4649 pictures of USPS, "
                f"{given['n_tested']} test pictures after its first split",
            }
            return "; ".join(parts[name] for name in parts if not settings or name in settings)
        case "smtgp-table-03":
            if queries := given.get("n_test"):
                return f"{queries} test inputs at most"
        case "sslsop-table-01" | "sslsop-sensitivity":
            least = min([sidecar["n_splits"], *sidecar.get("splits_of", {}).values()])
            which = "whole sentences in " if sidecar.get("splits_of") else ""
            return f"{which}{least} of 10 folds" if least < 10 else ""
    return ""
