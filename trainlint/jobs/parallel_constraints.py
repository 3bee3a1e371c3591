"""Sizes of a job that cannot be together: each function is a law of the library that takes them, and says how it is broken.

Megatron-LM core 0.19: ``training/arguments.py`` (``validate_args``), ``core/transformer/transformer_config.py``,
``core/parallel_state.py``, ``core/num_microbatches_calculator.py``, and ``divide`` of ``core/utils.py``, which layers call with
the number of tensor-parallel ranks. torchtitan 0.2: ``distributed/parallel_dims.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from trainlint.jobs.parallel_configurations import overrides, titans, trees
from trainlint.jobs.parallel_launch_options import Setup, Size, lines

if TYPE_CHECKING:
    from trainlint.program.program import Program

#: What each degree is called.
_CALLED = {"tp": "tensor", "pp": "pipeline", "cp": "context", "sp": "sequence", "replicate": "replicate", "shard": "shard"}


@dataclass(frozen=True)
class Broken:
    """A law that does not hold: ``at`` a size, with what the others are; ``stops``: the library refuses it."""

    at: Size
    says: str
    why: str
    others: tuple[Size, ...] = ()
    stops: bool = True


def impossible(program: Program) -> Iterator[Broken]:
    """What cannot be, one for each place; the files first, then the lines."""
    told: set[object] = set()
    tables = program.knowledge.tables
    for setup in (*trees(program), *lines(program), *overrides(program), *titans(program)):
        for name in tables["degrees.laws"][setup.family]:
            found = _LAWS[name](setup, tables["degrees.except"])
            key = None if found is None else (found.at.document.path, found.at.spot, found.at.written)
            if found is not None and key not in told:
                told.add(key)
                yield found


Except = Mapping[str, Sequence[str]]


def _world(setup: Setup, excepted: Except) -> Broken | None:
    """The processes are a multiple of the degrees that split the model; what is left is data parallel."""
    names = ("tp", "cp", "sp") if not setup.also.isdisjoint(excepted["pp"]) else ("tp", "pp", "cp", "sp")
    # What is not known multiplies: what is known has to divide the processes alone, too.
    degrees = {name: value for name in names if (value := setup.value(name, 1)) is not None and value > 0}
    if setup.world is None or "encoder-tensor-model-parallel-size" in setup.also:
        return None
    whole = prod(degrees.values())
    at = setup.first("tp", "pp", "cp", "sp")
    if at is None or setup.world.value % whole == 0:
        return None
    return Broken(
        at,
        f"{_product(degrees)} needs a multiple of {whole} processes, and there are {setup.world.value}",
        "The processes are divided into these groups, and the rest into copies of the model: the numbers must divide evenly.",
        _written(setup, at, *names, world=True),
    )


def _heads(setup: Setup, excepted: Except) -> Broken | None:
    heads, tp = setup.value("heads"), setup.value("tp", 1)
    return _divided(
        setup, excepted, "heads", heads, tp, f"{heads} attention heads cannot be split over {tp} tensor-parallel ranks"
    )


def _groups(setup: Setup, excepted: Except) -> Broken | None:
    """Groups are split over ranks, or ranks over groups."""
    groups, tp = setup.value("groups"), setup.value("tp", 1)
    if groups and tp and tp % groups == 0:
        return None
    if setup.also.isdisjoint(excepted["groups"]) and "groups" in setup.sizes and setup.sizes["groups"].written.startswith("--"):
        return None
    said = f"{groups} query groups cannot be split over {tp} tensor-parallel ranks, nor the ranks over the groups"
    return _divided(setup, excepted, "groups", groups, tp, said)


def _hidden(setup: Setup, excepted: Except) -> Broken | None:
    if "channels" in setup.sizes or "channels" in setup.unknown or not setup.is_whole:
        return None
    hidden, heads = setup.value("hidden"), setup.value("heads")
    said = f"a hidden size of {hidden} cannot be split into {heads} attention heads"
    return _divided(setup, excepted, "hidden", hidden, heads, said, "heads")


def _ffn(setup: Setup, excepted: Except) -> Broken | None:
    if not {"experts", "etp"}.isdisjoint({*setup.sizes, *setup.unknown}):
        return None
    ffn, tp = setup.value("ffn"), setup.value("tp", 1)
    said = f"a feed-forward size of {ffn} cannot be split over {tp} tensor-parallel ranks"
    return _divided(setup, excepted, "ffn", ffn, tp, said)


def _layers(setup: Setup, excepted: Except) -> Broken | None:
    if not setup.also.isdisjoint(excepted["layers"]) or not setup.is_whole:
        return None
    layers, pp = setup.value("layers"), setup.value("pp", 1)
    return _divided(setup, excepted, "layers", layers, pp, f"{layers} layers cannot be split over {pp} pipeline stages", "pp")


def _virtual(setup: Setup, excepted: Except) -> Broken | None:
    """Each stage of the pipeline holds several groups of layers, all as large."""
    if not setup.also.isdisjoint(excepted["layers"]) or not setup.also.isdisjoint(excepted["model"]):
        return None
    layers, pp = setup.value("layers"), setup.value("pp", 1)
    at = setup.sizes.get("virtual", setup.sizes.get("stages"))
    if not layers or not pp or at is None or at.value < 1 or layers % pp:
        return None
    unit = at.value if "virtual" in setup.sizes else layers // pp // at.value
    if pp == 1 and layers != unit:
        return Broken(
            at,
            "virtual pipeline stages without a pipeline",
            "Interleaving needs more than one pipeline stage: Megatron-LM fails at startup.",
            _written(setup, at, "layers", "pp"),
        )
    if (layers // pp) % at.value == 0:
        return None
    into = f"groups of {at.value}" if "virtual" in setup.sizes else f"{at.value} virtual stages"
    return Broken(
        at,
        f"the {layers // pp} layers of a pipeline stage cannot be split into {into}",
        "Each must get the same number of layers: Megatron-LM fails at startup.",
        _written(setup, at, "layers", "pp"),
    )


def _sequence(setup: Setup, _: Except) -> Broken | None:
    at = setup.sizes.get("splits_sequence")
    if at is None or at.value != 1 or setup.value("tp", 1) != 1 or not setup.is_job:
        return None
    return Broken(
        at,
        "sequence parallelism without tensor parallelism",
        "The sequence is split over the tensor-parallel ranks, and there is one: Megatron-LM disables it with a warning, and "
        "the activations are not split. Increase the tensor-parallel size, or remove the option.",
        _written(setup, at, "tp"),
        stops=False,
    )


def _experts(setup: Setup, excepted: Except) -> Broken | None:
    experts, ep = setup.value("experts", 0), setup.value("ep", 1)
    at = setup.sizes.get("ep")
    # Where the line does not describe the model, it goes by a name, or comes from a file.
    others = not {"layers", "heads"} <= setup.sizes.keys() or any(
        "expert" in name and "parallel" not in name for name in setup.also
    )
    if experts == 0 and at is not None and at.value > 1 and at.written.startswith("--") and not others:
        excepts = {*excepted["model"], *excepted["layers"], "spec"}
        said = f"{at.value} expert-parallel ranks, but the model has no experts"
        why = "Expert parallelism needs the number of experts: Megatron-LM fails at startup."
        return Broken(at, said, why) if setup.also.isdisjoint(excepts) else None
    return _divided(
        setup, excepted, "experts", experts, ep, f"{experts} experts cannot be split over {ep} expert-parallel ranks", "ep"
    )


def _expert_world(setup: Setup, excepted: Except) -> Broken | None:
    """The experts are split over the processes by themselves: those of a pipeline stage."""
    ep, pp, tp = setup.value("ep", 1), setup.value("pp", 1), setup.value("tp", 1)
    etp = setup.value("etp", tp)
    at = setup.sizes.get("ep")
    if setup.world is None or at is None or at.value < 2 or not ep or not pp or not etp:  # noqa: PLR2004 (an expert on one rank)
        return None
    if not setup.also.isdisjoint(excepted["pp"]):
        return None
    if setup.world.value % (ep * pp * etp) == 0:
        return None
    return Broken(
        at,
        f"expert {ep} × pipeline {pp} × expert-tensor {etp} needs a multiple of {ep * pp * etp} processes, and there are "
        f"{setup.world.value}",
        "The experts are divided among the processes of each pipeline stage: the numbers must divide evenly.",
        _written(setup, at, "pp", "etp", "tp", world=True),
    )


def _context(setup: Setup, excepted: Except) -> Broken | None:
    length, cp = setup.value("sequence"), setup.value("cp", 1)
    if not length or not cp or cp == 1 or length % (2 * cp) == 0 or not setup.also.isdisjoint(excepted["model"]):
        return None
    at = setup.sizes["sequence"]
    return Broken(
        at,
        f"a sequence of {length} cannot be split over {cp} context-parallel ranks",
        f"Each takes two parts of it, from both ends: it must be a multiple of {2 * cp}. Megatron-LM fails at startup.",
        _written(setup, at, "cp"),
    )


def _batch(setup: Setup, excepted: Except) -> Broken | None:
    """The batch is a number of micro-batches for each copy of the model."""
    degrees = _degrees(setup, ("tp", "pp", "cp", "sp"))
    whole, micro = setup.value("whole"), setup.value("micro")
    excepts = {*excepted["batch"], *excepted["pp"]}
    if (
        setup.world is None
        or degrees is None
        or not whole
        or not micro
        or not setup.is_whole
        or not setup.also.isdisjoint(excepts)
    ):
        return None
    copies, rest = divmod(setup.world.value, prod(degrees.values()))
    if rest or not copies or whole % (micro * copies) == 0:
        return None
    at = setup.sizes["whole"]
    return Broken(
        at,
        f"a batch of {whole} is not a multiple of a micro-batch of {micro} on {copies} data-parallel copies",
        f"{setup.world.value} processes make {copies} copies of the model, and each takes the same number of micro-batches: "
        "Megatron-LM fails at startup.",
        _written(setup, at, "micro", "tp", "pp", "cp", "sp", world=True),
    )


def _product(degrees: Mapping[str, int]) -> str:
    return " × ".join(f"{_CALLED[name]} {value}" for name, value in degrees.items() if value != 1)


def _exactly(setup: Setup, _: Except) -> Broken | None:
    """torchtitan: the degrees are the processes; the one that is -1 is worked out."""
    names = ("replicate", "cp", "tp", "pp")
    known = _degrees(setup, names)
    shard = setup.value("shard", -1)
    at = setup.first("tp", "pp", "cp", "replicate", "shard")
    if setup.world is None or at is None:
        return None
    degrees = known or {name: value for name in names if (value := setup.value(name, 1)) is not None and value > 0}
    if shard is not None and shard > 0:
        degrees["shard"] = shard
    whole = prod(degrees.values())
    is_exact = known is not None and shard is not None and shard > 0
    if setup.world.value == whole if is_exact else setup.world.value % whole == 0:
        return None
    many = f"{whole}" if is_exact else f"a multiple of {whole}"
    return Broken(
        at,
        f"{_product(degrees)} needs {many} processes, and there are {setup.world.value}",
        "torchtitan fails at startup: the product of all degrees must be the number of processes.",
        _written(setup, at, "replicate", "shard", "cp", "tp", "pp", world=True),
    )


def _expert_share(setup: Setup, _: Except) -> Broken | None:
    """torchtitan: experts take ranks of the shard, context and tensor dimensions."""
    shard, cp, tp, ep = setup.value("shard"), setup.value("cp", 1), setup.value("tp", 1), setup.value("ep", 1)
    at = setup.sizes.get("ep")
    if at is None or not ep or not shard or shard < 1 or not cp or not tp or (shard * cp * tp) % ep == 0:
        return None
    return Broken(
        at,
        f"{ep} expert-parallel ranks do not fit into shard {shard} × context {cp} × tensor {tp}",
        "torchtitan takes the ranks of the experts from these dimensions: their product must be a multiple.",
        _written(setup, at, "shard", "cp", "tp"),
    )


def _divided(
    setup: Setup, excepted: Except, what: str, number: int | None, by: int | None, says: str, over: str = "tp"
) -> Broken | None:
    """A size of the model that does not come out even."""
    if not number or not by or number % by == 0 or not setup.also.isdisjoint(excepted["model"]):
        return None
    at = setup.sizes[what]
    stops = "The job fails at startup: the numbers must divide evenly."
    return Broken(at, says, stops, _written(setup, at, over))


def _degrees(setup: Setup, names: Sequence[str]) -> dict[str, int] | None:
    found = {name: setup.value(name, 1) for name in names}
    known = {name: value for name, value in found.items() if value is not None and value > 0}
    return known if len(known) == len(found) else None


def _written(setup: Setup, at: Size, *names: str, world: bool = False) -> tuple[Size, ...]:
    sizes = [setup.sizes[name] for name in names if name in setup.sizes and setup.sizes[name] is not at]
    return (*sizes, *((setup.world,) if world and setup.world is not None else ()))


_LAWS: dict[str, Callable[[Setup, Except], Broken | None]] = {
    "world": _world,
    "heads": _heads,
    "groups": _groups,
    "hidden": _hidden,
    "ffn": _ffn,
    "layers": _layers,
    "virtual": _virtual,
    "sequence": _sequence,
    "experts": _experts,
    "expert_world": _expert_world,
    "context": _context,
    "batch": _batch,
    "product": _exactly,
    "expert_share": _expert_share,
}
