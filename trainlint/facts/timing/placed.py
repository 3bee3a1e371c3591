"""Which models stay on the host: they were put there, or nobody has put them anywhere."""

from __future__ import annotations

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.contexts import activations
from trainlint.facts.def_use import Uses
from trainlint.facts.modes.identity import Identities, Key
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import Frame, Instance, Library, Made, Other, Value
from trainlint.ir.nodes import Attr, Call, Const, Term

_DEEPEST = 8
#: Libraries whose functions move nothing that they are handed, but for wrappers of models.
_QUIET = ("torch.", "builtins.")
_TO, _HOST, _DEVICE = "to", "cpu", "device"


class Placed:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        knowledge = program.knowledge
        self._identities: Identities = program.ask(Identities)
        self._same = knowledge.fluent | knowledge.evaluates | knowledge.ends_evaluation
        self._puts = frozenset(knowledge.tables["accelerators.puts"]["names"])
        self._makes = (knowledge.written["layers"], *knowledge.tables["accelerators.on_host"]["names"])
        self._known: dict[tuple[Term, Frame], bool] = {}
        self._moved: dict[Key, list[bool]] | None = None

    def on_host(self, model: Term, frame: Frame) -> bool:
        """Whether a model surely is on the host in an activation."""
        key = (model, frame)
        if key not in self._known:
            self._known[key] = False  # ends recursion
            self._known[key] = self._is_there(model, frame, _DEEPEST)
        return self._known[key]

    def _is_there(self, term: Term, frame: Frame, depth: int) -> bool:
        if isinstance(term, Call) and isinstance(term.callee, Attr):
            told = self._told(term, term.callee.name, frame)
            if told is not None:
                return told
            if term.callee.name in self._same:
                return depth > 0 and self._is_there(term.callee.base, frame, depth - 1)
        values = self.program.values(term, frame)
        return bool(values) and all(self._is_value_there(value, term, depth) for value in values)

    def _is_value_there(self, value: Value, term: Term, depth: int) -> bool:
        if isinstance(value, (Instance, Made)):
            ours = isinstance(value, Instance) or value.name.startswith(self._makes)
            return ours and value.call is not None and value.frame is not None and self._stays(value.call, value.frame)
        if isinstance(value, Other) and value.term is not term and isinstance(value.term, Call) and depth > 0:
            return self._is_there(value.term, value.frame, depth - 1)
        return False

    # -- what is moved ---------------------------------------------------------------------------------------------

    def _told(self, call: Call, name: str, frame: Frame) -> bool | None:
        """Whether a method puts its object on the host; False: anywhere else, or who knows where. None: it does not move it."""
        if name == _HOST:
            return True
        if name in self._puts:
            return False
        if name != _TO:
            return None
        given = [*call.args, *(value for key, value in call.kwargs if key == _DEVICE)]
        told = [where for where in (self._where(each, frame) for each in given) if where is not None]
        return all(told) if told else None

    def _where(self, device: Term, frame: Frame, depth: int = _DEEPEST) -> bool | None:
        """Whether a value names the host; None where it is none of a device, but of a type."""
        found = set[bool | None]()
        for value in self.program.values(device, frame):
            if isinstance(value, Other) and isinstance(value.term, Const) and isinstance(value.term.value, str):
                found.add(value.term.value.partition(":")[0] == _HOST)
            elif isinstance(value, Made) and value.call is not None and value.frame is not None and value.call.args and depth > 0:
                found.add(self._where(value.call.args[0], value.frame, depth - 1))
            else:
                found.add(
                    None if isinstance(value, Library) or (isinstance(value, Other) and isinstance(value.term, Const)) else False
                )
        return found.pop() if len(found) == 1 else False

    def _stays(self, call: Call, frame: Frame) -> bool:
        """Whether a model stays where it was made, which is on the host: nothing moves it, nobody out of sight may do so."""
        moves = self._moves().get(self._identities.key(call, frame))
        if moves is not None:
            return all(moves)
        node = next((each for each in calls_of(frame.function) if each.term is call), None)
        if node is None or self._changes_default():
            return False
        use = self.program.ask(Uses).of(frame.module, frame.function, node, called=True)
        moving = self.program.knowledge.parallel
        return not use.escapes and all(name.startswith(_QUIET) and name not in moving for name in use.given)

    def _moves(self) -> dict[Key, list[bool]]:
        """For the models that something moves, whether it is to the host."""
        if self._moved is None:
            self._moved = {}
            for name in (_HOST, _TO, *sorted(self._puts)):
                for site in self.program.ask(CallGraph).sites.get(name, ()):
                    call, callee = site.call.term, site.call.term.callee
                    if not isinstance(callee, Attr):
                        continue
                    for frame in activations(self.program, site.module, site.function):
                        where = self._told(call, callee.name, frame)
                        if where is not None:
                            for key in self._identities.of(callee.base, frame):
                                self._moved.setdefault(key, []).append(where)
        return self._moved

    def _changes_default(self) -> bool:
        """Whether the program says where things are that nobody puts anywhere."""
        sites = self.program.ask(CallGraph).sites
        return any(sites.get(name) for name in self.program.knowledge.tables["accelerators.defaults"]["names"])
