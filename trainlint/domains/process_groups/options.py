"""What is written down of a process group that should be asked for: ranks, GPUs, backends, timeouts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.constructor_arguments import Options, led_to
from trainlint.domains.process_groups.current_device import apart
from trainlint.domains.process_groups.lifecycle import Start, Starting, starts
from trainlint.finding import Spot
from trainlint.ir.control_dependence import Failed, Led, walk_tested
from trainlint.ir.nodes import NAMES, Attr, BoolOp, Call, Compare, Const, ItemDisplay, LoopPhi, Not, Ref, SequenceDisplay, Term
from trainlint.ir.order import within
from trainlint.ir.sketch import CallStep, With
from trainlint.ir.terms import is_none, parts_of, text_of, whole_number
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.consteval import constant
from trainlint.program.contexts import calling_contexts, contexts_at
from trainlint.program.environment import writes
from trainlint.program.naming import reference
from trainlint.program.program import Program, calls_of
from trainlint.program.running_calls import surely_running
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Context, Library, LibraryObject, Unresolved, Value

_RANK, _SIZE = "rank", "world_size"
#: How many processes a spawner starts; it may be the third in order.
_COUNTS = ("nprocs",)


class HardcodedWorld(NamedTuple):
    """A start of a group with a number for the rank, the size of the group, or both (None: not a number); where it is written."""

    start: Start
    rank: int | None
    size: int | None
    place: tuple[str, Spot] | None


def hardcoded_worlds(program: Program) -> Iterator[HardcodedWorld]:
    """Each such start of a group of more than one process."""
    own = program.knowledge.tables["groups"]["made_up"]
    found = [(start, _number(program, start, _RANK), _number(program, start, _SIZE)) for start in program.ask(starts)]
    for start, rank, size in found:
        module = start.site.module
        if tests_software(program, module, start.function) or not (start.backends or frozenset()).isdisjoint(own):
            continue
        if size == 1 or (rank is None and size is None) or _is_one_of_several(start, rank, found):
            continue
        if rank is None and _starts_them(program, module):
            continue
        parameter = _SIZE if rank is None else _RANK
        if not isinstance(start.given(program, parameter), Const) and _is_one_way(program, start):
            continue
        yield HardcodedWorld(start, rank, size, _written_at(program, start, parameter))


def _number(program: Program, start: Start, parameter: str) -> int | None:
    """A number that is written down for a parameter; what stands for "read it from the environment" is none."""
    said = whole_number(program.ask(Options).constant(start.site, parameter, start.name))
    return said if said is not None and said >= 0 else None


def _is_one_way(program: Program, start: Start) -> bool:
    """Whether a test leads to a call that may pass the number: it is that of the one process, perhaps, where there is one."""
    return any(
        inner.call is not None and inner.caller is not None and led_to(inner.caller.function, inner.call)
        for frame in calling_contexts(program, start.site.module, start.function)
        for inner in frame.active()
    )


def _written_at(program: Program, start: Start, parameter: str) -> tuple[str, Spot] | None:
    frame = next(iter(calling_contexts(program, start.site.module, start.function)))
    return program.ask(Options).written_at(start.site.call.term, frame, parameter, start.name)


def _is_one_of_several(start: Start, rank: int | None, found: list[tuple[Start, int | None, int | None]]) -> bool:
    """Whether the file starts the group with other numbers, too: each process has a part of the program of its own."""
    others = (other for each, other, _ in found if each.site.module == start.site.module and each is not start)
    return rank is not None and any(other is not None and other != rank for other in others)


def _starts_them(program: Program, module: str) -> bool:
    """Whether the files around start a number of processes that is written down: the program knows how many there are."""
    for name in sorted({name.rpartition(".")[2] for name in program.knowledge.spawners}):
        for site in program.ask(CallGraph).sites.get(name, ()):
            frame = program.frame(site.module, site.function)
            given = [*(value for keyword, value in site.call.term.kwargs if keyword in _COUNTS), *site.call.term.args[2:3]]
            values = [value for term in given for value in program.values(term, frame)]
            if program.together(site.module, module) and any(
                isinstance(each, Unresolved) and isinstance(each.term, Const) for each in values
            ):
                return True
    return False


_NUMBERED = re.compile(r"[a-z]+:[0-9]+")


class HardcodedDevice(NamedTuple):
    """A call that is told such a GPU: ``keyword`` by which (None: as its first argument), the text, the start of the group."""

    site: CallSite
    keyword: str | None
    text: str
    start: Start


def hardcoded_devices(program: Program) -> Iterator[HardcodedDevice]:
    """The first such call of each function that runs in every process of a group of GPUs."""
    groups = [start for start in program.ask(starts) if start.on_gpus(program)]
    if not groups:
        return
    for path, function in program.functions():
        frame = program.frame(path, function)
        found = [(call, told) for call in calls_of(function) for told in [_told(program, call.term, frame)] if told is not None]
        if not found or tests_software(program, path, function):
            continue
        start = program.ask(Starting).above(function)
        if start is None or not start.on_gpus(program) or _shows_one(program, path):
            continue
        led = {id(node): tests for node, tests in walk_tested(function.body) if isinstance(node, CallStep)}
        for call, (keyword, text) in found:
            tests = led.get(id(call), ())
            alone = apart(program, tests) or _depends(program, tests)
            if not alone and not _is_only_asked_about(program, call, calls_of(function)):
                yield HardcodedDevice(CallSite(path, function, call), keyword, text, start)
                break


def _shows_one(program: Program, module: str) -> bool:
    """Whether the files around a file show each process a GPU of its own: the first one that it sees is that."""
    words = program.knowledge.tables["groups"]
    for write in program.ask(writes):
        if write.name in words["visible"] and program.together(write.module, module):
            said = {word for part in parts_of(write.value) for word in _words(part)}
            if any(each in word for word in said for each in words["own"]):
                return True
    return False


def _words(part: Term) -> tuple[str, ...]:
    text = part.name if isinstance(part, LoopPhi) else text_of(part)
    return () if text is None else (text.lower(),)


def _is_only_asked_about(program: Program, call: CallStep, calls_there: tuple[CallStep, ...]) -> bool:
    """Whether a device is made for a question about it."""
    words = program.knowledge.tables["groups"]["asks_about"]
    return any(call.term in each.term.args and last_name(each.term.callee) in words for each in calls_there)


def _depends(program: Program, led: Led) -> bool:
    """Whether a test asks for the device."""
    words = program.knowledge.tables["groups"]["beside"]
    return any(
        isinstance(test, Failed) or any(word == "device" or word in words for part in parts_of(test) for word in _words(part))
        for test, _ in led
    )


def _told(program: Program, call: Call, frame: Context) -> tuple[str | None, str] | None:
    """The GPU that a call is told by its number."""
    words = program.knowledge.tables["groups"]
    for keyword, value in call.kwargs:
        if keyword in words["device_parameters"] and (told := _numbered(program, value, frame)) is not None:
            return keyword, told
    callee = call.callee
    makes = isinstance(callee, Ref) and program.knowledge.canonical(callee.name) in words["device_makers"]
    puts = isinstance(callee, Attr) and callee.name in (*words["puts"], *words["puts_itself"])
    first = _numbered(program, call.args[0], frame) if (makes or puts) and call.args else None
    return (None, first) if first is not None else None


def _numbered(program: Program, term: Term, frame: Context) -> str | None:
    """The name of a GPU with its number, if a term is one."""
    bare = program.knowledge.tables["groups"]["bare"]
    said = constant(program, term, frame)
    text = said.value if said is not None and isinstance(said.value, str) else ""
    return text if _NUMBERED.fullmatch(text) is not None and text.partition(":")[0] in bare else None


class BackendMismatch(NamedTuple):
    """A collective (of this name) on the host, in a group of GPUs; ``made`` is the call that made what it sends, and its file."""

    site: CallSite
    name: str
    start: Start
    made: tuple[str, Call] | None


def backend_mismatches(program: Program) -> Iterator[BackendMismatch]:
    """Each such collective, where all groups around work between GPUs for certain."""
    words, sends = program.knowledge.tables["groups"], program.knowledge.tables["groups.sends"]
    index = program.ask(CallGraph)
    for last in sorted({name.rpartition(".")[2] for name in (*sends, *words["hosts_only"])}) if program.ask(starts) else ():
        for site in index.sites_named(last):
            frame = program.frame(site.module, site.function)
            targets = [target.name for target in index.targets(site.call.term, frame) if isinstance(target, Library)]
            name = next((each for each in targets if each in sends or each in words["hosts_only"]), None)
            if name is None or len(targets) != 1 or tests_software(program, site.module, site.function):
                continue
            start = _start(program, site.module)
            if start is None or _in_group(program, site.call.term, name) or _asks(program, site):
                continue
            if name in words["hosts_only"]:
                yield BackendMismatch(site, name, start, None)
                continue
            made = _on_host(program, site, int(sends[name]))
            if made is not None:
                yield BackendMismatch(site, name, start, made)


def _start(program: Program, module: str) -> Start | None:
    """The start of the group around a file, if all of them there are of GPUs for certain."""
    found = [each for each in program.ask(starts) if program.together(each.site.module, module)]
    return found[0] if found and all(_is_sure(program, each) for each in found) else None


def _is_sure(program: Program, start: Start) -> bool:
    """Whether the backend is written down, and one of GPUs."""
    words = program.knowledge.tables["groups"]
    given = start.given(program, program.knowledge.tables["groups.starts"][start.name])
    if given is None:
        return start.name in words["on_gpus_by_default"]
    values = program.values(given, program.frame(start.site.module, start.function))
    return all(_spelled(value) in words["on_gpus"] for value in values)


def _spelled(value: Value) -> str:
    if isinstance(value, Library):
        return value.name.rpartition(".")[2].lower()
    return str(value.term.value).lower() if isinstance(value, Unresolved) and isinstance(value.term, Const) else ""


def _in_group(program: Program, call: Call, name: str) -> bool:
    """Whether the collective is one of a group of its own, whatever the backend of that is."""
    position = program.knowledge.collectives.get(name, -1)
    given = dict(call.kwargs).get("group", call.args[position] if 0 <= position < len(call.args) else None)
    return given is not None and not is_none(given)


def _asks(program: Program, site: CallSite) -> bool:
    """Whether a test that leads to the collective asks for the backend or the device."""
    words = program.knowledge.tables["groups"]
    names = {*words["on_gpus"], *words["on_hosts"], *words["bare"], *words["beside"]}
    led = next((conditions for node, conditions in walk_tested(site.function.body) if node is site.call), ())
    for test, _ in led:
        parts = () if isinstance(test, Failed) else tuple(parts_of(test))
        if isinstance(test, Failed) or any(
            word in str(part.parts[-1]).lower() for part in parts for word in (*names, "backend", "device")
        ):
            return True
    return False


def _on_host(program: Program, site: CallSite, position: int) -> tuple[str, Call] | None:
    """The call that made what a collective sends, if that is on the host in some activation."""
    call = site.call.term
    given = call.args[position] if position < len(call.args) else dict(call.kwargs).get("tensor")
    if given is None or _changes_default(program, site.module):
        return None
    for frame in contexts_at(program, site):
        values = program.values(given, frame)
        if values and all(_is_made_there(program, value) for value in values):
            first = values[0]
            if isinstance(first, LibraryObject) and first.call is not None and first.frame is not None:
                return first.frame.module, first.call
    return None


def _is_made_there(program: Program, value: Value) -> bool:
    """Whether something was made on the host: by a function that makes tensors, told no device, under nothing that does."""
    words = program.knowledge.tables["groups"]
    if not isinstance(value, LibraryObject) or value.call is None or value.frame is None:
        return False
    named = dict(value.call.kwargs)
    made = value.name in words["makes"] or (value.name in words["converts"] and _is_written(value.call))
    return made and "device" not in named and None not in named and not _under_device(value.frame, Spot(*value.call.site))


def _is_written(call: Call) -> bool:
    """Whether the data of a tensor are numbers, or a list: a tensor that is there already would hand on its device."""
    return bool(call.args) and isinstance(call.args[0], (Const, SequenceDisplay))


def _under_device(frame: Context, spot: Spot) -> bool:
    """Whether a ``with`` around a call may say the device."""
    return any(
        within(frame.function, node, spot)
        and any("device" in str(part.parts[-1]).lower() for item in node.items for part in parts_of(item))
        for node in of_kind(frame.function, With)
    )


def _changes_default(program: Program, module: str) -> bool:
    """Whether the program says somewhere on which device tensors are made that are told none."""
    names = program.knowledge.tables["groups"]["changes_default"]
    sites = (site for name in names for site in program.ask(CallGraph).sites.get(name, ()))
    return any(program.together(site.module, module) for site in sites)


_TIMEOUT = "timeout"
#: How a rank is compared with the first one, and words that name a number.
_COMPARED = ("Eq", "NotEq", "In", "NotIn", "Gt")
_NUMBERS = {"rank"}


class DefaultTimeout(NamedTuple):
    """A start without a timeout; ``alone`` is a call that one process makes, and ``wait`` where the others wait for it."""

    start: Start
    alone: CallSite
    wait: CallSite
    timeout: str


def default_timeouts(program: Program) -> Iterator[DefaultTimeout]:
    """Each such start, once for each file."""
    seen: set[str] = set()
    for alone, wait in program.ask(_waits) if program.ask(starts) else ():
        start = program.ask(Starting).above(wait.function)
        if start is None or start.site.module in seen or start.given(program, _TIMEOUT) is not None:
            continue
        if any(name is None for name, _ in start.site.call.term.kwargs):
            continue  # ``**kwargs`` may hold one
        module = start.site.module
        seen.add(module)
        name = reference("datetime.timedelta", program.modules[module]) or "datetime.timedelta"
        yield DefaultTimeout(start, alone, wait, f"{name}(hours=1)")


def _waits(program: Program) -> tuple[tuple[CallSite, CallSite], ...]:
    """Where one process does something long while the others are at a barrier, in one function."""
    return tuple(_found(program))


def _found(program: Program) -> Iterator[tuple[CallSite, CallSite]]:
    words = program.knowledge.tables["groups"]
    functions: dict[int, CallSite] = {}
    ids: set[int] = set()
    for site in surely_running(program, (site for site, _ in program.ask(CallGraph).runs_of(words["waits"]))):
        functions.setdefault(id(site.function), site)
        ids.add(id(site.call))
    for site in functions.values():
        alone = _alone(program, site, words["long"], frozenset(ids))
        if alone is not None and not tests_software(program, site.module, site.function):
            yield alone


def _alone(program: Program, site: CallSite, long: list[str], waits: frozenset[int]) -> tuple[CallSite, CallSite] | None:
    """The first long call that one process makes while the others wait, in the function of a wait, and that wait.

    Either a test lets one in, and the wait follows; or the others wait first, until that one comes to a wait of its own.
    """
    led = {id(node): tests for node, tests in walk_tested(site.function.body) if isinstance(node, CallStep)}
    order, frame = calls_of(site.function), program.frame(site.module, site.function)
    for number, call in enumerate(order):
        if not _is_long(call, long):
            continue
        before = [each for each in order[:number] if id(each) in waits and _turn(program, led[id(each)], frame)]
        behind = [each for each in order[number + 1 :] if id(each) in waits]
        if behind and _turn(program, led[id(call)], frame):
            return CallSite(site.module, site.function, call), site._replace(call=behind[0])
        if before and behind and _turn(program, led[id(behind[0])], frame):
            return CallSite(site.module, site.function, call), site._replace(call=before[-1])
    return None


def _is_long(call: CallStep, words: list[str]) -> bool:
    name = (last_name(call.term.callee) or "").lower()
    return any(word in name for word in words) or any(
        key == "download" and isinstance(value, Const) and value.value is True for key, value in call.term.kwargs
    )


def _turn(program: Program, led: Led, frame: Context) -> bool:
    """Whether a test lets one process in, or all but one: its rank is compared with 0, or its name says that it is the first."""
    words = set(program.knowledge.tables["groups"]["one"])
    return any(not isinstance(test, Failed) and _is_one(program, test, frame, words) for test, _ in led)


def _is_one(program: Program, test: Term, frame: Context, words: set[str]) -> bool:
    if isinstance(test, (Not, BoolOp)):
        parts = (test.operand,) if isinstance(test, Not) else test.operands
        return any(_is_one(program, each, frame, words) for each in parts)
    if isinstance(test, Compare):
        return bool(_names(test) & words) and test.op in _COMPARED and any(_is_zero(side) for side in (test.left, test.right))
    if _names(test) & (words - _NUMBERS):
        return True
    made = [each for each in program.values(test, frame) if isinstance(each, Unresolved) and each.term is not test]
    return any(isinstance(each.term, (Compare, Not, BoolOp)) and _is_one(program, each.term, each.frame, words) for each in made)


def _is_zero(term: Term) -> bool:
    items = term.items if isinstance(term, ItemDisplay) and type(term.items) is tuple else (term,)
    return any(isinstance(each, Const) and each.value == 0 and each.value is not False for each in items)


def _names(test: Term) -> set[str]:
    found: set[str] = set()
    for part in parts_of(test):
        if isinstance(part, NAMES):
            text = part.name.lower()
            found.update(text.replace(".", "_").split("_"))
    return found
