"""From a start to a maximum of the likelihood: EM, then an ascent of the likelihood itself."""

from typing import NamedTuple

import numpy as np

from ofer.ascent import ascend
from ofer.state_space._chart import Chart
from ofer.state_space._kalman import Parameters, filter_in_pieces
from ofer.state_space._kalman_em import StateSums, expect, m_step

QUICK = 15  # iterations of EM: the first ones gain most
FRESH = 60  # E-steps in one chart

LEAST, SLACK = 0.1, 1e5  # a rise in nats, and in units of the tolerance, that must not be missed
ROUNDOFF = 1e-14  # of a log-likelihood, relative
FLAT = 1e-12  # likewise: a fall by less is none


class Visit(NamedTuple):
    """A model on a path, with the sums of its E-step."""

    parameters: Parameters
    sums: StateSums


class Path:
    """From a start to a maximum, as far as anybody asks; the fields `held` stay as they are.

    The first iterations are those of EM, which comes near from far away, and then creeps. So an
    ascent by limited-memory BFGS takes over, in the coordinates of a `Chart`: each gradient costs
    an E-step, as an iteration of EM does. It ends where its next step promises no more than `tol`
    in log-likelihood per observed entry. `batches()` goes through the series, batch by batch.
    """

    def __init__(self, batches, start, floors, max_iter, tol, held):
        self.batches, self.start, self.floors = batches, start, floors
        self.max_iter, self.tol, self.held = max_iter, tol, held
        self._visits: list[Visit] = []
        self._n_iter = 0  # E-steps since the start
        self._has_arrived = False

    def on(self, batches):
        """The path from this start on other batches."""
        return Path(batches, self.start, self.floors, self.max_iter, self.tol, self.held)

    def holding(self, *fields):
        """The path from this start on which more fields stay."""
        held = {*self.held, *fields}
        return Path(self.batches, self.start, self.floors, self.max_iter, self.tol, held)

    def reach(self, n_iter):
        """The visit after this many iterations, or at the end."""
        return self._go(n_iter)[-1]

    def end(self):
        """Parameters at the end, the log-likelihoods, and why they are no maximum, or None.

        Where they nearly are one, the reason is empty.
        """
        visits = self._go(self.max_iter)
        while self._n_iter < self.max_iter:
            beyond = self._beyond()
            if beyond is None:
                break
            self._visits.append(beyond)
            self._n_iter, self._has_arrived = self._n_iter + 1, False
            visits = self._go(self.max_iter)
        now, history = visits[-1], [visit.sums.loglikelihood for visit in visits]
        if self._has_arrived and len(visits) == len(self._visits):
            return now.parameters, history, None
        gain = (history[-1] - history[-2:][0]) / now.sums.n_entries
        complaint = (
            f"EM stopped by max_iter: its last iteration gained {gain:.2g} in log-likelihood per "
            f"observed entry, and the next one promises more than tol={self.tol:.2g}. Raise "
            "max_iter or tol, or use fewer states."
        )
        if 0 < gain < 1e-5 * max(1.0, abs(history[-1]) / now.sums.n_entries):
            complaint = ""  # not worth a word
        return now.parameters, history, complaint

    def _go(self, n_iter):
        """Visits of so many iterations, or up to the end."""
        if not self._visits:
            self._visits.append(self._visit(self.start))
        is_quick = True
        while is_quick and self._n_iter < min(n_iter, QUICK) and not self._has_arrived:
            is_quick = self._follow_em()
        while self._n_iter < n_iter and not self._has_arrived:
            self._climb(min(n_iter - self._n_iter, FRESH))
        return self._visits[: n_iter + 1]

    def _follow_em(self):
        """One iteration of EM; whether it gained enough for another one."""
        before = self._visits[-1]
        now = self._visit(m_step(*before, self.floors, self.held))
        self._n_iter += 1
        gain = now.sums.loglikelihood - before.sums.loglikelihood
        if gain > 0:
            self._visits.append(now)
        return gain > self.tol * now.sums.n_entries

    def _climb(self, n_iter):
        """An ascent with so many E-steps at most."""
        start, n_before = self._visits[-1], self._n_iter
        chart = Chart(*start, self.floors, self.held)
        if not chart.size:
            self._has_arrived = True
            return

        def value_and_gradient(points, rows):
            self._n_iter += 1
            try:
                with np.errstate(all="ignore"):
                    visit = self._visit(chart.at(points[0]))
                    gradient = chart.gradient(points[0], *visit)
            except (ValueError, np.linalg.LinAlgError):  # there is no model
                return np.array([-np.inf]), np.zeros_like(points)
            if visit.sums.loglikelihood > self._visits[-1].sums.loglikelihood:
                self._visits.append(visit)
            return np.array([visit.sums.loglikelihood]), gradient[None]

        origin, value = np.zeros((1, chart.size)), start.sums.loglikelihood
        first = np.array([value]), chart.gradient(origin[0], *start)[None]
        tol = max(self.tol * start.sums.n_entries, ROUNDOFF * abs(value))
        ascend(value_and_gradient, origin, max_iter=n_iter, tol=tol, first=first)
        # A step that promises nothing may be what is left of one that failed, in an old chart.
        gain = self._visits[-1].sums.loglikelihood - value
        self._has_arrived = self._n_iter < n_before + n_iter and gain <= tol

    def _visit(self, parameters):
        return Visit(parameters, expect(parameters, self.batches()))

    def _beyond(self):
        """A visit to a much likelier model in which one variance is far larger; None without one.

        Where a variance is nearly zero the likelihood is flat along its root, and steps gain
        nothing, though a large one may be far likelier.
        """
        now = self._visits[-1]
        chart = Chart(*now, self.floors, self.held)
        best_model, best = None, now.sums.loglikelihood
        best += max(LEAST, SLACK * self.tol * now.sums.n_entries)
        for models in chart.wider(now.sums, best - now.sums.loglikelihood):
            before = now.sums.loglikelihood
            for model in models:
                value = self._loglikelihood(model)
                if not value >= before - FLAT * abs(before):
                    break
                before = value
                if value > best:
                    best_model, best = model, value
        return None if best_model is None else self._visit(best_model)

    def _loglikelihood(self, parameters):
        """Total log-likelihood of series; minus infinity where there is none."""
        try:
            with np.errstate(all="ignore"):
                shifted = (batch.shifted(parameters.b) for batch in self.batches())
                filtered = (filter_in_pieces(parameters, batch) for batch in shifted)
                return sum(some.loglikelihoods.sum() for some in filtered)
        except ValueError:
            return -np.inf
