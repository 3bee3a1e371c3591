"""What dicts of a job have made: ``{"target": "main.Save", "params": {"top": 3}}``, for whoever finds classes by such names.

They are made where they are handed to what finds classes, ``instantiate_from_config(CALLBACK)``, or are what a configuration
is laid over in a function that does. A dict out of which one item is taken is that item.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from trainlint.facts.call_graph import last_name
from trainlint.facts.components import split_import
from trainlint.facts.program import Program, calls_of
from trainlint.finding import Spot
from trainlint.ir.nodes import Call, Const, Dict, Ref, Subscript, Term
from trainlint.ir.sketch import CallStep, Function, Keep, Store
from trainlint.ir.walk import of_kind
from trainlint.preflight.known import known

#: Keys of the name of a class, and of what it is made with.
TARGETS, PARAMETERS = ("target", "_target_"), ("params", "kwargs")
#: What lays configurations over each other, and makes one of a dict.
_LAYS = ("omegaconf.OmegaConf.merge", "omegaconf.OmegaConf.create")
#: What is put into a dict of parameters behind a test, and may decide which file is the newest.
_LATER = ("monitor",)
#: Dicts in dicts in …
_DEEPEST = 2
DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")


def made_by_dicts(program: Program, path: str, function: Function, call: CallStep) -> Iterator[CallStep]:
    """The calls that somebody makes of the dicts that a call of a function is handed (in the file of the path)."""
    finds = known(program, "finds-by-name")
    callee = call.term.callee
    if last_name(callee) not in finds:
        is_laid = isinstance(callee, Ref) and callee.name in _LAYS
        if not is_laid or not any(last_name(each.term.callee) in finds for each in calls_of(function)):
            return
    for given in call.term.args:
        for each in _targets(given, 0):
            yield CallStep(_made(program, path, function, each), call.statement)


def _targets(term: Term, depth: int) -> Iterator[Dict]:
    """The dicts in a term that name a class each."""
    if isinstance(term, Subscript) and isinstance(term.base, Dict):
        term = _item(term.base, term.key.value if isinstance(term.key, Const) else None) or term
    if not isinstance(term, Dict):
        return
    if _name(term) is not None:
        yield term
    elif depth < _DEEPEST:
        for _, value in term.items:
            yield from _targets(value, depth + 1) if value is not None else ()


def _item(term: Dict, key: object) -> Term | None:
    return next((value for each, value in term.items if each is not None and isinstance(each, Const) and each.value == key), None)


def _name(term: Dict) -> str | None:
    """The dotted name of the class that a dict has made."""
    for key in TARGETS:
        given = _item(term, key)
        if given is not None and isinstance(given, Const) and isinstance(given.value, str) and DOTTED.fullmatch(given.value):
            return given.value
    return None


def is_own(program: Program, path: str, name: str) -> bool:
    """Whether a class is one of the project's: what its arguments are called says nothing of a library."""
    where, rest = split_import(program.finder, path, name)
    module = program.modules.get(where or "")
    return module is not None and bool(rest) and rest[0] in module.classes


def _made(program: Program, path: str, function: Function, term: Dict) -> Call:
    """The call that a dict stands for."""
    name = _name(term) or ""
    given = next((found for key in PARAMETERS if (found := _item(term, key)) is not None), None)
    pairs = given.items if given is not None and isinstance(given, Dict) else ()
    keywords = {
        key.value: value for key, value in pairs if key is not None and isinstance(key, Const) and isinstance(key.value, str)
    }
    stores = [(node.target, node.value) for node in of_kind(function, Keep)]
    for target, value in (*stores, *((node.target, node.value) for node in of_kind(function, Store))):
        if (
            isinstance(target, Subscript)
            and isinstance(target.base, Subscript)
            and target.base.base is term
            and isinstance(target.key, Const)
            and target.key.value in _LATER
        ):
            keywords.setdefault(target.key.value, value)
    line, column = term.line, term.column
    keywords = {} if is_own(program, path, name) else keywords
    return Call.new(Ref.new(name), (), tuple(keywords.items()), Spot(line, column, line, column + 1))
