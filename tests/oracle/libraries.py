"""Stand-ins for the libraries a program imports, made anew for each rank: torch, os, time, argparse, ...

They do what the real ones do as far as the ranks can tell: collectives wait and compute, arguments are the same everywhere,
data is the rank's own. Nothing is computed that no program here looks at.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType, SimpleNamespace
from typing import Any

from tests.oracle.inputs import NOBODY, Inputs
from tests.oracle.world import LOCAL, RANKS, World

#: Modules of the standard library that programs may import as they are.
REAL = ("contextlib", "functools", "math", "enum", "typing", "collections", "itertools", "__future__", "abc", "dataclasses")

#: The argument domains that a program declares, filled while it is read for the first time.
Domains = dict[str, tuple[Any, ...]]


class Tensor:
    """A few numbers."""

    def __init__(self, values: Sequence[float]) -> None:
        self.values = [float(value) for value in values]
        self.grad: Any = None

    def item(self) -> float:
        return self.values[0]

    tolist = property(lambda self: lambda: list(self.values))
    shape = property(lambda self: (len(self.values),))

    def __getitem__(self, index: int) -> Tensor:
        return Tensor([self.values[index]])

    def __setitem__(self, index: int, value: Any) -> None:
        self.values[index] = float(value)

    def __float__(self) -> float:
        return self.values[0]

    def __int__(self) -> int:
        return int(self.values[0])

    def __bool__(self) -> bool:
        return bool(self.values[0])

    def __len__(self) -> int:
        return len(self.values)

    def _with(self, other: Any, compute: Callable[[float, float], Any]) -> Tensor:
        others = other.values if isinstance(other, Tensor) else [float(other)] * len(self.values)
        return Tensor([compute(a, b) for a, b in zip(self.values, others, strict=False)])

    def __add__(self, other: Any) -> Tensor:
        return self._with(other, lambda a, b: a + b)

    __radd__ = __add__

    def __mul__(self, other: Any) -> Tensor:
        return self._with(other, lambda a, b: a * b)

    def __truediv__(self, other: Any) -> Tensor:
        return self._with(other, lambda a, b: a / b)

    def __gt__(self, other: Any) -> Tensor:
        return self._with(other, lambda a, b: a > b)

    def __lt__(self, other: Any) -> Tensor:
        return self._with(other, lambda a, b: a < b)

    def fill_(self, value: Any) -> Tensor:
        self.values = [float(value)] * len(self.values)
        return self

    def sum(self) -> Tensor:
        return Tensor([sum(self.values)])

    def any(self) -> Tensor:
        return Tensor([any(self.values)])

    def _same(self, *_: Any, **__: Any) -> Tensor:
        return self

    to = cuda = cpu = detach = mean = max = view = _same

    def clone(self) -> Tensor:
        return Tensor(self.values)

    def backward(self) -> None:
        """Nothing that ranks could notice: models here are not wrapped."""


class Libraries:
    """The modules of one rank."""

    def __init__(self, rank: int, world: World, inputs: Inputs, domains: Domains) -> None:
        self.rank = rank
        self.world = world
        self.inputs = inputs
        self.domains = domains
        self.clock = 0.0
        self.counts: Counter[object] = Counter()
        self.made: dict[str, ModuleType] = {}
        self.everybody = tuple(range(RANKS))
        self._make()

    def module(self, name: str, **content: Any) -> ModuleType:
        made = ModuleType(name)
        vars(made).update(content)
        self.made[name] = made
        parent, _, last = name.rpartition(".")
        if parent:
            setattr(self.made[parent], last, made)
        return made

    def find(self, name: str) -> ModuleType | None:
        """The module of this name, or None when it is not one of a library."""
        if name in self.made:
            return self.made[name]
        return importlib.import_module(name) if name in REAL else None

    # -- data ------------------------------------------------------------------------------------------------------

    def draw(self, choices: int, *, shared: bool = False) -> int:
        """A piece of this rank's data (or of all ranks': ``shared``), by the place that asks and how often it has asked."""
        frame = sys._getframe(1)
        while frame.f_back is not None and frame.f_code.co_filename == __file__:
            frame = frame.f_back
        place = (frame.f_code.co_filename, frame.f_lineno)
        self.counts[place] += 1
        return self.inputs.data(NOBODY if shared else self.rank, place, self.counts[place], choices)

    def risky(self, error: type[Exception]) -> Callable[..., Any]:
        """A call that fails for some files: for one that all ranks read on all of them, for one of its own on a rank alone."""

        def call(path: Any, *_: Any, **__: Any) -> Tensor:
            if self.draw(3, shared=f"@{self.rank}" not in str(path)) == 0:
                raise error("damaged")
            return Tensor([1.0])

        return call

    def now(self) -> float:
        self.clock += (0.1, 0.1, 500.0)[self.draw(3)]
        return self.clock

    # -- collectives -----------------------------------------------------------------------------------------------

    def members(self, group: Any) -> tuple[int, ...] | None:
        """The ranks of a group; None when this rank is not one of them (torch then warns and returns)."""
        if group is None or group == "world":
            return self.everybody
        ranks: tuple[int, ...] = group.ranks
        return ranks if self.rank in ranks else None

    def meet(self, operation: str, group: Any, payload: Any = None) -> dict[int, Any] | None:
        members = self.members(group)
        return None if members is None else self.world.meet(self.rank, members, operation, payload)

    def barrier(self, group: Any = None, async_op: bool = False, **_: Any) -> Any:
        self.meet("barrier", group)
        return _handle(async_op)

    def all_reduce(self, tensor: Tensor, op: str = "sum", group: Any = None, async_op: bool = False) -> Any:
        found = self.meet("all_reduce", group, list(tensor.values))
        if found is not None:
            combine = {"sum": sum, "max": max, "min": min, "avg": lambda xs: sum(xs) / len(xs)}[op]
            tensor.values = [float(combine(list(column))) for column in zip(*found.values(), strict=False)]
        return _handle(async_op)

    def reduce(self, tensor: Tensor, dst: int = 0, group: Any = None, async_op: bool = False) -> Any:
        found = self.meet("reduce", group, list(tensor.values))
        if found is not None and dst == self.rank:
            tensor.values = [float(sum(column)) for column in zip(*found.values(), strict=False)]
        return _handle(async_op)

    def broadcast(self, tensor: Tensor, src: int = 0, group: Any = None, async_op: bool = False) -> Any:
        found = self.meet("broadcast", group, list(tensor.values))
        if found is not None:
            tensor.values = list(found[src])
        return _handle(async_op)

    def all_gather(self, outputs: list[Tensor], tensor: Tensor, group: Any = None, async_op: bool = False) -> Any:
        found = self.meet("all_gather", group, list(tensor.values))
        for output, values in zip(outputs, (found or {}).values(), strict=False):
            output.values = list(values)
        return _handle(async_op)

    def broadcast_object_list(self, box: list[Any], src: int = 0, group: Any = None, **_: Any) -> None:
        found = self.meet("broadcast_object_list", group, list(box))
        if found is not None:
            box[:] = found[src]

    def all_gather_object(self, outputs: list[Any], thing: Any, group: Any = None) -> None:
        found = self.meet("all_gather_object", group, thing)
        if found is not None:
            outputs[: len(found)] = list(found.values())

    def gather_object(self, thing: Any, outputs: list[Any] | None = None, dst: int = 0, group: Any = None) -> None:
        found = self.meet("gather_object", group, thing)
        if found is not None and dst == self.rank and outputs is not None:
            outputs[: len(found)] = list(found.values())

    def new_group(self, ranks: Sequence[int] | None = None, **_: Any) -> Any:
        members = self.everybody if ranks is None else tuple(sorted(ranks))
        self.meet("new_group", None, members)
        return SimpleNamespace(ranks=members)

    # -- modules ---------------------------------------------------------------------------------------------------

    def _make(self) -> None:
        self._make_torch()
        environ = {
            "RANK": str(self.rank),
            "LOCAL_RANK": str(self.rank % LOCAL),
            "WORLD_SIZE": str(RANKS),
            "LOCAL_WORLD_SIZE": str(LOCAL),
        }
        self.module("os", environ=environ, getenv=environ.get, makedirs=_nothing, remove=_nothing)
        self.module("os.path", exists=lambda _: self.draw(2) == 1, join=lambda *parts: "/".join(map(str, parts)))
        self.module("time", time=self.now, sleep=_nothing, perf_counter=self.now)
        self.module("sys", exit=_leave, argv=["program"])
        self.module("argparse", ArgumentParser=functools.partial(_Parser, self.inputs, self.domains))
        self.module("soundfile", read=self.risky(RuntimeError))
        self.module("PIL")
        self.module("PIL.Image", open=self.risky(OSError))
        self.module("logging", info=_nothing, warning=_nothing, getLogger=lambda *_: _Log(), INFO=20)

    def _make_torch(self) -> None:
        self.module(
            "torch",
            Tensor=Tensor,
            tensor=lambda values, **_: Tensor(values if isinstance(values, (list, tuple)) else [values]),
            zeros=lambda *sizes, **_: Tensor([0.0] * (sizes[0] if sizes else 1)),
            ones=lambda *sizes, **_: Tensor([1.0] * (sizes[0] if sizes else 1)),
            zeros_like=lambda tensor: Tensor([0.0] * len(tensor)),
            isnan=lambda tensor: Tensor([math.isnan(value) for value in tensor.values]),
            isfinite=lambda tensor: Tensor([abs(value) < float("inf") for value in tensor.values]),
            save=_nothing,
            load=self.risky(OSError),
            no_grad=contextlib.nullcontext,
        )
        self.module(
            "torch.distributed",
            init_process_group=_nothing,
            destroy_process_group=_nothing,
            is_initialized=lambda: True,
            is_available=lambda: True,
            get_rank=self._rank_in,
            get_world_size=lambda group=None: len(self.members(group) or ()) or -1,
            group=SimpleNamespace(WORLD="world"),
            ReduceOp=SimpleNamespace(SUM="sum", MAX="max", MIN="min", AVG="avg"),
            barrier=self.barrier,
            all_reduce=self.all_reduce,
            reduce=self.reduce,
            broadcast=self.broadcast,
            all_gather=self.all_gather,
            broadcast_object_list=self.broadcast_object_list,
            all_gather_object=self.all_gather_object,
            gather_object=self.gather_object,
            new_group=self.new_group,
        )
        self.module("torch.nn", Linear=lambda *_, **__: self._model, Module=object)
        self.module("torch.optim", SGD=lambda *_, **__: SimpleNamespace(step=_nothing, zero_grad=_nothing))
        self.module("torch.utils")
        self.module(
            "torch.utils.data", DataLoader=self._loader, DistributedSampler=lambda *_, **__: SimpleNamespace(set_epoch=_nothing)
        )

    def _rank_in(self, group: Any = None) -> int:
        members = self.members(group)
        return members.index(self.rank) if members is not None else -1

    def _model(self, *_: Any) -> Tensor:
        return Tensor([(0.5, 0.25, float("nan"))[self.draw(3)]])

    def _loader(self, *_: Any, **__: Any) -> _Loader:
        return _Loader(2)


class _Loader:
    """A loader with as many batches on every rank."""

    def __init__(self, batches: int) -> None:
        self.batches = batches

    def __len__(self) -> int:
        return self.batches

    def __iter__(self) -> Iterator[Tensor]:
        return iter([Tensor([1.0]) for _ in range(self.batches)])


class _Log:
    info = warning = debug = error = add_scalar = log = close = staticmethod(lambda *_, **__: None)


class _Parser:
    """Arguments: the values are the assignment's, the declarations say which there can be."""

    def __init__(self, inputs: Inputs, domains: Domains, *_: Any, **__: Any) -> None:
        self.inputs = inputs
        self.domains = domains
        self.defaults: dict[str, Any] = {}

    def add_argument(self, flag: str, **options: Any) -> None:
        name = flag.lstrip("-").replace("-", "_")
        if options.get("action") == "store_true":
            domain: tuple[Any, ...] = (False, True)
        elif "choices" in options:
            domain = tuple(options["choices"])
        elif options.get("type") is int:
            domain = (1, 2, 3)
        else:
            domain = (options.get("default"),)
        self.domains[name] = domain
        self.defaults[name] = domain[0]

    def parse_args(self, *_: Any) -> SimpleNamespace:
        return SimpleNamespace(**{name: self.inputs.argument(name, default) for name, default in self.defaults.items()})


def _nothing(*_: Any, **__: Any) -> None:
    """What leaves no trace that ranks could notice."""


def _leave(code: Any = 0) -> None:
    raise SystemExit(code)


def _handle(async_op: bool) -> Any:
    return SimpleNamespace(wait=_nothing, is_completed=lambda: True) if async_op else None
