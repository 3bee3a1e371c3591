"""Training scripts: which files are such, which train a model when they are run, and their options that are never read.

A script does it at its top level, behind the test for ``__main__``, in what that calls, or in what it hands to a launcher
(``spawn``, ``fire.Fire(main)``). A library that defines how to train is none: nothing happens when it is imported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from trainlint.domains.reproducibility import Randomness
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Const, Dict, Display, ItemDisplay, List, Subscript, Term, Unknown
from trainlint.ir.order import loops_around
from trainlint.ir.sketch import CallStep, Function, Loop
from trainlint.ir.terms import dotted_name, parts_of, parts_through
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.contexts import own_then_called
from trainlint.program.def_use import Uses, made_in
from trainlint.program.environment import declarations, names_of
from trainlint.program.library_uses import imports_framework, uses_framework
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Context, Library, LibraryObject, Unresolved

_TOP = "<module>"


class Entry(NamedTuple):
    """A training script: the call of its top level that leads to the training, and the training's backward pass."""

    module: str
    start: CallSite
    backward: CallSite


def entries(program: Program) -> tuple[Entry, ...]:
    """The training scripts among the files of a program."""
    return program.ask(_entries)


def _entries(program: Program) -> tuple[Entry, ...]:
    return tuple(_found(program))


def _found(program: Program) -> Iterator[Entry]:
    asked = program.ask(Randomness)
    training = _training(program)
    for path, module in program.modules.items():
        top = module.functions.get(_TOP)
        if top is None or not calls_of(top) or not uses_framework(program, path) or _measures(program, path):
            continue
        found = _entry(asked, path, top, training)
        if found is None or _fits_data(program, found.backward):
            continue
        if any(program.ask_of(imports_framework, each) for each in (module, program.modules[found.backward.module])):
            yield found


def _measures(program: Program, path: str) -> bool:
    """Whether a file is a benchmark or belongs to tests, by its name or that of a folder of the project."""
    words = program.knowledge.tables["entries.measures"]["names"]
    own = path.removeprefix(program.finder.top).lower().replace("-", "_").split("/")
    return any(word in part for part in own for word in words)


def _fits_data(program: Program, backward: CallSite) -> bool:
    """Whether what is optimized beside a backward pass is a tensor of its own, such as an image: ``Adam([image])``."""
    knowledge = program.knowledge
    made = []
    for call in calls_of(backward.function):
        dotted = dotted_name(call.term.callee)
        if dotted is not None and call.term.args and knowledge.optimizer_kind(knowledge.canonical(dotted)) == "optimizer":
            made.append(call.term.args[0])
    return bool(made) and all(isinstance(each, List) and each.items and all(map(_is_tensor, each.items)) for each in made)


def _is_tensor(item: Term) -> bool:
    """Whether something in a list is no group of parameters, and was not taken out of one."""
    return not isinstance(item, (Dict, Unknown)) and "parameters" not in (last_name(item) or "")


def _training(program: Program) -> dict[int, CallSite]:
    """The functions that run backward passes in a loop of their own or of a caller, each with such a pass."""
    found: dict[int, CallSite] = {}
    names, sites = program.knowledge.backward, program.ask(CallGraph).sites
    running = {id(site.function) for name in names for site in sites.get(name, ())}
    for path, function in program.functions():
        for call in calls_of(function) if id(function) in running else ():
            if last_name(call.term.callee) in names and id(function) not in found and not tests_software(program, path, function):
                found[id(function)] = CallSite(path, function, call)
    return found


def _entry(asked: Randomness, path: str, top: Function, training: dict[int, CallSite]) -> Entry | None:
    own = training.get(id(top))
    if own is not None and loops_around(top, own.call):
        return Entry(path, own, own) if any(map(asked.updates, (top, *_run_of(asked, path, top)))) else None
    for call in calls_of(top):
        for target in asked.called(call.term, path, top):
            run = [function for _, function in asked.run(target.module, target.function)]
            found = next((training[id(each)] for each in run if id(each) in training and _loops(each, asked)), None)
            if found is not None and any(map(asked.updates, run)):
                return Entry(path, CallSite(path, top, call), found)
    return None


def _run_of(asked: Randomness, path: str, top: Function) -> Iterator[Function]:
    """What the top level of a file runs, beside itself."""
    yield from (function for _, function in asked.run(path, top)[1:])


