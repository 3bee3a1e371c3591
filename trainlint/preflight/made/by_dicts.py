"""What dicts of a job have made: ``{"target": "main.Save", "params": {"top": 3}}``, for whoever finds classes by such names.

They are made where they are handed to what finds classes, ``instantiate_from_config(CALLBACK)``, or are what a configuration
is laid over in a function that does. A dict out of which one item is taken is that item.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from trainlint.facts.calls import last_name
from trainlint.facts.components import split_import
from trainlint.facts.program import Program, calls_of
from trainlint.finding import Spot
from trainlint.model.sketch import Call, Function, Keep, Store
from trainlint.model.terms import Term
from trainlint.model.walk import of_kind
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


def made_by_dicts(program: Program, path: str, function: Function, call: Call) -> Iterator[Call]:
    """The calls that somebody makes of the dicts that a call of a function is handed (in the file of the path)."""
    finds = known(program, "finds-by-name")
    callee = call.term[1]
    if last_name(callee) not in finds:
        is_laid = callee[0] == "r" and callee[1] in _LAYS
        if not is_laid or not any(last_name(each.term[1]) in finds for each in calls_of(function)):
            return
    for given in call.term[2]:
        for each in _targets(given, 0):
            yield Call(_made(program, path, function, each), call.statement)


def _targets(term: Term, depth: int) -> Iterator[Term]:
    """The dicts in a term that name a class each."""
    if term[0] == "sub" and term[1][0] == "dict":
        term = _item(term[1], term[2][2] if term[2][0] == "c" else None) or term
    if term[0] != "dict":
        return
    if _name(term) is not None:
        yield term
    elif depth < _DEEPEST:
        for _, value in term[1]:
            yield from _targets(value, depth + 1) if value is not None else ()


def _item(term: Term, key: object) -> Term | None:
    return next((value for each, value in term[1] if each is not None and each[0] == "c" and each[2] == key), None)


def _name(term: Term) -> str | None:
    """The dotted name of the class that a dict has made."""
    for key in TARGETS:
        given = _item(term, key)
        if given is not None and given[0] == "c" and isinstance(given[2], str) and DOTTED.fullmatch(given[2]):
            return given[2]
    return None


def is_own(program: Program, path: str, name: str) -> bool:
    """Whether a class is one of the project's: what its arguments are called says nothing of a library."""
    where, rest = split_import(program.finder, path, name)
    module = program.modules.get(where or "")
    return module is not None and bool(rest) and rest[0] in module.classes


def _made(program: Program, path: str, function: Function, term: Term) -> Term:
    """The call that a dict stands for."""
    name = _name(term) or ""
    given = next((found for key in PARAMETERS if (found := _item(term, key)) is not None), None)
    pairs = given[1] if given is not None and given[0] == "dict" else ()
    keywords = {key[2]: value for key, value in pairs if key is not None and key[0] == "c" and isinstance(key[2], str)}
    stores = [(node.target, node.value) for node in of_kind(function, Keep)]
    for target, value in (*stores, *((node.target, node.value) for node in of_kind(function, Store))):
        if (
            target[0] == "sub"
            and target[1][0] == "sub"
            and target[1][1] is term
            and target[2][0] == "c"
            and target[2][2] in _LATER
        ):
            keywords.setdefault(target[2][2], value)
    line, column = term[2:4]
    keywords = {} if is_own(program, path, name) else keywords
    return Term(("call", Term(("r", name)), (), tuple(keywords.items()), Spot(line, column, line, column + 1)))
