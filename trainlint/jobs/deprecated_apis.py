"""Old and private names of PyTorch and torchvision: which of them a program uses, and what they are called now.

Also how a use becomes one of the new name, together with the import that gives it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from trainlint.domains.expressions import number
from trainlint.edits.changes import Change, RemoveKeyword, Rename, Renamed, Rewrite, SetKeyword, SwapKeyword, Together
from trainlint.finding import Applicability
from trainlint.ir.nodes import Attr, Call, Const, Element, Global, LoopPhi, Param, Ref, Self, Star, Subscript, Term
from trainlint.ir.sketch import Store
from trainlint.ir.terms import dotted_name
from trainlint.ir.walk import of_kind
from trainlint.program.imports import module_of
from trainlint.program.library_uses import ASKED, BASE, CALL, DECORATOR, IMPORT, PASSED, Use, Uses, framework, targeted
from trainlint.program.naming import reference
from trainlint.program.program import Program

Path = tuple[tuple[str, int | str], ...]


def rename(
    program: Program, place: Renamed, module: str, all_: Iterable[Renamed], message: str, applicability: Applicability
) -> Rename:
    """The change of one place and, where an import gives the name there, of all others that go by it."""
    sketch = program.modules[module]
    shared = _taken_from(program, module)
    imports = tuple((taken.name, taken.dotted, taken.statement) for taken in sketch.taken if taken.name not in shared)
    library = reference(place.new.partition(".")[0], sketch)
    others = tuple(other for other in all_ if other != place)
    return Rename(applicability, message, place=place, others=others, imports=imports, library=library)


def _taken_from(program: Program, path: str) -> frozenset[str]:
    """The names that other files import from a file; all of them where one takes everything."""
    names = program.ask(_all_taken).get(path, frozenset())
    return frozenset(taken.name for taken in program.modules[path].taken) if "*" in names else names


def _all_taken(program: Program) -> Mapping[str, frozenset[str]]:
    """By file the names that others import from it; ``*`` is everything."""
    found: dict[str, set[str]] = {}
    for path, module in program.modules.items():
        for dotted in (
            *(taken.dotted for taken in module.taken),
            *(f"{star}.*" if star.strip(".") else f"{star}*" for star in module.stars),
        ):
            head, _, last = dotted.rpartition(".")
            target = (
                module_of(program.finder, path, head or dotted[: len(dotted) - len(last)])
                if program.finder.may_be_here(dotted)
                else None
            )
            if target is not None:
                found.setdefault(target, set()).add(last)
    return {path: frozenset(names) for path, names in found.items()}


def written_out(use: Use) -> bool:
    """Whether all positional arguments of a call are there."""
    return use.site is not None and not any(isinstance(each, Star) for each in use.site.call.term.args)


def by_keyword(signature: list[str], count: int) -> tuple[str, tuple[Path, ...]] | None:
    """The first ``count`` positional arguments by keyword, and what follows: the text of a :class:`Rewrite` and its paths."""
    if count > len(signature):
        return None
    named = "".join(f", {name}={{{index}}}" for index, name in enumerate(signature[:count]))
    paths = (*(((("argument", index),)) for index in range(count)), (("arguments", count),))
    return f"{named}{{,{count}}}", paths


#: How a repair gets to the new name, or keyword (see the tables ``old_names`` and ``old_arguments``).
_SAME, _LIST, _CHOLESKY, _QR, _RANGE, _DROP, _REDUCTION = "same", "list", "cholesky", "qr", "range", "drop", "reduction"
_CALLED = "call"
#: Values that another operator can follow without parentheses.
_TIGHT = frozenset((Param, Global, Attr, Ref, Call, Const, Subscript, LoopPhi, Self, Element))


class Old(NamedTuple):
    """One use of what is old: ``what`` (a name, or an argument of one), since when, gone since when, the advice, the repair.

    ``quiet`` is what only a documentation calls deprecated.
    """

    use: Use
    what: str
    since: str
    removed: str
    advice: str
    change: Change | None
    quiet: bool = False


def old_names(program: Program, table: Mapping[str, list[str]] | None = None) -> Iterator[Old]:
    """Each use of an old name for which the versions that the file must run with have another; by default of PyTorch's."""
    table = program.knowledge.old_names if table is None else table
    found = [use for use in program.ask(Uses).of(table) if use.kind == CALL or table[use.name][3] != _CALLED]
    found = [use for use in found if use.kind != PASSED or not _replaces(use)]
    found = [use for use in found if _matters(program, use, table[use.name][0], table[use.name][1])]
    found = [use for use in found if use.kind != ASKED or _is_gone(program, use, table[use.name][1])]
    places = [_place(program, use, table) for use in found]
    for use, place in zip(found, places, strict=True):
        since, removed, instead, _, note = table[use.name]
        change = None
        if place is not None:
            others = [
                other.place for each, other in zip(found, places, strict=True) if other is not None and each.module == use.module
            ]
            exact = place.applicability is Applicability.SAFE
            change = rename(program, place.place, use.module, others, f"Use `{instead}`", _safe(program, use, since, exact=exact))
        advice = f"Use `{instead}`" + (f" ({note})." if note else ".")
        gone = removed if _is_gone(program, use, removed) else ""
        yield Old(use, f"`{use.name}`", since, gone, advice, change, not gone and use.name in program.knowledge.quietly_old)


