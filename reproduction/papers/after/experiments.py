"""Modules of this folder by the id of the experiment that they declare."""

EXPERIMENTS = {
    "after-bibtex": "bibtex",
    "after-bibtex-forms": "bibtex_forms",
    "after-bibtex-leads": "bibtex_leads",
    "ofer-defaults": "defaults",
    "ofer-frames": "frames",
    "ofer-scale": "many_samples",
    "ofer-widths": "widths",
}
