"""What somebody who watches the job can see."""

from __future__ import annotations

from collections.abc import Sequence

from trainlint.preflight.asking import evidence, judged, not_needed, runs, table
from trainlint.preflight.jobs import Job
from trainlint.preflight.line import Line, Verdict
from trainlint.preflight.lines.declaring import METRICS, Lines
from trainlint.preflight.reaching import Place
from trainlint.preflight.telling import anything, told

LINES = Lines("Monitoring")


@LINES("log-loss", "The loss is logged", METRICS)
def log_loss(job: Job) -> Line:
    """A call that logs is handed a loss."""
    found = told(job, "loss-words")
    if not runs(found):
        if job.framework in ("transformers", "keras", "composer"):
            return not_needed(job, "log-loss", "The trainer logs the loss.")
        meters = runs(job.trail.told(table(job, "meters"), table(job, "loss-words")))
        logged = runs(job.trail.calls(table(job, "log-anything")))
        if meters and logged:
            return Line("log-loss", Verdict.SEEN, "A metric takes it up, and metrics are logged.", evidence([*meters, *logged]))
        open_ = anything(job, "loss-words") if not found else []
        if open_:
            why = "Something is logged; whether the loss is among it is not seen."
            return Line("log-loss", Verdict.UNKNOWN, why, evidence(open_), "look into a log")
    return judged(job, "log-loss", found, seen="The loss is logged.", missing="Nothing logs or prints a loss.")


@LINES("log-learning-rate", "The learning rate is logged", METRICS)
def log_learning_rate(job: Job) -> Line:
    """A call that logs is handed a learning rate."""
    if job.framework == "transformers":
        return not_needed(job, "log-learning-rate", "The trainer logs the learning rate.")
    found = [*told(job, "learning-rate-words"), *job.trail.calls(table(job, "log-learning-rate"))]
    return _judged(job, "log-learning-rate", found, "The learning rate")


@LINES("log-memory", "The memory of the device is logged", METRICS)
def log_memory(job: Job) -> Line:
    """Something asks for the memory that was taken."""
    found = job.trail.calls(table(job, "log-memory"))
    if not runs(found):
        own = runs(job.trail.calls(table(job, "records-devices")))
        if own:
            return judged(job, "log-memory", own, seen="Weights & Biases records the memory of GPUs by itself.", missing="")
    return _judged(job, "log-memory", found, "The memory")


@LINES("log-gradient-norm", "The norm of the gradients is logged", METRICS)
def log_gradient_norm(job: Job) -> Line:
    """A call that logs is handed a norm of gradients."""
    if job.framework == "transformers":
        return not_needed(job, "log-gradient-norm", "The trainer logs the norm of the gradients.")
    found = [*told(job, "gradient-norm-words"), *job.trail.calls(table(job, "log-gradient-norm"))]
    return _judged(job, "log-gradient-norm", found, "The norm of the gradients")


def _judged(job: Job, name: str, found: Sequence[Place], what: str) -> Line:
    return judged(job, name, found, seen=f"{what} is logged.", missing=f"{what} is not logged.")
