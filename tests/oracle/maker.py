"""What all idioms share: a source of chance, the program so far, and ways to say common things in many spellings."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from tests.oracle.writing import Lines, Module, Project, indent

#: Who a test lets through: rank 0, ranks 0 and 1, the even ones, the last one, local rank 0 of each node.
WHO = ("main", "low", "even", "last", "local")


@dataclass(frozen=True)
class Scope:
    """Where code is written, and what can be named there.

    ``rank``: expressions that are the rank; ``main``: expressions that say whether this is rank 0; ``args``: the arguments;
    ``counter``: a uniform number that changes from round to round; ``loss``: this rank's loss; ``returns``: whether a
    function is left by ``return``; ``loop``: whether a loop is left by ``break``; ``rounds`` and ``calls``: how many loops
    and calls surround this; ``owner``: the class whose method this is.
    """

    module: Module
    args: str = "args"
    rank: tuple[str, ...] = ()
    main: tuple[str, ...] = ()
    counter: str = ""
    loss: str = ""
    returns: bool = True
    loop: bool = False
    rounds: int = 0
    calls: int = 0
    depth: int = 0
    owner: Owner | None = None

    def inner(self, **changes: object) -> Scope:
        """The same place one block deeper."""
        return replace(self, depth=self.depth + 1, **changes)  # type: ignore[arg-type]


@dataclass
class Owner:
    """A class that is being written: its methods so far."""

    name: str
    methods: list[Lines] = field(default_factory=list)


class Function(NamedTuple):
    """A function that was defined: how it is called from where it was asked for, and what must stand before the call."""

    before: Lines
    call: str


class Maker:
    """Chance and memory of one program that is being written."""

    def __init__(self, seed: int, idioms: Callable[[Maker, Scope, int], Lines]) -> None:
        self.rng = random.Random(seed)
        self.project = Project(self.rng)
        self.constructs: set[str] = set()
        self.pending: list[str] = []
        self.writing: list[str] = []
        self.slips: list[str] = []
        self.faults = self.rng.choices((0, 1, 2, 3), (40, 34, 18, 8))[0]
        self._write = idioms
        self._helpers: dict[str, tuple[Module, str]] = {}

    # -- chance ----------------------------------------------------------------------------------------------------

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def pick(self, *options: str) -> str:
        return self.rng.choice(options)

    def one_of(self, *options: Callable[[], Lines]) -> Lines:
        """One of several ways to write something; the others are not begun."""
        return self.rng.choice(options)()

    def slip(self, probability: float = 0.2) -> bool:
        """Whether to make a mistake here (a program makes a few, or none)."""
        if self.faults > 0 and self.chance(probability):
            self.faults -= 1
            self.slips.append(self.writing[-1] if self.writing else "start")
            return True
        return False

    def mark(self, *constructs: str) -> None:
        """Note which constructs the program contains."""
        self.constructs.update(constructs)

    def name(self, *kinds: str) -> str:
        return self.project.name(*kinds)

    # -- blocks ----------------------------------------------------------------------------------------------------

    def block(self, scope: Scope, size: int) -> Lines:
        """A few idioms one after the other."""
        return self._write(self, scope, size)

    def quiet(self, scope: Scope) -> Lines:
        """Work that communicates nothing."""
        dist = self.dist(scope)
        word = self.name()
        options: list[Lines] = [
            [f'print("{word}")'],
            [f'print("{word}", {dist}.get_rank())'],
            [f"{word} = [number * 2 for number in range(3)]"],
            [f"{word} = {{'step': 1, 'name': '{word}'}}"],
            [f"{word} = 0", f"{word} += 1"],
        ]
        if self.chance(0.4):
            scope.module.need("import torch")
            options.append([f'torch.save({{"{word}": 1}}, "{word}.pt")'])
        if self.chance(0.3):
            scope.module.need("import logging")
            options.append([f'logging.info("{word}")'])
        return self.rng.choice(options)

    def work(self, scope: Scope) -> Lines:
        """One or two pieces of quiet work."""
        return [line for _ in range(self.rng.choice((1, 1, 2))) for line in self.quiet(scope)]

    def dist(self, scope: Scope) -> str:
        """The name of torch.distributed in this file."""
        for known in scope.module.imports:
            if known.startswith(("import torch.distributed as ", "from torch import distributed as ")):
                return known.rpartition(" ")[2]
        style = self.pick(
            *["import torch.distributed as dist"] * 5, "import torch.distributed as D", "from torch import distributed as dist"
        )
        scope.module.need(style)
        return style.rpartition(" ")[2]

    # -- collectives -----------------------------------------------------------------------------------------------

    OPERATIONS = (
        "barrier",
        "all_reduce",
        "broadcast",
        "all_gather",
        "reduce",
        "broadcast_object_list",
        "all_gather_object",
        "gather_object",
    )

    def operation(self) -> str:
        return self.rng.choices(self.OPERATIONS, (8, 5, 3, 2, 1, 2, 2, 1))[0]

    def collective(self, scope: Scope, operation: str = "") -> Lines:
        """A collective of all ranks, called directly."""
        operation = operation or self.operation()
        dist = self.dist(scope)
        if operation == "barrier":
            return [f"{dist}.barrier()"]
        word = self.name()
        if operation.endswith(("object_list", "object")):
            self.mark("object-collective")
            if operation == "broadcast_object_list":
                return [f"{word} = [{dist}.get_rank()]", f"{dist}.broadcast_object_list({word}, src=0)"]
            lines = [f"{word} = [None] * {dist}.get_world_size()"]
            if operation == "all_gather_object":
                return [*lines, f"{dist}.all_gather_object({word}, {dist}.get_rank())"]
            return [*lines, f"{dist}.gather_object({dist}.get_rank(), {word} if {self.test(scope, 'main')} else None, dst=0)"]
        scope.module.need("import torch")
        lines = [f"{word} = torch.{self.pick('zeros', 'ones')}({self.rng.choice((1, 2, 4))})"]
        if operation == "all_gather":
            parts = self.name()
            lines.append(f"{parts} = [torch.zeros_like({word}) for _ in range({dist}.get_world_size())]")
            return [*lines, f"{dist}.all_gather({parts}, {word})"]
        more = {
            "all_reduce": self.pick("", "", f", op={dist}.ReduceOp.MAX"),
            "broadcast": self.pick(", 0", ", src=0"),
            "reduce": ", dst=0",
        }[operation]
        if self.chance(0.3):
            self.mark("async")
            handle = self.name()
            middle = self.quiet(scope) if self.chance(0.5) else []
            return [*lines, f"{handle} = {dist}.{operation}({word}{more}, async_op=True)", *middle, f"{handle}.wait()"]
        return [*lines, f"{dist}.{operation}({word}{more})"]

    def event(self, scope: Scope) -> Lines:
        """A collective, directly or in a function that others use too."""
        if self.chance(0.55):
            return self.collective(scope)
        return [f"{self.shared(scope, f'sync{self.rng.randrange(3)}', self._synchronise)}()"]

    def _synchronise(self, scope: Scope) -> Lines:
        name = self.name("sync", "share", "collect")
        self.mark("helper")
        inner = [*(self.work(scope) if self.chance(0.4) else []), *self.collective(scope)]
        if scope.module is not self.project.modules[-1] and self.chance(0.5):
            inner = self.event(scope.inner(module=scope.module))
        return [f"def {name}():", *indent(inner)]

    def shared(self, scope: Scope, key: str, define: Callable[[Scope], Lines]) -> str:
        """The spelling of a function (or class) of the project that is defined once, somewhere, and used in many places."""
        known = self._helpers.get(key)
        if known is not None and self.project.modules.index(known[0]) < self.project.modules.index(scope.module):
            known, key = self._helpers.get(f"{key} again"), f"{key} again"  # the first one stands in a file that imports this one
            if known is not None and self.project.modules.index(known[0]) < self.project.modules.index(scope.module):
                known = None
        if known is None:
            home = self.project.elsewhere(scope.module)
            lines = define(Scope(home, args="", returns=True))
            head = next(line for line in lines if line.startswith(("def ", "class ")))
            name = head.split(maxsplit=1)[1].partition("(")[0].rstrip(":")
            home.definitions.append(lines)
            known = self._helpers[key] = (home, name)
        if known[0] is not scope.module:
            self.mark("files")
        return self.project.reference(scope.module, known[0], known[1])

    # -- what is the same on all ranks -----------------------------------------------------------------------------

    def flag(self, scope: Scope) -> str:
        """An argument that is true or false, often one that was asked before."""
        known = [name for name, kind in self.project.arguments.items() if kind == "flag"]
        if known and (len(known) >= 4 or self.chance(0.4)):
            return f"{scope.args}.{self.rng.choice(known)}"
        name = self.word_for("flag")
        return f"{scope.args}.{name}"

    def number(self, scope: Scope) -> str:
        """An argument that is a small positive number."""
        known = [name for name, kind in self.project.arguments.items() if kind == "number"]
        if known and (len(known) >= 2 or self.chance(0.5)):
            return f"{scope.args}.{self.rng.choice(known)}"
        return f"{scope.args}.{self.word_for('number')}"

    def word_for(self, kind: str) -> str:
        name = self.name()
        self.project.arguments[name] = kind
        return name

    def uniform(self, scope: Scope) -> str:
        """A condition that is the same on all ranks."""
        dist = self.dist(scope)
        options = [f"{dist}.is_initialized()", f"{dist}.get_world_size() > 1"]
        if scope.args:
            options += [self.flag(scope) for _ in range(3)] + [f"not {self.flag(scope)}"]
        if scope.counter:
            options += [f"{scope.counter} % 2 == 0", f"{scope.counter} > 0"]
        return self.rng.choice(options)

    # -- tests on the rank -----------------------------------------------------------------------------------------

    def rank(self, scope: Scope) -> str:
        """An expression that is the rank."""
        if scope.rank and self.chance(0.55):
            found = self.rng.choice(scope.rank)
            if found.startswith("self."):
                self.mark("rank-self")
            return found
        kind = self.rng.choices(("direct", "environ", "wrapper"), (3, 2, 3))[0]
        if kind == "environ":
            return self.environment(scope, "RANK")
        if kind == "wrapper":
            self.mark("rank-wrapper")
            return f"{self.shared(scope, 'rank', self._rank_function)}()"
        return f"{self.dist(scope)}.get_rank()"

    def environment(self, scope: Scope, variable: str) -> str:
        self.mark("rank-environ")
        scope.module.need("import os")
        return self.pick(
            f'int(os.environ["{variable}"])', f'int(os.environ.get("{variable}", "0"))', f'int(os.getenv("{variable}", "0"))'
        )

    def _rank_function(self, scope: Scope) -> Lines:
        dist = self.dist(scope)
        name = self.pick("get_rank", "own_rank", self.name())
        return self.rng.choice(
            [
                [f"def {name}():", f"    return {dist}.get_rank()"],
                [f"def {name}():", f"    if not {dist}.is_initialized():", "        return 0", f"    return {dist}.get_rank()"],
                [f"def {name}():", f"    return {dist}.get_rank() if {dist}.is_initialized() else 0"],
            ]
        )

    def _main_function(self, scope: Scope) -> Lines:
        name = self.pick("is_main", "is_main_process", self.name())
        inner = self.test(replace(scope, rank=(), main=()), "main", plain=True)
        if self.chance(0.3):
            return [f"def {name}():", f"    if {inner}:", "        return True", "    return False"]
        return [f"def {name}():", f"    return {inner}"]

    def who(self) -> str:
        return self.rng.choices(WHO, (6, 1, 2, 1, 1))[0]

    def test(self, scope: Scope, who: str, wanted: bool = True, *, plain: bool = False) -> str:
        """A condition that is true on some ranks (or, not wanted, on all others), in one of many spellings."""
        if who == "main" and not plain and self.chance(0.35):
            named = self.rng.choice(scope.main) if scope.main and self.chance(0.7) else ""
            if not named:
                self.mark("rank-predicate")
                named = f"{self.shared(scope, 'main', self._main_function)}()"
            elif named.startswith("self."):
                self.mark("rank-self")
            return named if wanted else self._not(named)
        if who == "local":
            self.mark("rank-local")
            return f"{self.environment(scope, 'LOCAL_RANK')} {'==' if wanted else '!='} 0"
        rank = self.rank(scope)
        if who == "main":
            options = [f"{rank} == 0", f"{rank} == 0", f"not {rank}", f"{rank} < 1", f"{rank} in (0,)"]
            other = [f"{rank} != 0", f"{rank} != 0", f"{rank}", f"{rank} > 0", f"{rank} not in (0,)", f"not {rank} == 0"]
        elif who == "low":
            options = [f"{rank} in (0, 1)", f"{rank} < 2", f"{rank} in [0, 1]"]
            other = [f"{rank} not in (0, 1)", f"{rank} >= 2", f"not {rank} in [0, 1]"]
        elif who == "even":
            options = [f"{rank} % 2 == 0", f"not {rank} % 2", f"{rank} in (0, 2)"]
            other = [f"{rank} % 2 != 0", f"{rank} % 2", f"{rank} % 2 == 1"]
        else:
            world = f"{self.dist(scope)}.get_world_size()"
            options = [f"{rank} == {world} - 1"]
            other = [f"{rank} != {world} - 1", f"{rank} < {world} - 1"]
        chosen = self.rng.choice(options if wanted else other)
        self._note_spelling(chosen)
        return chosen

    def _note_spelling(self, test: str) -> None:
        for construct, sign in (
            ("rank-modulo", " % "),
            ("rank-membership", " in "),
            ("rank-not", "not "),
            ("rank-compare", " > "),
        ):
            if sign in test:
                self.mark(construct)
        if any(sign in test for sign in (" < ", " >= ", " != ")):
            self.mark("rank-compare")

    def _not(self, test: str) -> str:
        self.mark("rank-not")
        return f"not {test}"

    # -- functions -------------------------------------------------------------------------------------------------

    def function(self, scope: Scope, body: Callable[[Scope], Lines], style: str = "") -> Function:
        """Define a function around a body and say how to call it: in this file or another, as a method, or nested.

        It is handed the arguments and, often, the rank.
        """
        styles = ["function", "function", "file", "file", *(["method"] * 3 if scope.owner is not None else []), "nested"]
        style = style or self.rng.choice(styles)
        name = self.name("run", "do", "handle", "save", "step")
        if style == "method" and scope.owner is not None:
            self.mark("method")
            lines = body(self._entered(scope))
            scope.owner.methods.append([f"def {name}(self):", *indent(lines)])
            return Function([], f"self.{name}()")
        if style == "nested" and scope.depth < 3:
            self.mark("nested-function")
            lines = body(self._entered(scope))
            return Function([f"def {name}():", *indent(lines), ""], f"{name}()")
        self.mark("helper")
        home = self.project.elsewhere(scope.module) if style == "file" else scope.module
        if home is not scope.module:
            self.mark("files")
        rank = self.pick("rank", "me", "position", "number") if self.chance(0.5) else ""
        args = self.pick("args", "options", "settings") if scope.args else ""
        inner = Scope(home, args=args, rank=(rank,) if rank else (), rounds=scope.rounds, calls=scope.calls + 1)
        lines = body(inner)
        parameters = [part for part in (args, rank) if part]
        home.definitions.append([f"def {name}({', '.join(parameters)}):", *indent(lines)])
        given = [part for part in (scope.args if args else "", self.rank(scope) if rank else "") if part]
        if rank and self.chance(0.3):
            given[-1] = f"{rank}={given[-1]}"
        return Function([], f"{self.project.reference(scope.module, home, name)}({', '.join(given)})")

    def _entered(self, scope: Scope) -> Scope:
        """Inside a function that sees what surrounds it."""
        return replace(scope, returns=True, loop=False, calls=scope.calls + 1, depth=scope.depth + 1, counter="", loss="")