def old_arguments(program: Program) -> Iterator[Old]:
    """Each call that passes a keyword which is old, or leaves out one that is not to be left out any more."""
    for keyword, (since, removed, how, *names) in program.knowledge.old_arguments.items():
        for use in program.ask(Uses).of(frozenset(names)):
            if use.site is None or keyword not in dict(use.site.call.term.kwargs) or not _matters(program, use, since, removed):
                continue
            value = dict(use.site.call.term.kwargs)[keyword]
            gone = removed if _is_gone(program, use, removed) else ""
            advice = "The scheduler no longer prints; `get_last_lr()` returns the learning rate." if how == _DROP else _SAID
            what = f"the argument `{keyword}` of `{use.name}`"
            yield Old(
                use, what, since, gone, advice, _of_keyword(use.site.call.term, keyword, value, how, _safe(program, use, since))
            )
    for name, (since, keyword, default) in program.knowledge.old_defaults.items():
        for use in program.ask(Uses).of((name,)):
            keys = [key for key, _ in use.site.call.term.kwargs] if use.site is not None else [keyword]
            if keyword in keys or None in keys or not _matters(program, use, since, ""):
                continue
            message = f"Set `{keyword}={default}`"
            change = SetKeyword(_safe(program, use, since), message, call=use.spot, keyword=keyword, value=default)
            advice = f"A later version will require it; the default is now `{keyword}={default}`."
            yield Old(use, f"`{name}` without `{keyword}`", since, "", advice, change)


def _replaces(use: Use) -> bool:
    """Whether a function puts something in the place of what it takes there: whoever calls that by its old name is meant."""
    return any(dotted_name(store.target) == use.written for store in of_kind(use.function, Store))


_SAID = "Use `reduction`, which is `mean`, `sum` or `none`."


def _matters(program: Program, use: Use, since: str, removed: str) -> bool:
    """Whether the versions that a file is for have something else, or no longer have this."""
    versions = targeted(program, use.module, framework_of(program, use))
    return (versions.is_for(since) and not versions.is_for_older(since)) or _is_gone(program, use, removed)


def _safe(program: Program, use: Use, since: str, *, exact: bool = True) -> Applicability:
    """Safe is a repair that means the same and runs with every version that the file may meet."""
    there = targeted(program, use.module, framework_of(program, use)).surely(since)
    return Applicability.SAFE if exact and there else Applicability.UNSAFE


def _is_gone(program: Program, use: Use, removed: str) -> bool:
    return bool(removed) and targeted(program, use.module, framework_of(program, use)).is_for(removed)


def framework_of(program: Program, use: Use) -> str:
    """The framework whose versions matter to a use: that of its name, or PyTorch, of which others are a part."""
    top = use.name.partition(".")[0]
    return top if top in program.knowledge.assumed_versions else framework(program)


class _Placed(NamedTuple):
    place: Renamed
    applicability: Applicability


