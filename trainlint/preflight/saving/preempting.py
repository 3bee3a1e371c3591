"""What becomes of a job whose machine is taken away: handlers of signals, and those who submit it again."""

from __future__ import annotations

from trainlint.facts.call_graph import last_name
from trainlint.facts.program import calls_of
from trainlint.facts.values import FunctionValue
from trainlint.ir.nodes import Attr, Call, Global, Ref, Term
from trainlint.ir.sketch import Exit
from trainlint.ir.terms import parts_of
from trainlint.preflight.evidence.asking import table
from trainlint.preflight.jobs import Job
from trainlint.preflight.line import Line, Verdict
from trainlint.preflight.saving.saved import saves_of
from trainlint.preflight.ways import Place

#: Errors that say that something failed, and nothing more.
_ERRORS = ("Exception", "RuntimeError", "ChildFailedError", "ChildProcessError", "SystemError")


def requeued(job: Job) -> Line | None:
    """The line of a job that is submitted by a script which says what becomes of it when it is taken away."""
    starter = next((each for each in job.starters if each.requeues is not None), None)
    if starter is None or starter.requeues is None:
        return None
    if all(each.path != job.path for each in job.launches):
        return Line("preemption", Verdict.SEEN, "What submits it submits it again when it is taken away.", (starter.requeues,))
    script = starter.path.rpartition("/")[2]
    why = f"It is submitted again when {script} has started it, and ends where it stands when other lines have."
    return Line("preemption", Verdict.UNKNOWN, why, (starter.requeues,), f"look whether the job is started by {script}")


def by_trainer(job: Job) -> Line | None:
    """The line of a job whose options are those of a trainer that has one for this, in releases that the files ask for."""
    since = table(job, "trainer-handles-signals-since")[0]
    if job.framework != "transformers" or not job.trail.calls(table(job, "parsed-arguments")):
        return None
    if job.asks_below("transformers", since) is not None or (newer := job.asks_for("transformers", since)) is None:
        return None
    why = f"`--enable_jit_checkpoint` has the trainer save at a SIGTERM since {since}, and is off unless it is said."
    return Line("preemption", Verdict.UNKNOWN, why, (newer,), "look whether the job is started with --enable_jit_checkpoint")


def may_end(job: Job, place: Place) -> bool:
    """Whether a handler is for a signal by which machines are taken away: not for a key that was pressed, an alarm, a child.

    Of signals in a loop, ``for each in (SIGINT, SIGTERM)``, one is enough.
    """
    if not isinstance(place.term, Call) or not place.term.args:
        return True
    if len(place.term.args) > 1 and last_name(place.term.args[0]) != "SIGTERM" and _only_fails(job, place, place.term.args[1]):
        return False
    if len(place.term.args) > 1 and last_name(place.term.args[1]) == "SIG_DFL":
        return False  # what happens is what happens anyway
    parts = list(parts_of(place.term.args[0]))
    named = {
        name for part in parts if isinstance(part, (Attr, Ref, Global)) and (name := last_name(part) or "").startswith("SIG")
    }
    named = named or {last_name(place.term.args[0]) or ""}
    return not named <= set(table(job, "other-signals"))


def _only_fails(job: Job, place: Place, handler: Term) -> bool:
    """Whether a handler does nothing but fail: it tells a process of the error of another one."""
    frame = job.program.frame(place.module, place.function)
    handlers = [each.function for each in job.program.values(handler, frame) if isinstance(each, FunctionValue)]
    own = {(each.module, each.spot) for each in saves_of(job)}
    return bool(handlers) and all(
        each.body
        and isinstance(each.body[-1], Exit)
        and each.body[-1].kind == "raise"
        and _name(each.body[-1].error) in _ERRORS
        and not any(node.term.site in {spot for _, spot in own} for node in calls_of(each))
        for each in handlers
    )


def _name(error: Term | None) -> str | None:
    return None if error is None else last_name(error)
