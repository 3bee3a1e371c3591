"""Who is told what: which calls of a job log or print a thing, and which only look like it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trainlint.app.preflight.evidence.answers import runs, table
from trainlint.app.preflight.jobs import Job
from trainlint.app.preflight.line import Place
from trainlint.app.preflight.logs.logged_values import Told, is_silent
from trainlint.app.preflight.logs.tags import is_of_others, is_told, tags
from trainlint.app.preflight.running.nearness import judges
from trainlint.app.preflight.values.words import functions_of, handed, pieces_of, split, words_of
from trainlint.domains.autograd.backward import Backward
from trainlint.ir.nodes import (
    NAMED,
    NAMES,
    Attr,
    Call,
    Const,
    Dict,
    Subscript,
    Term,
)
from trainlint.ir.sketch import Keep
from trainlint.ir.terms import parts_of, parts_through
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.values import FunctionValue

#: What only collects: what it is handed is told by somebody else, if at all.
_COLLECTS = frozenset(("update", "AverageMeter", "put"))
#: What options are called.
_OPTIONS = frozenset(("config", "cfg", "args", "kwargs", "options", "opts", "params", "defaults", "settings"))
#: What steps when it is updated, and tells nobody: ``tx.update(gradients, state, loss=loss)``.
_OPTIMIZERS = frozenset(("tx", "optimizer", "optim", "optimiser", "opt"))
#: What says when something was written.
_OF_TIME = frozenset(("strftime", "ctime", "asctime", "now", "utcnow", "today", "isoformat", "localtime"))
#: What warns: of an option, before the training, or of what is seen while it goes on.
_WARNS = frozenset(("warning", "warn"))
#: What changes a learning rate is none, nor is what one is multiplied by.
_SCHEDULERS = re.compile(
    r"(?i)(?<![a-z])(?:multipl(?:e|y|ier|ying)(?: of)?(?: the)? (?:lr|learning rate)s?(?![a-z])"
    r"|(?:lr|learning[ _-]?rate)[ _-]?(?:schedul(?:er|ers|e|es|ing)|mult?(?:iplier)?s?)(?![a-z]))"
)
#: Words of what trains for a step.
_STEPS = frozenset(("step", "train", "update", "fit", "learn", "optimize"))
#: What speaks of something else than a loss, a rate or a norm.
_OTHERS = frozenset(("metric", "metrics", "accuracy", "acc", "score", "scores", "result", "results", "stats"))


def told(job: Job, words: str) -> list[Place]:
    """The places where something is logged of which the words of a table speak; what only collects it comes after the others."""
    wanted = frozenset(table(job, words))
    names = _callees(job)
    found = [
        each for each in job.trail.told(names, wanted) if isinstance(each.term, Call) and _tells(job, each, each.term, wanted)
    ]
    found += [each for each in job.trail.keeps(wanted) if "forward" not in split(each.function.name)]  # what a model gives
    sure = [each for each in found if not _collects(each) and not only_keeps(job, each)]
    flowing = list(Told(job, names - _COLLECTS, wanted, of_gradients=words == "gradient-norm-words").places())
    handed_on = [each for each, is_handed in flowing if is_handed and _tells(job, each, each.term, wanted)]
    sure += [each for each in handed_on if each not in sure]
    sure, found = ([each for each in some if not job.trail.is_followed(each)] for some in (sure, found))
    if not any(_is_direct(job, each) and not is_of_others(each, wanted) for each in runs(sure)):
        sure = tags(job, wanted) or sure
    if not runs(sure):
        sure += [each for each, is_handed in flowing if not is_handed and not job.trail.is_followed(each)]
    return job.trail.ranked(_as_launched(job, each) for each in (sure if runs(sure) else [*sure, *found]))


def told_of_passes(job: Job) -> list[Place]:
    """Where that is logged which a backward pass starts from: it is the loss, whatever it is called."""
    names, backward = _callees(job) - _COLLECTS, job.program.ask(Backward)
    found = []
    for each in job.trail.places:
        call = each.term
        if each.way is None or not isinstance(call, Call) or last_name(call.callee) not in names or is_silent(call):
            continue
        starts = {root.term for root in backward.roots(job.program.frame(each.module, each.function))}
        if starts and not starts.isdisjoint(_all_in(call)):
            found.append(each)
    return found


def _all_in(call: Call) -> Iterator[Term]:
    """What stands in what a call is handed, also in texts that are put together."""
    waiting, seen = list(handed(call)), set[Term]()
    while waiting:
        for part in parts_of(waiting.pop()):
            if part not in seen:
                seen.add(part)
                waiting += part.pieces
                yield part


def _is_direct(job: Job, place: Place) -> bool:
    """Whether a call logs, and does not only fill a dict or judge the model."""
    if not isinstance(place.term, Call) or last_name(place.term.callee) == "update":
        return False
    return not judges(place.module, place.function, job.path)


def _as_launched(job: Job, place: Place) -> Place:
    """A place without the options that a launcher says: one rank logs, whichever that is."""
    option = place.way.option if place.way is not None else None
    if place.way is None or option is None or frozenset(table(job, "rank-words")).isdisjoint(split(option)):
        return place
    return place._replace(way=place.way._replace(option=None))


def anything(job: Job, words: str) -> list[Place]:
    """The places that run and log what has no name there: a dict from elsewhere, a value under a key of its own."""
    wanted = frozenset(table(job, words))
    containers = _others(job, wanted)
    found = []
    for each in runs(job.trail.calls(table(job, "log-anything"))):
        if not isinstance(each.term, Call) or is_silent(each.term):
            continue
        given = list(handed(each.term))
        spoken = {last_name(part) for part in parts_of(*given) if isinstance(part, NAMED)}
        if _is_open(given[0] if given else None) and _OTHERS.isdisjoint(job.trail.words(each)) and containers.isdisjoint(spoken):
            found.append(each)
    return found


def is_of_step(job: Job, place: Place) -> bool:
    """Whether what is logged comes out of a step of somebody else's: ``log(trainer.step(batch))``."""
    frame = job.program.frame(place.module, place.function)
    for part in parts_of(*(handed(place.term) if isinstance(place.term, Call) else ())):
        if isinstance(part, Call) and not _STEPS.isdisjoint(split(last_name(part.callee) or "")):
            found = job.program.ask(CallGraph).targets(part, frame)
            if not any(isinstance(each, FunctionValue) for each in found):
                return True
    return False