def _place(program: Program, use: Use, table: Mapping[str, list[str]]) -> _Placed | None:
    """What a use of an old name becomes; None where that cannot be said."""
    _, _, new, how, _ = table[use.name]
    if how == _SAME:
        binds = use.imported.name if use.kind == IMPORT and use.imported is not None else None
        if use.kind in (CALL, DECORATOR) or binds is not None:
            return _Placed(Renamed(use.spot, use.written, new, "@", binds=binds, same=True), Applicability.SAFE)
    if how in (_SAME, _CALLED, "") or use.kind in (BASE, IMPORT, DECORATOR) or use.site is None or not written_out(use):
        return None
    call = use.site.call.term
    if how == _RANGE:
        return _range(program, use, call, new)
    made = _LINEAR[how](call)
    return _Placed(Renamed(use.spot, use.written, new, *made), Applicability.SAFE) if made is not None else None


_Made = tuple[str, tuple[Path, ...]]


def _chain(call: Call) -> _Made | None:
    """Several matrices become one list."""
    keys = [key for key, _ in call.kwargs]
    if len(call.args) < len("ab") or set(keys) - {"out"}:
        return None
    listed = ", ".join(f"{{{index}}}" for index in range(len(call.args)))
    paths: list[Path] = [(("argument", index),) for index in range(len(call.args))]
    if keys:
        return f"@([{listed}], out={{{len(paths)}}})", (*paths, (("keyword", "out"),))
    return f"@([{listed}])", tuple(paths)


def _flagged(call: Call, name: str) -> tuple[bool, bool | None]:
    """Whether a call has one tensor and at most one flag of this name; and what the flag is."""
    given = dict(call.kwargs)
    flag = given.pop(name, call.args[1] if len(call.args) > 1 else None)
    fits = not given and 1 <= len(call.args) <= len("ab")
    if flag is None:
        return fits, None
    return fits and isinstance(flag, Const) and type(flag.value) is bool, bool(isinstance(flag, Const) and flag.value)


def _cholesky(call: Call) -> _Made | None:
    """The lower triangle, or the adjoint of it."""
    fits, upper = _flagged(call, "upper")
    return ("@({0}).mH" if upper else "@({0})", ((("argument", 0),),)) if fits else None


def _qr(call: Call) -> _Made | None:
    fits, some = _flagged(call, "some")
    return ('@({0}, mode="complete")' if some is False else "@({0})", ((("argument", 0),),)) if fits else None


_LINEAR = {_LIST: _chain, _CHOLESKY: _cholesky, _QR: _qr}
#: The keyword that says of which type the numbers are.
_DTYPE = "dtype"


def _range(program: Program, use: Use, call: Call, new: str) -> _Placed | None:
    """The end is part of the old one; and its numbers were no whole ones."""
    if {"start", "end", "step"} & {key for key, _ in call.kwargs} or not 1 <= len(call.args) <= len("abc"):
        return None
    values = [number(each) for each in call.args]
    start, end, step = (
        ([0.0, *values] if len(values) == 1 else values)[0],
        values[:2][-1],
        values[2] if len(values) > len("ab") else 1,
    )
    count, last = len(call.args), min(len(call.args), 2) - 1
    parts = [f"{{{index}}}" for index in range(count)]
    exact = start is not None and end is not None and step is not None and all(each == int(each) for each in (start, end, step))
    if exact and step and start is not None and end is not None and (end - start) / step >= 0:
        parts[last] = str(int(start + (int((end - start) / step) + 1) * step))
    elif step != 1:
        return None
    else:
        parts[last] = _one_more(call.args[last], parts[last])
    if _DTYPE not in dict(call.kwargs):
        default = reference(program.knowledge.written["default_type"], program.modules[use.module])
        if default is None:
            return None
        parts.append(f"{_DTYPE}={default}()")
    code = f"@({', '.join(parts)}{{,{count}}})"
    paths: list[Path] = [*((("argument", index),) for index in range(count)), (("arguments", count),)]
    return _Placed(Renamed(use.spot, use.written, new, code, tuple(paths)), Applicability.SAFE if exact else Applicability.UNSAFE)


def _one_more(term: Term, text: str) -> str:
    return f"{text} + 1" if type(term) in _TIGHT else f"({text}) + 1"


