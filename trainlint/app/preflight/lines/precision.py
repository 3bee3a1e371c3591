"""Which precision calls ask for: by a dtype that they are handed, or by the accelerator that autocasts.

Autocasting by an accelerator: it is only as narrow as the precision that the accelerator is made with.

``accelerator.autocast()`` computes in float32 where nobody has asked for more, so it says nothing by itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.app.preflight.evidence.answers import runs, table
from trainlint.app.preflight.jobs import Job
from trainlint.app.preflight.line import Place
from trainlint.app.preflight.settings.configurations import is_called_so
from trainlint.app.preflight.values.constants import is_of_caller, is_of_configuration
from trainlint.app.preflight.values.origins import Origin
from trainlint.app.preflight.values.words import OFF, handed, split, words_of
from trainlint.ir.nodes import Attr, Call, Const, Dict, Global, Param, Ref, Select, Subscript, Term
from trainlint.ir.sketch import Store
from trainlint.ir.terms import chain_of, parts_of, root_of
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import last_name
from trainlint.program.values import ClassValue, FunctionValue, Instance, Library, LibraryObject

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
    made = {each.name for each in values if isinstance(each, LibraryObject)}
    if not made.isdisjoint(table(job, "accelerators")):
        return True
    if any(isinstance(each, Instance) for each in values):
        return False  # what an object of the project's own does is looked at itself
    name = last_name(base.callee if isinstance(base, Call) else base) or ""
    return not frozenset(table(job, "called-accelerators")).isdisjoint(split(name))


_DTYPES = frozenset(("precision", "param_dtype", "torch_dtype", "compute_dtype", "autocast_dtype"))
#: What is asked about a machine.
_MACHINES = frozenset(("platform", "device", "devices", "backend", "default_backend", "tpu", "gpu", "cuda", "device_kind"))
_MODELS = frozenset(("model", "net", "network", "module"))


def is_wide(job: Job, place: Place) -> bool:
    """Whether a call asks for float32 or float64 only: ``set_default_dtype(torch.float64)``, ``precision=Precision.HIGHEST``."""
    if not isinstance(place.term, Call):
        return False
    if last_name(place.term.callee) == "set_default_dtype":
        values = tuple(handed(place.term))
        if any(isinstance(each, Call) and last_name(each.callee) == "get_default_dtype" for each in values):
            return True  # it is set to what it was before
    else:
        dtypes = (*_DTYPES, "dtype") if last_name(place.term.callee) == _AUTOCAST else _DTYPES
        values = tuple(value for keyword, value in place.term.kwargs if keyword in dtypes)
    names = [_names(job, place, each) for each in values]
    wide = frozenset(table(job, "wide-dtypes"))
    return bool(names) and all(each and all(name in wide or name.rpartition(".")[0] in wide for name in each) for each in names)


def as_set(job: Job, place: Place) -> Place:
    """A place that sets the dtype of everything to one that somebody hands over is not known to set a narrow one.

    Nor is one that picks it by a name, out of wide and narrow ones: ``DTYPES[config.dtype]``.
    """
    if not isinstance(place.term, Call) or last_name(place.term.callee) != "set_default_dtype":
        return place
    given = tuple(handed(place.term))
    wide = frozenset(table(job, "wide-dtypes"))
    names = [(each, frozenset(_names(job, place, each))) for each in given]
    is_open = any(bool(found & wide and found - wide) if found else isinstance(each, (Param, Subscript)) for each, found in names)
    return place._replace(way=None, is_unsaid=True) if is_open else place


def as_known(job: Job, place: Place) -> Place:
    """A place that asks an object for autocasting of which no table knows what it is: ``runner.autocast()`` decides nothing.

    What a class of the project makes of it, is seen there.
    """
    callee = place.term.callee if isinstance(place.term, Call) else place.term
    if (
        place.way is None
        or not isinstance(callee, Attr)
        or callee.name != "autocast"
        or isinstance(root_of(callee), (Ref, Global))
    ):
        return place
    if "of a library" in job.trail.keys(place) or job.trail.libraries(*table(job, "autocast-of")):
        return place
    frame = job.program.frame(place.module, place.function)
    values = (*job.program.values(callee, frame), *job.program.values(callee.base, frame))
    if any(isinstance(each, (FunctionValue, Instance, Library)) for each in values):
        return place
    return place._replace(way=None, is_unsaid=True)


def halved(job: Job) -> Iterator[Place]:
    """Where a model is narrowed by hand: ``net.apply(halve)``, which sets the weights of each layer to ``weights.half()``."""
    narrows = frozenset(table(job, "narrows"))
    for place in job.trail.calls((".apply",)):
        given = place.term.args[:1] if isinstance(place.term, Call) else ()
        for value in job.program.values(given[0], job.program.frame(place.module, place.function)) if given else ():
            if isinstance(value, FunctionValue) and any(
                isinstance(node.target, Attr) and isinstance(node.value, Call) and last_name(node.value.callee) in narrows
                for node in of_kind(value.function, Store)
            ):
                yield place
                break


def narrowed(job: Job) -> Iterator[Place]:
    """Where a model is made of, or turned into, a narrow dtype: ``model.to(dtype)``, ``from_pretrained(…, dtype=…)``."""
    for place in job.trail.calls((".to",)):
        if (
            place.way is not None
            and isinstance(place.term, Call)
            and isinstance(place.term.callee, Attr)
            and _is_model(job, place)
        ):
            given = [*place.term.args, *(value for keyword, value in place.term.kwargs if keyword == "dtype")]
            if any(_is_narrow(job, place, each) for each in given):
                yield place
    for place in job.trail.calls((".from_pretrained", ".from_config")):
        if isinstance(place.term, Call):
            given = [value for keyword, value in place.term.kwargs if keyword == "dtype"]
            if any(_is_narrow(job, place, each) for each in given):
                yield place


def by_machine(job: Job, *, may: bool = False) -> Iterator[Place]:
    """Where a function says the dtype that something is made with, and says a narrow one on the machines that have it.

    ``Config(dtype=preferred(config))``, which returns bfloat16 on a TPU; where it asks an option before, that has to be on.
    ``may``: those of which it is not known, or that do so on TPUs alone.
    """
    for place in job.trail.calls(("dtype=", *(f"{each}=" for each in sorted(_DTYPES)))):
        if place.way is None or not isinstance(place.term, Call):
            continue
        frame = job.program.frame(place.module, place.function)
        given = (value for keyword, value in place.term.kwargs if keyword in ("dtype", *_DTYPES) and isinstance(value, Call))
        found = (each for value in given for each in job.options.origins.returned(value, frame))
        if any(_is_narrow_somewhere(job, each, may=may) for each in found):
            yield place


def _is_narrow_somewhere(job: Job, origin: Origin, *, may: bool) -> bool:
    """Whether this is a narrow dtype behind nothing but options that are on, and questions about the machine."""
    function = origin.function
    if origin.value is None or function is None or not origin.tests:
        return False
    names = {
        value.name
        for value in job.program.values(origin.value, job.program.frame(origin.module, function))
        if isinstance(value, Library)
    }
    if names.isdisjoint(table(job, "narrow-dtypes")):
        return False
    asked = False
    for test, arm in origin.tests:
        words = frozenset(words_of(job.program, test))
        if not words.isdisjoint(_MACHINES):
            if not may and arm and "tpu" in words and words.isdisjoint(("gpu", "cuda")):
                return False  # on other machines it may say another one
            asked = True
            continue
        said = job.options.default(test, origin.module)
        if bool(said[0]) is not arm if said is not None else not may:
            return False
    return asked or may


def handed_over(job: Job) -> list[Place]:
    """Where the layers of a model get a dtype that somebody else says: ``nn.Dense(8, dtype=self.dtype)``."""
    return [
        each
        for each in job.trail.calls(("dtype=",))
        if "of a library" in job.trail.keys(each)
        and isinstance(each.term, Call)
        and any(key == "dtype" and _is_told(value) for key, value in each.term.kwargs)
    ]


def _is_told(value: Term) -> bool:
    """Whether somebody else says a dtype: ``dtype``, ``self.dtype``, ``config.dtype``; an array's own is none that is said."""
    return is_of_caller(value) or (
        is_of_configuration(value) and isinstance(value, Attr) and is_called_so(chain_of(value)[:-1] or _root(value))
    )


