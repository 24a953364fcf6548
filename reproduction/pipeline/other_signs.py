"""Eigenvectors and singular vectors with other signs, as another numerical library may give them.

A kernel runs this file first when `make test` compares a chapter. Such signs are arbitrary, and
what a chapter shows must not hang on them.
"""


def give_other_signs():
    """Turn the first vector of `eigh` and `svd`, and every second one after it."""
    # Names of a startup file are those of the chapter, so none is left.
    import numpy
    import scipy.linalg

    def turned(vectors):
        signs = numpy.where(numpy.arange(vectors.shape[-1]) % 2, 1, -1).astype(vectors.dtype)
        return vectors * signs

    def with_other_signs(function, turn):
        def call(*arguments, **options):
            found = function(*arguments, **options)
            if not isinstance(found, tuple):  # values alone
                return found
            parts = turn(*found)
            return found._make(parts) if hasattr(found, "_make") else parts

        return call

    def turned_pairs(U, s, Vt):
        return turned(U), s, turned(Vt.swapaxes(-1, -2)).swapaxes(-1, -2)

    for module in (numpy.linalg, scipy.linalg):
        module.eigh = with_other_signs(module.eigh, lambda w, V: (w, turned(V)))
        module.svd = with_other_signs(module.svd, turned_pairs)


give_other_signs()
del give_other_signs