def _of_keyword(call: Call, keyword: str, value: Term, how: str, safe: Applicability) -> Change | None:
    """The repair of an old keyword: it goes, or becomes another one."""
    known = value.value if isinstance(value, Const) and type(value.value) is bool else None
    if how == _DROP:
        quiet = Applicability.SAFE if known is False else Applicability.UNSAFE
        return RemoveKeyword(quiet, f"Remove `{keyword}`", call=call.site, keyword=keyword)
    keys = {key for key, _ in call.kwargs}
    if known is None or not keys.isdisjoint(("reduce", _REDUCTION, None)):
        return None
    code = f'{_REDUCTION}="{"mean" if known else "sum"}"'
    return SwapKeyword(safe, f"Use `{code}`", call=call.site, keyword=keyword, code=code)


#: How the device is said (see the table ``old_amp``).
_FIRST, _NAMED, _KEYWORD = "first", "named", "keyword"


class OldAmp(NamedTuple):
    """One use, since when it is deprecated, what to use instead (with the device), and the repair."""

    use: Use
    since: str
    instead: str
    change: Rename | None


def old_amp(program: Program) -> Iterator[OldAmp]:
    """Each use of such a name in a file that is for no version in which it was the only one."""
    table = program.knowledge.old_amp
    found = [
        use
        for use in program.ask(Uses).of(table)
        if use.kind != ASKED and not targeted(program, use.module, framework(program)).is_for_older(table[use.name][0])
    ]
    places: dict[str, dict[int, Renamed]] = {}
    for index, use in enumerate(found):
        place = _amp_place(program, use)
        if place is not None:
            places.setdefault(use.module, {})[index] = place
    for index, use in enumerate(found):
        since, new, device, how = table[use.name]
        of_file = places.get(use.module, {})
        place = of_file.get(index)
        change = None
        if place is not None:
            message = f"Use `{new}`"
            change = rename(program, place, use.module, of_file.values(), message, _safe(program, use, since))
        said = f'`{new}(device_type="{device}")`' if how == _KEYWORD else f'`{new}("{device}", ...)`'
        yield OldAmp(use, since, said, change)


def _amp_place(program: Program, use: Use) -> Renamed | None:
    """What a use becomes; None where that cannot be said here."""
    _, new, device, how = program.knowledge.old_amp[use.name]
    if use.kind == DECORATOR:
        code = f'@(device_type="{device}")'
        return Renamed(use.spot, use.written, new, code) if how == _KEYWORD else None
    if use.kind == IMPORT and use.imported is not None:
        return Renamed(use.spot, use.written, new, "", binds=use.imported.name)
    if use.kind != CALL or use.site is None or not written_out(use):
        return None
    given = use.site.call.term.args
    if how == _KEYWORD:
        pairs = use.site.call.term.kwargs
        if not given and not pairs:
            return Renamed(use.spot, use.written, new, f'@(device_type="{device}")')
        return Renamed(use.spot, use.written, new, f'@({{0}}, device_type="{device}")', ((("arguments", 0),),))
    if how == _FIRST:
        return Renamed(use.spot, use.written, new, f'@("{device}"{{,0}})', ((("arguments", 0),),))
    filled = by_keyword(program.knowledge.signatures.get(use.name, []), len(given))
    if filled is None or _sets_precision(program):
        return None  # without a precision the old one took its own, the new one takes what was set
    return Renamed(use.spot, use.written, new, f'@("{device}"{filled[0]})', filled[1])


def _sets_precision(program: Program) -> bool:
    """Whether somebody changes the precision that an autocast takes by itself."""
    from trainlint.program.call_graph import CallGraph

    index = program.ask(CallGraph)
    return any(index.sites.get(name.rpartition(".")[2]) for name in program.knowledge.autocast_setters)


#: Uses whose place is not that of the name.
_NOT_NAMED = (ASKED, PASSED)


class Private(NamedTuple):
    """One use, the public name, since when there is one, and the repair."""

    use: Use
    public: str
    since: str
    change: Rename | None


def private(program: Program) -> Iterator[Private]:
    """Each use of a private name where the versions that the file must run with have a public one."""
    table = program.knowledge.private
    name = framework(program)
    found = [use for use in program.ask(Uses).by_path(table) if targeted(program, use.module, name).needs(table[use.name][1])]
    places = [_private_place(use, table[use.name][0]) for use in found]
    for use, place in zip(found, places, strict=True):
        public, since = table[use.name]
        others = [
            other for each, other in zip(found, places, strict=True) if each.module == use.module and each.kind not in _NOT_NAMED
        ]
        change = (
            None
            if use.kind in _NOT_NAMED
            else rename(program, place, use.module, others, f"Use `{public}`", _safe(program, use, since))
        )
        yield Private(use, public, since, change)


