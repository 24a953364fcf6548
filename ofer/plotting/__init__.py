"""Every figure of the book is a function here."""

from ofer.plotting._activities import plot_activities, plot_activity_profiles
from ofer.plotting._embeddings import (
    plot_decoding,
    plot_density_and_score,
    plot_mixture_scores,
    plot_three_steps,
)
from ofer.plotting._fisher_vectors import (
    plot_covariance_types,
    plot_fisher_vectors,
    plot_responsibilities,
    plot_sparsity,
    plot_tolerances,
)
from ofer.plotting._forecasts import plot_excess_error, plot_forecasts, plot_past_and_future
from ofer.plotting._images import plot_image_rows, plot_means_as_images, plot_memberships, plot_task
from ofer.plotting._protocol import plot_em_path, plot_loo_path, plot_p_values, plot_split
from ofer.plotting._results import plot_learning_curves, plot_paired_differences
from ofer.plotting._state_space import (
    plot_eigenvalues,
    plot_filter_and_smoother,
    plot_innovations,
    plot_likelihoods,
    plot_sampled_series,
    plot_shrinkage,
    plot_state_paths,
    plot_state_space_graph,
)
from ofer.plotting._style import STYLE
from ofer.plotting._volatility import (
    plot_error_by_method,
    plot_series_model,
    plot_volatilities,
    plot_words,
)

__all__ = [
    "STYLE",
    "plot_activities",
    "plot_activity_profiles",
    "plot_covariance_types",
    "plot_decoding",
    "plot_density_and_score",
    "plot_eigenvalues",
    "plot_em_path",
    "plot_error_by_method",
    "plot_excess_error",
    "plot_filter_and_smoother",
    "plot_fisher_vectors",
    "plot_forecasts",
    "plot_image_rows",
    "plot_innovations",
    "plot_learning_curves",
    "plot_likelihoods",
    "plot_loo_path",
    "plot_means_as_images",
    "plot_memberships",
    "plot_mixture_scores",
    "plot_p_values",
    "plot_paired_differences",
    "plot_past_and_future",
    "plot_responsibilities",
    "plot_sampled_series",
    "plot_series_model",
    "plot_shrinkage",
    "plot_sparsity",
    "plot_split",
    "plot_state_paths",
    "plot_state_space_graph",
    "plot_task",
    "plot_three_steps",
    "plot_tolerances",
    "plot_volatilities",
    "plot_words",
]
