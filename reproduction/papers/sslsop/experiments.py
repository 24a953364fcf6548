"""Modules of this folder by the id of the experiment that they declare."""

EXPERIMENTS = {
    "sslsop-digits": "digits",
    "sslsop-readings-01": "readings",
    "sslsop-sensitivity": "sensitivity",
    "sslsop-table-01": "local_predictors",
    "sslsop-theory": "theory",
}
