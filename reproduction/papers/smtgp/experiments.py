"""Modules of this folder by the id of the experiment that they declare."""

EXPERIMENTS = {
    "smtgp-certainty": "certainty",
    "smtgp-costs": "evaluation_times",
    "smtgp-grid": "grid",
    "smtgp-order": "order",
    "smtgp-readings-02": "readings",
    "smtgp-table-02": "errors",
    "smtgp-table-03": "task_times",
    "smtgp-theory": "theory",
    "smtgp-costs-inverse": "inverse_times",
}
