"""What of torchvision is old: models that are told ``pretrained``, transforms, and imports that go a long way round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from trainlint.facts.api.guards import Guards
from trainlint.facts.api.old import Old, framework_of, old_names
from trainlint.facts.api.renames import written_out
from trainlint.facts.api.targets import targeted
from trainlint.facts.api.uses import CALL, Use, Uses
from trainlint.facts.program import Program
from trainlint.finding import Applicability
from trainlint.ir.nodes import Attr, Call, Const, Global, Param, Term
from trainlint.ir.sketch import Imported
from trainlint.sites.changes import Change, Reimport, Rewrite, SwapKeyword, Together

#: The arguments that say whether there are weights, those that say which, and since when.
_PRETRAINED, _BACKBONE, _WEIGHTS, _OF_BACKBONE, _SINCE = (
    "pretrained",
    "pretrained_backbone",
    "weights",
    "weights_backbone",
    "0.13",
)
#: What variables that hold such an argument are called.
_CALLED = "pretrain"


class Told(NamedTuple):
    """A model that is told whether it has weights; by which ``arguments``, what says so now, and the repair."""

    use: Use
    arguments: tuple[str, ...]
    instead: tuple[str, ...]
    change: Change | None


class Around(NamedTuple):
    """An import of a module under its own name (``import a.b as b``), and the shorter one."""

    module: str
    imported: Imported
    code: str
    change: Change


def told(program: Program) -> Iterator[Told]:
    """Each call of a model of torchvision with ``pretrained``, or ``pretrained_backbone``."""
    weights, backbones = _by_name(program.knowledge.old_weights), _by_name(program.knowledge.old_backbones)
    for use in program.ask(Uses).of(weights):
        if use.kind != CALL or use.site is None or not targeted(program, use.module, framework_of(program, use)).needs(_SINCE):
            continue
        call = use.site.call.term
        given = dict(call.kwargs)
        arguments: list[str] = []
        instead: list[str] = []
        changes: list[Change | None] = []
        for old, new, known in ((_PRETRAINED, _WEIGHTS, weights), (_BACKBONE, _OF_BACKBONE, backbones)):
            if old in given and use.name in known:
                arguments.append(old)
                instead.append(new)
                changes.append(_swapped(call, old, new, _said(given[old], known[use.name])))
        if not arguments and call.args and _is_old(call.args[0]) and written_out(use):
            said = _said(call.args[0], weights[use.name])
            yield Told(use, (_PRETRAINED,), (_WEIGHTS,), _named(call, said))
        elif arguments:
            made = [change for change in changes if change is not None]
            whole = made[0] if len(made) == 1 else Together(Applicability.SAFE, "Say which weights", tuple(made))
            yield Told(use, tuple(arguments), tuple(instead), whole if len(made) == len(changes) else None)


def old_vision(program: Program) -> Iterator[Old]:
    """Each use of an old name of torchvision."""
    return old_names(program, program.knowledge.old_vision)


def around(program: Program) -> Iterator[Around]:
    """Each ``import a.b as b`` of a module of which ``from a import b`` says the same."""
    names = program.knowledge.old_imports
    for path, module in program.modules.items():
        for taken in module.taken:
            whole, _, last = taken.dotted.rpartition(".")
            if (
                taken.whence is None
                and taken.dotted in names
                and taken.name == last
                and not program.ask(Guards).around(path, taken.tests)
            ):
                code = f"from {whole} import {last}"
                change = Reimport(Applicability.SAFE, f"Use `{code}`", statement=taken.statement, code=code)
                yield Around(path, taken, code, change)


def _by_name(table: Mapping[str, list[str]]) -> dict[str, str]:
    return {name: weights for weights, names in table.items() for name in names}


def _said(value: Term, weights: str) -> str | None:
    """What a constant says of the weights, as source text; None for what is no constant."""
    if not isinstance(value, Const) or type(value.value) is not bool:
        return None
    return f'"{weights}"' if value.value else "None"


def _swapped(call: Call, old: str, new: str, said: str | None) -> Change | None:
    if said is None:
        return None
    return SwapKeyword(Applicability.SAFE, f"Use `{new}={said}`", call=call.site, keyword=old, code=f"{new}={said}")


def _named(call: Call, said: str | None) -> Change | None:
    if said is None or len(call.args) > 1:
        return None
    paths = ((("function", 0),), (("arguments", 1),))
    return Rewrite(
        Applicability.SAFE, f"Use `{_WEIGHTS}={said}`", spot=call.site, code=f"{{0}}({_WEIGHTS}={said}{{,1}})", paths=paths
    )


def _is_old(value: Term) -> bool:
    """Whether a first argument says whether there are weights, and not which."""
    if isinstance(value, Const):
        return type(value.value) is bool
    name = value.name if isinstance(value, (Param, Attr, Global)) else ""
    return _CALLED in str(name)