def _private_place(use: Use, public: str) -> Renamed:
    binds = use.imported.name if use.kind == IMPORT and use.imported is not None else None
    return Renamed(use.spot, use.written, public, "@", binds=binds, same=True)


#: The arguments that say whether there are weights, those that say which, and since when.
_PRETRAINED, _BACKBONE, _WEIGHTS, _OF_BACKBONE, _SINCE = (
    "pretrained",
    "pretrained_backbone",
    "weights",
    "weights_backbone",
    "0.13",
)
#: What variables that hold such an argument are called.
_CALLED_OF_VISION = "pretrain"


class PretrainedArgument(NamedTuple):
    """A model that is told whether it has weights; by which ``arguments``, what says so now, and the repair."""

    use: Use
    arguments: tuple[str, ...]
    instead: tuple[str, ...]
    change: Change | None


def pretrained_arguments(program: Program) -> Iterator[PretrainedArgument]:
    """Each call of a model of torchvision with ``pretrained``, or ``pretrained_backbone``."""
    weights, backbones = _by_name(program.knowledge.old_weights), _by_name(program.knowledge.old_backbones)
    for use in program.ask(Uses).of(weights):
        if use.kind != CALL or use.site is None or not _matters(program, use, _SINCE, ""):
            continue
        call = use.site.call.term
        given = dict(call.kwargs)
        safe = _safe(program, use, _SINCE)
        arguments: list[str] = []
        instead: list[str] = []
        changes: list[Change | None] = []
        for old, new, known in ((_PRETRAINED, _WEIGHTS, weights), (_BACKBONE, _OF_BACKBONE, backbones)):
            if old in given and use.name in known:
                arguments.append(old)
                instead.append(new)
                changes.append(_swapped(call, old, new, _said(given[old], known[use.name]), safe))
        if not arguments and call.args and _is_old(call.args[0]) and written_out(use):
            said = _said(call.args[0], weights[use.name])
            yield PretrainedArgument(use, (_PRETRAINED,), (_WEIGHTS,), _named(call, said, safe))
        elif arguments:
            made = [change for change in changes if change is not None]
            whole = made[0] if len(made) == 1 else Together(safe, "Select the weights explicitly", tuple(made))
            yield PretrainedArgument(use, tuple(arguments), tuple(instead), whole if len(made) == len(changes) else None)


def old_vision(program: Program) -> Iterator[Old]:
    """Each use of an old name of torchvision."""
    return old_names(program, program.knowledge.old_vision)


def _by_name(table: Mapping[str, list[str]]) -> dict[str, str]:
    return {name: weights for weights, names in table.items() for name in names}


def _said(value: Term, weights: str) -> str | None:
    """What a constant says of the weights, as source text; None for what is no constant."""
    if not isinstance(value, Const) or type(value.value) is not bool:
        return None
    return f'"{weights}"' if value.value else "None"


def _swapped(call: Call, old: str, new: str, said: str | None, safe: Applicability) -> Change | None:
    if said is None:
        return None
    return SwapKeyword(safe, f"Use `{new}={said}`", call=call.site, keyword=old, code=f"{new}={said}")


def _named(call: Call, said: str | None, safe: Applicability) -> Change | None:
    if said is None or len(call.args) > 1:
        return None
    paths = ((("function", 0),), (("arguments", 1),))
    return Rewrite(safe, f"Use `{_WEIGHTS}={said}`", spot=call.site, code=f"{{0}}({_WEIGHTS}={said}{{,1}})", paths=paths)


def _is_old(value: Term) -> bool:
    """Whether a first argument says whether there are weights, and not which."""
    if isinstance(value, Const):
        return type(value.value) is bool
    name = value.name if isinstance(value, (Param, Attr, Global)) else ""
    return _CALLED_OF_VISION in str(name)


__all__ = ["CALL", "DECORATOR", "by_keyword", "rename", "written_out"]
