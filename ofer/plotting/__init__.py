"""Every figure of the book is a function here."""

from ofer.plotting._ablation import plot_ablation, plot_explosion
from ofer.plotting._activities import plot_activities, plot_activity_profiles
from ofer.plotting._class_map import plot_class_map
from ofer.plotting._embeddings import (
    plot_decoding,
    plot_density_and_score,
    plot_mixture_scores,
    plot_three_steps,
)
from ofer.plotting._fisher_experiments import (
    plot_classifier_errors,
    plot_letters,
    plot_shares,
)
from ofer.plotting._fisher_kernel import (
    plot_mean_scores,
    plot_objective_histories,
    plot_propagation,
    plot_score_embeddings,
    plot_walks,
)
from ofer.plotting._fisher_vectors import (
    plot_covariance_types,
    plot_fisher_vectors,
    plot_responsibilities,
    plot_sparsity,
    plot_tolerances,
)
from ofer.plotting._forecasts import plot_excess_error, plot_forecasts, plot_past_and_future
from ofer.plotting._images import (
    plot_image_rows,
    plot_means_as_images,
    plot_memberships,
    plot_prediction,
    plot_task,
)
from ofer.plotting._learning import plot_curves, plot_targets
from ofer.plotting._local_structured import (
    plot_half_steps,
    plot_label_sequences,
    plot_local_predictors,
    plot_loss_by_parameter,
    plot_transduction,
)
from ofer.plotting._playground import (
    plot_embedding_of_output,
    plot_two_decoders,
    plot_weak_label_panels,
)
from ofer.plotting._pre_images import (
    plot_loss_curves,
    plot_loss_maps,
    plot_search_paths,
    plot_vanishing_sum,
)
from ofer.plotting._protocol import plot_em_path, plot_loo_path, plot_p_values, plot_split
from ofer.plotting._ranks import plot_critical_difference, plot_relative_errors
from ofer.plotting._results import plot_learning_curves, plot_paired_differences
from ofer.plotting._scorecard import plot_printed_and_ours, plot_scorecard
from ofer.plotting._skeletons import plot_skeletons
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
from ofer.plotting._synthetic import plot_clusters, plot_search_ends, plot_time_and_error
from ofer.plotting._times import plot_times
from ofer.plotting._traits import plot_calibration, plot_errors_by_weak_labels, plot_scores
from ofer.plotting._twin_gaussian import (
    plot_certainty,
    plot_divergence_family,
    plot_error_by_alpha,
    plot_evaluation_times,
    plot_multivalued,
    plot_objectives,
    plot_task_errors,
    plot_two_means,
)
from ofer.plotting._volatility import (
    plot_error_by_method,
    plot_series_model,
    plot_volatilities,
    plot_words,
)
from ofer.plotting._weak_labels import plot_weak_label_value

__all__ = [
    "STYLE",
    "plot_ablation",
    "plot_activities",
    "plot_activity_profiles",
    "plot_calibration",
    "plot_certainty",
    "plot_class_map",
    "plot_classifier_errors",
    "plot_clusters",
    "plot_covariance_types",
    "plot_critical_difference",
    "plot_curves",
    "plot_decoding",
    "plot_density_and_score",
    "plot_divergence_family",
    "plot_eigenvalues",
    "plot_em_path",
    "plot_embedding_of_output",
    "plot_error_by_alpha",
    "plot_error_by_method",
    "plot_errors_by_weak_labels",
    "plot_evaluation_times",
    "plot_excess_error",
    "plot_explosion",
    "plot_filter_and_smoother",
    "plot_fisher_vectors",
    "plot_forecasts",
    "plot_half_steps",
    "plot_image_rows",
    "plot_innovations",
    "plot_label_sequences",
    "plot_learning_curves",
    "plot_letters",
    "plot_likelihoods",
    "plot_local_predictors",
    "plot_loo_path",
    "plot_loss_by_parameter",
    "plot_loss_curves",
    "plot_loss_maps",
    "plot_mean_scores",
    "plot_means_as_images",
    "plot_memberships",
    "plot_mixture_scores",
    "plot_multivalued",
    "plot_objective_histories",
    "plot_objectives",
    "plot_p_values",
    "plot_paired_differences",
    "plot_past_and_future",
    "plot_prediction",
    "plot_printed_and_ours",
    "plot_propagation",
    "plot_relative_errors",
    "plot_responsibilities",
    "plot_sampled_series",
    "plot_score_embeddings",
    "plot_scorecard",
    "plot_scores",
    "plot_search_ends",
    "plot_search_paths",
    "plot_series_model",
    "plot_shares",
    "plot_shrinkage",
    "plot_skeletons",
    "plot_sparsity",
    "plot_split",
    "plot_state_paths",
    "plot_state_space_graph",
    "plot_targets",
    "plot_task",
    "plot_task_errors",
    "plot_three_steps",
    "plot_time_and_error",
    "plot_times",
    "plot_tolerances",
    "plot_transduction",
    "plot_two_decoders",
    "plot_two_means",
    "plot_vanishing_sum",
    "plot_volatilities",
    "plot_walks",
    "plot_weak_label_panels",
    "plot_weak_label_value",
    "plot_words",
]