def _root(value: Term) -> tuple[str, ...]:
    value = root_of(value)
    return (value.name,) if isinstance(value, Param) else ()


def _is_narrow(job: Job, place: Place, value: Term) -> bool:
    """Whether this is a narrow dtype; of a choice: where the machine decides, which has it mostly."""
    if isinstance(value, Const):
        return value.value in ("bfloat16", "float16")
    if isinstance(value, Select):
        arms = [_is_narrow(job, place, each) for each in value.arms]
        asked = any(name.startswith("torch.cuda") for name in _names(job, place, *parts_of(value.test)))
        return all(arms) or (any(arms) and asked)
    return not frozenset(table(job, "narrow-dtypes")).isdisjoint(_names(job, place, value))


def _names(job: Job, place: Place, *terms: Term) -> list[str]:
    frame = job.program.frame(place.module, place.function)
    return [value.name for each in terms for value in job.program.values(each, frame) if isinstance(value, Library)]


def _is_model(job: Job, place: Place) -> bool:
    """Whether what is turned into a dtype is a model that this trains, and no batch: by its class, or else by its name."""
    assert isinstance(place.term, Call)
    assert isinstance(place.term.callee, Attr)
    owner = place.term.callee.base
    for value in job.program.values(owner, job.program.frame(place.module, place.function)):
        if isinstance(value, Instance):
            above = job.program.lineage(ClassValue(value.module, value.cls))
            return any(isinstance(each, Library) and each.name == "torch.nn.Module" for each in above)
        if isinstance(value, LibraryObject):
            return value.name.startswith("torch.nn.")
    return not _MODELS.isdisjoint(words_of(job.program, owner))