def _is_open(term: Term | None) -> bool:
    """Whether what is logged has no name that stands there: neither a text nor a dict whose keys are texts."""
    if term is not None and isinstance(term, Dict):
        return any(not isinstance(key, Const) for key, _ in term.items)
    return term is not None and not isinstance(term, Const)


def _callees(job: Job) -> frozenset[str]:
    """What calls that log are called: the table's names, and ``log_value``, ``log_step`` and their like."""
    own = {last_name(each.term.callee) or "" for each in job.trail.places if isinstance(each.term, Call)}
    other = frozenset(table(job, "log-of-mathematics"))
    more = {name for name in own if name.startswith("log_") and other.isdisjoint(split(name))}
    return frozenset((*table(job, "log-calls"), *more))


def _collects(place: Place) -> bool:
    """Whether a call only takes something up: ``meter.update(loss, n)``; ``logs.update(loss=loss)`` is told with the others."""
    if not isinstance(place.term, Call) or last_name(place.term.callee) not in _COLLECTS:
        return False
    return not place.term.kwargs and not any(isinstance(each, Dict) for each in place.term.args)


def only_keeps(job: Job, place: Place) -> bool:
    """Whether a thing is put into a dict that its function hands to nothing: it is told, if at all, by somebody else."""
    term = place.term
    if isinstance(term, Subscript):
        return not is_told(job, term.key) and _is_kept_only(job, place, term.base)
    updated = _updated(term) if isinstance(term, Call) else None
    return updated is not None and _is_kept_only(job, place, updated)


