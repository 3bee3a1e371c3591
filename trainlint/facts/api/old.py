"""Which functions, classes and arguments of a library are old, and what they become."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from trainlint.facts.api.renames import rename, written_out
from trainlint.facts.api.targets import targeted
from trainlint.facts.api.uses import BASE, CALL, DECORATOR, IMPORT, Use, Uses
from trainlint.facts.framework import framework
from trainlint.facts.numerics.expressions import number
from trainlint.facts.program import Program
from trainlint.finding import Applicability
from trainlint.ir.nodes import Attr, Call, Const, Element, Global, LoopPhi, Param, Ref, Self, Subscript, Term
from trainlint.sites.changes import Change, RemoveKeyword, Renamed, SetKeyword, SwapKeyword

#: How a repair gets to the new name, or keyword (see the tables ``old_names`` and ``old_arguments``).
_SAME, _LIST, _CHOLESKY, _QR, _RANGE, _DROP, _REDUCTION = "same", "list", "cholesky", "qr", "range", "drop", "reduction"
_CALLED = "call"
#: Values that another operator can follow without parentheses.
_TIGHT = frozenset((Param, Global, Attr, Ref, Call, Const, Subscript, LoopPhi, Self, Element))


class Old(NamedTuple):
    """One use of what is old: ``what`` (a name, or an argument of one), since when, gone since when, the advice, the repair."""

    use: Use
    what: str
    since: str
    removed: str
    advice: str
    change: Change | None


def old_names(program: Program, table: Mapping[str, list[str]] | None = None) -> Iterator[Old]:
    """Each use of an old name for which the versions that the file must run with have another; by default of PyTorch's."""
    table = program.knowledge.old_names if table is None else table
    found = [use for use in program.ask(Uses).of(table) if use.kind == CALL or table[use.name][3] != _CALLED]
    found = [use for use in found if _matters(program, use, table[use.name][0], table[use.name][1])]
    places = [_place(program, use, table) for use in found]
    for use, place in zip(found, places, strict=True):
        since, removed, instead, _, note = table[use.name]
        change = None
        if place is not None:
            others = [
                other.place for each, other in zip(found, places, strict=True) if other is not None and each.module == use.module
            ]
            change = rename(program, place.place, use.module, others, f"Use `{instead}`", place.applicability)
        advice = f"Use `{instead}`" + (f": {note}." if note else ".")
        yield Old(use, f"`{use.name}`", since, removed if _is_gone(program, use, removed) else "", advice, change)


def old_arguments(program: Program) -> Iterator[Old]:
    """Each call that passes a keyword which is old, or leaves out one that is not to be left out any more."""
    for keyword, (since, removed, how, *names) in program.knowledge.old_arguments.items():
        for use in program.ask(Uses).of(frozenset(names)):
            if use.site is None or keyword not in dict(use.site.call.term.kwargs) or not _matters(program, use, since, removed):
                continue
            value = dict(use.site.call.term.kwargs)[keyword]
            gone = removed if _is_gone(program, use, removed) else ""
            advice = "The scheduler prints nothing any more; `get_last_lr()` says what it does." if how == _DROP else _SAID
            what = f"the argument `{keyword}` of `{use.name}`"
            yield Old(use, what, since, gone, advice, _of_keyword(use.site.call.term, keyword, value, how))
    for name, (since, keyword, default) in program.knowledge.old_defaults.items():
        for use in program.ask(Uses).of((name,)):
            keys = [key for key, _ in use.site.call.term.kwargs] if use.site is not None else [keyword]
            if keyword in keys or None in keys or not _matters(program, use, since, ""):
                continue
            message = f"Set `{keyword}={default}`"
            change = SetKeyword(Applicability.SAFE, message, call=use.spot, keyword=keyword, value=default)
            advice = f"A later version will not do without it; what it is now is `{keyword}={default}`."
            yield Old(use, f"`{name}` without `{keyword}`", since, "", advice, change)


_SAID = "Use `reduction`, which is `mean`, `sum` or `none`."


def _matters(program: Program, use: Use, since: str, removed: str) -> bool:
    """Whether the versions that a file must run with have something else, or no longer have this."""
    return targeted(program, use.module, framework_of(program, use)).needs(since) or _is_gone(program, use, removed)


def _is_gone(program: Program, use: Use, removed: str) -> bool:
    return bool(removed) and targeted(program, use.module, framework_of(program, use)).reaches(removed)


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


_Path = tuple[tuple[str, int | str], ...]
_Made = tuple[str, tuple[_Path, ...]]


def _chain(call: Call) -> _Made | None:
    """Several matrices become one list."""
    keys = [key for key, _ in call.kwargs]
    if len(call.args) < len("ab") or set(keys) - {"out"}:
        return None
    listed = ", ".join(f"{{{index}}}" for index in range(len(call.args)))
    paths: list[_Path] = [(("argument", index),) for index in range(len(call.args))]
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
        if use.written != use.name:  # is the library itself bound here?
            return None
        parts.append(f"{_DTYPE}={program.knowledge.written['default_type']}()")
    code = f"@({', '.join(parts)}{{,{count}}})"
    paths: list[_Path] = [*((("argument", index),) for index in range(count)), (("arguments", count),)]
    return _Placed(Renamed(use.spot, use.written, new, code, tuple(paths)), Applicability.SAFE if exact else Applicability.UNSAFE)


def _one_more(term: Term, text: str) -> str:
    return f"{text} + 1" if type(term) in _TIGHT else f"({text}) + 1"


def _of_keyword(call: Call, keyword: str, value: Term, how: str) -> Change | None:
    """The repair of an old keyword: it goes, or becomes another one."""
    known = value.value if isinstance(value, Const) and type(value.value) is bool else None
    if how == _DROP:
        safe = Applicability.SAFE if known is False else Applicability.UNSAFE
        return RemoveKeyword(safe, f"Remove `{keyword}`", call=call.site, keyword=keyword)
    keys = {key for key, _ in call.kwargs}
    if known is None or not keys.isdisjoint(("reduce", _REDUCTION, None)):
        return None
    code = f'{_REDUCTION}="{"mean" if known else "sum"}"'
    return SwapKeyword(Applicability.SAFE, f"Use `{code}`", call=call.site, keyword=keyword, code=code)
