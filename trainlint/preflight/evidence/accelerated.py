"""Autocasting by an accelerator: it is only as narrow as the precision that the accelerator is made with.

``accelerator.autocast()`` computes in float32 where nobody has asked for more, so it says nothing by itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.call_graph import last_name
from trainlint.facts.values import Instance, Made
from trainlint.ir.nodes import Attr, Call, Const, Dict, Term
from trainlint.preflight.evidence.asking import runs, table
from trainlint.preflight.jobs import Job
from trainlint.preflight.values.words import OFF, split
from trainlint.preflight.ways import Place

_AUTOCAST = "autocast"
_PRECISION = "mixed_precision"


def by_accelerators(job: Job, places: list[Place]) -> list[Place]:
    """Some places that ask for lower precision: autocasts of accelerators as far as it is known what these are made with.

    Where no maker says it, they are not known to narrow anything; where one does, that decides, and is among the places itself.
    """
    own = [each for each in places if _is_of_accelerator(job, each)]
    if not own:
        return places
    makers = runs(job.trail.calls(table(job, "accelerators")))
    said = [(maker, given) for maker in makers if (given := _precision(maker)) is not None]
    spots = {(maker.module, maker.spot) for maker, _ in said}
    others = [each for each in places if each not in own and (each.module, each.spot) not in spots]
    others += [kept for maker, given in said if (kept := _kept(job, maker, given)) is not None]
    if makers and len(said) == len(makers):
        return [*own, *others] if job.is_shown and any(_is_on_by_itself(job, *each) for each in said) else others
    return [*others, *(each._replace(way=None, is_unsaid=True) for each in own)]


def _kept(job: Job, maker: Place, given: Term) -> Place | None:
    """The place that makes an accelerator as narrow as it is told; behind an option that is off with some of the launch lines."""
    kept = job.trail.switched(_as_keyword(maker, given), f"{_PRECISION}=")
    if kept is None or not kept.is_unsaid or maker.way is None or not job.options.is_off_with_some(given, maker.module):
        return kept
    name = job.options.name(given, maker.module)
    return kept if name not in job.options.declared else maker._replace(way=maker.way._replace(option=name))


def is_told_none(job: Job) -> bool:
    """Whether all accelerators that are made are told by a constant to compute in float32: no launcher changes that."""
    makers = runs(job.trail.calls(table(job, "accelerators")))
    given = [_precision(maker) for maker in makers]
    return bool(given) and all(
        each is not None and isinstance(each, Const) and each.value is not None and each.value in OFF for each in given
    )


def _precision(maker: Place) -> Term | None:
    """What an accelerator is told of its precision: by a keyword, or by a dict that stands there, ``Accelerator(**settings)``."""
    return next((value for keyword, value in _told(maker) if keyword == _PRECISION), None)


def _told(maker: Place) -> Iterator[tuple[str | None, Term]]:
    for keyword, value in maker.term.kwargs if isinstance(maker.term, Call) else ():
        if keyword is not None:
            yield keyword, value
        elif isinstance(value, Dict):
            yield from ((key.value, inner) for key, inner in value.items if isinstance(key, Const) and inner is not None)
        elif isinstance(value, Call) and last_name(value.callee) == "dict":
            yield from value.kwargs


def _as_keyword(maker: Place, given: Term) -> Place:
    """The call as if the keyword stood there."""
    assert isinstance(maker.term, Call)
    return maker._replace(term=Call.new(maker.term.callee, maker.term.args, ((_PRECISION, given),), maker.term.site))


def _is_on_by_itself(job: Job, maker: Place, given: Term) -> bool:
    """Whether an option is narrow unless somebody says another thing: what people are shown may be for those without a GPU."""
    option = job.options.declared.get(job.options.name(given, maker.module) or "")
    return option is not None and option.default is not None and option.default[0] not in OFF


def _is_of_accelerator(job: Job, place: Place) -> bool:
    """Whether a call autocasts by an accelerator: by what it is made of, or else by how it is called."""
    term = place.term
    if not isinstance(term, Call) or not isinstance(term.callee, Attr) or term.callee.name != _AUTOCAST:
        return False
    base = term.callee.base
    values = job.program.values(base, job.program.frame(place.module, place.function))
    made = {each.name for each in values if isinstance(each, Made)}
    if not made.isdisjoint(table(job, "accelerators")):
        return True
    if any(isinstance(each, Instance) for each in values):
        return False  # what an object of the project's own does is looked at itself
    name = last_name(base.callee if isinstance(base, Call) else base) or ""
    return not frozenset(table(job, "called-accelerators")).isdisjoint(split(name))