def _updated(call: Call) -> Term | None:
    """The container that a call puts something into."""
    callee = call.callee
    return callee.base if isinstance(callee, Attr) and callee.name == "update" else None


def _is_kept_only(job: Job, place: Place, made: Term) -> bool:
    """Whether a dict that a function makes, or has of another one, goes into no call but those that fill other such dicts."""
    waiting, seen = [made], {made}
    while waiting:
        kept = waiting.pop()
        if not isinstance(kept, (Dict, Call)):
            return False
        for each in job.trail.inside(place):
            if (
                not isinstance(each.term, Call)
                or each.term is kept
                or not any(kept in parts_of(term) for term in handed(each.term))
            ):
                continue
            updated = _updated(each.term)
            if updated is None:
                return False
            waiting += (updated,) if updated not in seen else ()
            seen.add(updated)
    return True


def _tells(job: Job, place: Place, call: Term, wanted: frozenset[str]) -> bool:
    """Whether a call tells the thing: not a text in which the word stands, options, or a container of other things."""
    if not isinstance(call, Call):
        return False
    name, given = last_name(call.callee), list(handed(call))
    if is_silent(call) or (name in _WARNS and not (place.way is not None and place.way.looped)):
        return False
    if name == "update" and isinstance(call.callee, Attr):
        updated = frozenset(split(last_name(call.callee.base) or ""))
        if not updated.isdisjoint(_OPTIONS) or not updated.isdisjoint(_OPTIMIZERS):
            return False
    if name != "AverageMeter" and all(_is_text(each) for each in given):
        return False
    spoken = list(_spoken(call, wanted))
    if spoken and not any(True for _ in _spoken(call, wanted, _SCHEDULERS)):
        return False
    return not spoken or not all(each in _others(job, wanted) for each in spoken)


def _is_text(term: Term) -> bool:
    """Whether a term is made of constants, and of the time, alone: a headline, a warning."""
    leaves = (each for each in parts_through(term, lambda each: pieces_of(each) or ()) if pieces_of(each) is None)
    return all(isinstance(each, Const) or (isinstance(each, Call) and last_name(each.callee) in _OF_TIME) for each in leaves)


def _spoken(call: Call, wanted: frozenset[str], but: re.Pattern[str] | None = None) -> Iterator[str]:
    """What speaks of the thing in what a call is handed: names; a text as the empty one. What fits ``but`` does not."""
    for keyword, _ in call.kwargs:
        if keyword and not wanted.isdisjoint(split(keyword)):
            yield ""
    for part in _all_in(call):
        text = part.value if isinstance(part, Const) else part.name if isinstance(part, NAMES) else None
        if isinstance(text, str) and not wanted.isdisjoint(split(text if but is None else but.sub(" ", text))):
            yield "" if isinstance(part, Const) else text


def _others(job: Job, wanted: frozenset[str]) -> frozenset[str]:
    """Names with one of the words that are containers of other things: ``running_loss[key] += metrics[key]``."""
    found: dict[str, bool] = {}
    for _, function in functions_of(job.program, job.files):
        for node in of_kind(function, Keep) if id(function) in job.trail.run else ():
            name = (
                last_name(node.target.base)
                if isinstance(node.target, Subscript) and not isinstance(node.target.key, Const)
                else None
            )
            if name is None or wanted.isdisjoint(split(name)) or isinstance(node.value, Const):
                continue
            own = {each for each in words_of(job.program, node.value) if each not in split(name)}
            found[name] = found.get(name, True) and wanted.isdisjoint(own) and not _OTHERS.isdisjoint(own)
    return frozenset(name for name, is_other in found.items() if is_other)