def _loops(function: Function, asked: Randomness) -> bool:
    """Whether a backward pass runs many times: in a loop of its function, or of one that calls it."""
    if of_kind(function, Loop):
        return True
    return any(of_kind(site.function, Loop) for site in asked.index.callers(function))


# -- options ----------------------------------------------------------------------------------------------------------


class Unread(NamedTuple):
    """An option that nobody reads: where it is declared, how it is spelled, and where the options are parsed."""

    module: str
    declared: CallStep
    spelled: str
    parsed: tuple[str, Spot]


def unread(program: Program) -> Iterator[Unread]:
    """The options of parsers whose result is read by the names of options only, and never by theirs."""
    index, words = program.ask(CallGraph), program.knowledge.tables["options"]
    sites = [site for name in words["parses"] for site in index.sites_named(name.rpartition(".")[2])]
    parsers = [(site, parser) for site in sites if (parser := _parsers(program, site))]
    found: set[Spot] = set()
    for site, parser in parsers:
        if tests_software(program, site.module, site.function):
            continue
        methods = _reads(program, [other for other, its in parsers if other is site or (its & parser) - {None}])
        if len(methods) < _SEVERAL:
            continue
        for option in declarations(program):
            names = names_of(option.call.term.args, dict(option.call.term.kwargs).get("dest"))
            if not names or not methods.isdisjoint(names) or _is_settled(option):
                continue
            if _belongs(program, option, parser) and not _excludes(program, option):
                spelled = _spelled(program, option, names)
                if spelled is not None and option.call.term.site not in found:
                    found.add(option.call.term.site)
                    yield Unread(option.module, option.call, spelled, (site.module, site.call.term.site))


def _reads(program: Program, sites: Iterable[CallSite]) -> frozenset[str]:
    """What is read of the options that a parser gives, each time it is asked for them; nothing where they get out of sight."""
    words, methods = program.knowledge.tables["options"], set[str]()
    for site in sites:
        use = program.ask(Uses).of(site.module, site.function, site.call)
        if use.escapes or not use.methods.isdisjoint(words["whole"]):
            return frozenset()
        if _is_handed_whole(program, site.call.term, (*use.given, *words["turns"])):
            return frozenset()
        methods.update(use.methods)
    return frozenset(methods)


def _is_handed_whole(program: Program, made: Call, given: Iterable[str]) -> bool:
    """Whether one of these functions is given an object itself, not only what it has, and does more than to log it."""
    words = program.knowledge.tables["options"]
    others = {name for name in given if not _logs(program, name)}
    for name in others:
        for site in program.ask(CallGraph).sites_named(name.removesuffix("()").rpartition(".")[2]):
            given_here = (*site.call.term.args, *(value for _, value in site.call.term.kwargs))
            handed = [part for each in given_here for part in parts_through(each, _items)]
            values = (v for frame in own_then_called(program, site) for each in handed for v in program.values(each, frame))
            if any(isinstance(value, LibraryObject) and value.call is made for value in values):
                parents = program.ask(Uses).parents(site.module).of.get(site.call.term, ()) if name in words["turns"] else ()
                takers = [each for each, _ in parents if not isinstance(each, CallStep)]
                if not takers or not all(isinstance(each, Call) and _logs(program, _name(each)) for each in takers):
                    return True
    return False


def _items(term: Term) -> tuple[Term, ...]:
    """What is in a container that is written down: ``args=(options,)``."""
    return term.values if isinstance(term, Display) else ()


def _logs(program: Program, name: str) -> bool:
    """Whether a function, by its dotted name, only logs or prints what it is given."""
    words = program.knowledge.tables["options"]
    return program.knowledge.canonical(name).startswith(tuple(words["logs"])) or name.rpartition(".")[2] in words["logging"]


def _name(call: Call) -> str:
    return dotted_name(call.callee) or f"{last_name(call.callee)}()"


def _parsers(program: Program, site: CallSite) -> set[Call | None]:
    """The calls that made the parser which a call has parse the options."""
    callee, words = site.call.term.callee, program.knowledge.tables["options"]
    found: set[Call | None] = set()
    for frame in own_then_called(program, site) if isinstance(callee, Attr) else ():
        if program.may_be_one_of(callee, frame, words["parses"]):
            assert isinstance(callee, Attr)
            found.update(v.call for v in program.values(callee.base, frame) if isinstance(v, LibraryObject))
    return found


#: So many options are read, at least, where it is to be seen that they are read by their names.
_SEVERAL = 2


def _belongs(program: Program, option: CallSite, parser: set[Call | None]) -> bool:
    """Whether an option is one of a parser, or of a group of its options."""
    return any(_is_of(program, option.call.term.callee, frame, parser) for frame in own_then_called(program, option))


def _is_of(program: Program, term: Term, frame: Context, parser: set[Call | None]) -> bool:
    """Whether what a method is called on is one of some parsers, or was made by a method of one."""
    while isinstance(term, Attr):
        made = [value for value in program.values(term.base, frame) if isinstance(value, LibraryObject)]
        if len(made) != 1 or made[0].call is None or made[0].frame is None:
            return False
        if made[0].call in parser:
            return True
        term, frame = made[0].call.callee, made[0].frame
    return False


def _is_settled(option: CallSite) -> bool:
    """Whether an option allows one value only: it says what there is, and nobody can set it to anything else."""
    choices = dict(option.call.term.kwargs).get("choices")
    return isinstance(choices, ItemDisplay) and type(choices.items) is tuple and len(choices.items) == 1


def _excludes(program: Program, option: CallSite) -> bool:
    """Whether an option is one of a group of which one may be given: it says that none of the others is meant."""
    method = option.call.term.callee
    if not isinstance(method, Attr):
        return False
    groups = (value for frame in own_then_called(program, option) for value in program.values(method.base, frame))
    names = program.knowledge.tables["options"]["excludes"]
    return any(
        isinstance(group, LibraryObject) and group.call is not None and last_name(group.call.callee) in names for group in groups
    )


def _spelled(program: Program, option: CallSite, names: set[str]) -> str | None:
    """How an option is spelled, if it is one that has an effect only where it is read, and nothing of its name is read."""
    call, words = option.call.term, program.knowledge.tables["options"]
    texts = [each.value for each in call.args if isinstance(each, Const) and isinstance(each.value, str)]
    long = next((each for each in texts if each.startswith("--")), None)
    said = {name: value.value for name, value in call.kwargs if isinstance(value, Const)}
    if long is None or said.get("action") in words["acts"] or not names.isdisjoint(program.knowledge.conventions):
        return None
    shown = dict(call.kwargs).get("help")
    if any(word in str(said.get("help", "")).lower() for word in words["known"]) or _is_hidden(program, shown, option):
        return None
    near = [path for path in program.modules if program.together(path, option.module)]
    read = any(
        not names.isdisjoint(program.ask_of(_inside_values, path)) or _reads_it(program, path, names, call) for path in near
    )
    return None if read else long


def _is_hidden(program: Program, shown: Term | None, option: CallSite) -> bool:
    """Whether what the help says of an option is that it is not shown."""
    said = program.values(shown, program.frame(option.module, option.function)) if shown is not None else ()
    return any(isinstance(each, Library) and each.name in program.knowledge.tables["options"]["hidden"] for each in said)


def _reads_it(program: Program, path: str, names: set[str], declared: Call) -> bool:
    """Whether something of this name is read in a file, of options or of what nobody knows: an attribute, a key."""
    for term, places in program.ask(Uses).parents(path).of.items():
        of = _read(program, term, names) if term is not declared else None
        if of is not None:
            values = [value for _, function in places for value in program.values(of, program.frame(path, function))]
            parses = program.knowledge.tables["options"]["parses"]
            if not values or any(isinstance(each, Unresolved) or getattr(each, "name", "") in parses for each in values):
                return True
    return False


def _read(program: Program, term: Term, names: set[str]) -> Term | None:
    """Of what a term reads the attribute or the item that has one of these names: ``x.lr``, ``x["lr"]``, ``getattr(x, "lr")``."""
    if isinstance(term, Attr) and term.name in names:
        return term.base
    if isinstance(term, Subscript) and isinstance(term.key, Const) and term.key.value in names:
        return term.base
    if not isinstance(term, Call) or not any(isinstance(each, Const) and each.value in names for each in term.args):
        return None
    reads = last_name(term.callee) in program.knowledge.tables["options"]["reads"]
    return (term.callee.base if isinstance(term.callee, Attr) else term.args[0]) if reads else None


def _inside_values(program: Program, path: str) -> frozenset[str]:
    """The attributes that f-strings, comprehensions and the like read in a file, and what its names are, whosever they are."""
    module = program.modules[path]
    values = (each for function in module.functions.values() for each in made_in(function, Unknown))
    terms = (*(part for each in values for part in each.made_of()), *module.names.values())
    return frozenset(part.name for part in parts_of(*terms) if isinstance(part, Attr))
