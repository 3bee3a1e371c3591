"""Which words in a file say that it may hold a kind of thing: what makes files matter (see ``Rule.needs``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from trainlint.knowledge.load import Knowledge

#: Names that libraries give to ranks and jobs, but that too many other things have.
_TOO_COMMON = {"is_available", "is_initialized", "rank", "size", "initialize", "ndim"}


#: What rules need that are also about the scripts which start a program.
READ_SCRIPTS = frozenset(("deterministic",))


def of(knowledge: Knowledge, need: str) -> frozenset[bytes]:
    """The identifiers one of which stands in every file that has this kind of thing.

    A need that has no function here is a kind of the table ``kinds``; one with a dot is a table of another package.
    """
    special = _SPECIAL.get(need)
    if "." in need:
        names = _last(knowledge.own(need))
    else:
        names = special(knowledge) if special is not None else _of_kind(knowledge, need)
    return frozenset(name.encode() for name in names)


def read(knowledge: Knowledge, wanted: str) -> frozenset[bytes]:
    """The identifiers one of which stands in every file beside the Python that has this kind of thing."""
    return frozenset(name.encode() for name in knowledge.tables["documents.words"].get(wanted, ()))


def _of_kind(knowledge: Knowledge, kind: str) -> set[str]:
    return _last(name for name, known in knowledge.kinds.items() if known == kind)


def _rank(knowledge: Knowledge) -> set[str]:
    return (_last(knowledge.ranks) | _last(knowledge.decorators)) - _TOO_COMMON | set(knowledge.environment)


def _rank_test(knowledge: Knowledge) -> set[str]:
    """What differs from rank to rank, also what only its name says it of."""
    names = _last(_telling(knowledge.ranks)) | _last(knowledge.decorators)
    return names | {COMMENT, *_telling(knowledge.environment), *_telling(knowledge.conventions)}


def _files(knowledge: Knowledge) -> Iterator[str]:
    """What writes files, and opens, makes or deletes them."""
    makers = (knowledge.file_writes, knowledge.file_opens, knowledge.file_makes, knowledge.file_links, knowledge.file_downloads)
    for table in (*makers, knowledge.file_removes, knowledge.trackers):
        yield from table
    yield from (name for name, said in knowledge.file_methods.items() if not said.startswith("read"))


def _losing(knowledge: Knowledge) -> set[str]:
    """The methods that return a loss to a framework, or are handed one; of those that too many things have, the class."""
    found = {name for name, words in knowledge.hooks.items() if "loss" in words.split()} | set(knowledge.hooks_graphs)
    common = {"loss", *knowledge.tables["methods"]["common"]}
    return {cls if method in common else method for *_, cls, method in (name.split(".") for name in found)}


def _traced_hooks(knowledge: Knowledge) -> set[str]:
    traced = set(knowledge.tables["tracing"].values())
    return _last(name for name, words in knowledge.hooks.items() if not traced.isdisjoint(words.split()))


def _loop(knowledge: Knowledge) -> set[str]:
    return {"yield", "__iter__", *knowledge.training, *knowledge.reshuffles} | _of_kind(knowledge, "loader")


#: In a comment: it may tell of a rank or of a collective.
COMMENT = "trainlint"


def _collective(knowledge: Knowledge) -> set[str]:
    """The collectives; of those that are one with a certain keyword only, that keyword."""
    return _last(set(knowledge.collectives).difference(knowledge.only_with)) | set(knowledge.only_with.values()) | {COMMENT}


def _own_keys(knowledge: Knowledge) -> list[str]:
    """What stands in each file that makes a configuration of DeepSpeed, in a dict."""
    return list(knowledge.tables["deepspeed.configuration"]["own"])


def _job(knowledge: Knowledge) -> set[str]:
    """What joins a job; the library of it where other things have such a method, too (``init``)."""
    names = knowledge.jobs | knowledge.job_wrappers
    libraries = {name.partition(".")[0] for name in names if name.rpartition(".")[2] in knowledge.common_methods}
    return (_last(names) | libraries) - knowledge.common_methods - _TOO_COMMON


def _step_parts(knowledge: Knowledge) -> set[str]:
    """What is done in a training step besides the backward pass, by names that few other things have."""
    return _last(knowledge.step_calls) - {"step", "update", "backward", "scale_loss", "optimizer_step"} | _steppers(knowledge)


def _steppers(knowledge: Knowledge) -> set[str]:
    """The classes whose objects make a whole step when they are called."""
    return _last(knowledge.tables["step_calls.objects"])


def _makers(knowledge: Knowledge) -> set[str]:
    """The classes whose objects make a model that all ranks train, by methods that go by names of most files (``prepare``)."""
    return {name.split(".")[-2] for name, word in knowledge.parallel.items() if word in ("prepared", "backward")}


def _parallel(knowledge: Knowledge) -> set[str]:
    """What makes a model that all ranks train."""
    return _last(name for name, word in knowledge.parallel.items() if word in ("ddp", "fsdp", "fsdp2")) | _makers(knowledge)


_SPECIAL: dict[str, Callable[[Knowledge], set[str]]] = {
    "collective": _collective,
    "converts": lambda knowledge: _last(knowledge.tables["parallel.converts"]["names"]),
    "sharded-model": lambda knowledge: _last(name for name, word in knowledge.parallel.items() if word in ("fsdp", "fsdp2")),
    "parallel": _parallel,
    "distributed-sampler": lambda knowledge: _of_kind(knowledge, "distributed-sampler") | knowledge.reshuffles,
    "rank": _rank,
    "file": lambda knowledge: _last(_files(knowledge)),
    "job": _job,
    "rank-test": _rank_test,
    "loop": _loop,
    "autocast": lambda knowledge: _last(knowledge.autocasts),
    "gradient": lambda knowledge: {*knowledge.backward, *knowledge.evaluates, *_losing(knowledge), *_steppers(knowledge)},
    "mode": lambda knowledge: set(knowledge.ends_evaluation),
    "graph-kept": lambda knowledge: {*_SPECIAL["gradient"](knowledge), *knowledge.buffer_makers},
    "returned-gradient": lambda knowledge: {name.split(".")[-2] for name in knowledge.tables["backwards.returning"]["functions"]},
    "step-part": _step_parts,
    "option": lambda knowledge: _last(knowledge.tables["options"]["parses"]),
    "patience": lambda knowledge: _last(knowledge.tables["patience"]),
    "inference": lambda knowledge: _last(name for name, word in knowledge.grad_modes.items() if word == "off"),
    "xla": lambda knowledge: set(knowledge.tables["xla.words"]["names"]),
    "generator": lambda knowledge: _last(knowledge.generators),
    "anomaly": lambda knowledge: {
        word if name.rpartition(".")[2][0].isupper() else name.rpartition(".")[2] for name, word in knowledge.anomaly.items()
    },
    "switch": lambda knowledge: {name.split(".")[-2] for name in knowledge.tables["switches"]},
    "variable": lambda knowledge: set(knowledge.tables["variables.read"]),
    "slow-variable": lambda knowledge: {each.partition("=")[0] for each in knowledge.tables["variables"]["slow"]},
    "local-rank": lambda knowledge: {"local_rank", *knowledge.tables["launchers.local"]["variables"]},
    "exported": lambda knowledge: {
        *(name for row in ("nccl", "torch", "xla", "cuda") for name in knowledge.tables["exported"][row]),
        *knowledge.tables["exported.old"],
    },
    "group": lambda knowledge: _last(knowledge.tables["groups.starts"]),
    "preflight": lambda knowledge: set(knowledge.tables["preflight.evidence"]["wakes"]),
    "unused-search": lambda knowledge: set(knowledge.tables["unused_search.words"]["names"]),
    "deterministic": lambda knowledge: (
        _last(knowledge.tables["deterministic"]) | {knowledge.tables["deterministic.variable"]["name"]}
    ),
    "seeding": lambda knowledge: _last(knowledge.seeds),
    "copies": lambda knowledge: _last(knowledge.tables["gathers_copies"]),
    "request": lambda knowledge: set(knowledge.tables["requests.words"]["names"]),
    "free": lambda knowledge: _last(knowledge.tables["frees"]) - {"collect"} | {"gc"},
    "clock": lambda knowledge: _last(knowledge.clocks),
    "trace": lambda knowledge: _last(name for name, word in knowledge.tables["dispatch"].items() if word in ("begins", "ends")),
    "layer-size": lambda knowledge: _last(knowledge.tables["aligned"]),
    "pipeline": lambda knowledge: (
        _last(knowledge.tables["pipelines"]) - {"initialize"} | _last(knowledge.tables["pipelines.stages"])
    ),
    "attention": lambda knowledge: set(knowledge.tables["attention"]["words"]),
    "profiler": lambda knowledge: _last(knowledge.tables["profilers"]) - {"profile"} | {"profiler"},
    "narrow": lambda knowledge: {*knowledge.tables["narrow.casts"], *_last(knowledge.narrow)},
    "recompute": lambda knowledge: _last(knowledge.tables["recomputes"]),
    "numerics": lambda knowledge: _last(knowledge.expecting),
    "weights": lambda knowledge: _last(knowledge.weights),
    "exponential": lambda _: {"exp", "log"},
    "root": lambda _: {"sqrt", "log", "pow"},
    "state": lambda knowledge: set(knowledge.tables["checkpoints.words"]["names"]),
    "compiled": lambda knowledge: set(knowledge.tables["traced.words"]["names"]),
    "device-setting": lambda knowledge: _last(knowledge.tables["tensorflow.devices"]["settings"]),
    "eager-step": lambda knowledge: set(knowledge.tables["tensorflow.steps"]["applies"]),
    "dataset": lambda knowledge: set(knowledge.tables["datasets.words"]["names"]),
    "tape": lambda knowledge: set(knowledge.tables["tensorflow"]["tapes"]),
    "tf-function": lambda knowledge: {*knowledge.tables["tensorflow"]["tracers"], *_traced_hooks(knowledge)},
    "keras-loss": lambda knowledge: set(knowledge.tables["tensorflow"]["loss_words"]),
    "keras-layer": lambda knowledge: set(knowledge.tables["tensorflow"]["packages"]),
    "half-policy": lambda knowledge: set(knowledge.tables["tensorflow"]["precision"]),
    "deepspeed": lambda knowledge: {"deepspeed", "DeepSpeedPlugin", "DeepSpeedStrategy", *_own_keys(knowledge)},
    "accelerated": lambda knowledge: {"Accelerator"} | _last(knowledge.tables["accelerate.parsers"]["names"]),
    "donated": lambda _: {"donate_argnums", "donate_argnames"},
    "differentiated": lambda _: {"value_and_grad", "apply_gradients"},
    "mapped": lambda _: {"pmap", "shard_map", "filter_pmap"},
    "jax-key": lambda knowledge: set(knowledge.tables["keys.words"]["names"]),
    "parameters": lambda knowledge: {name for name in knowledge.handed_out_once if "." not in name},
    "divergence": lambda knowledge: _last(name for name, word in knowledge.expecting.items() if word == "divergence"),
    "norm": lambda knowledge: _last(name for name, word in knowledge.numerics.items() if word in ("norm", "deviation", "abs")),
    "head": lambda knowledge: _last(name for name, word in knowledge.numerics.items() if word in knowledge.expecting.values()),
}

#: What libraries no longer want to be used.
_OLD: dict[str, Callable[[Knowledge], set[str]]] = {
    "amp": lambda knowledge: dotted(knowledge.old_amp),
    "old-api": lambda knowledge: (
        dotted({*knowledge.old_names, *knowledge.old_defaults, *knowledge.old_arguments["verbose"][3:]}) | {"size_average"}
    ),
    "vision": lambda knowledge: (
        dotted(name for names in knowledge.old_weights.values() for name in names) | dotted(knowledge.old_vision)
    ),
    "reentrant": lambda knowledge: dotted(knowledge.reentrant),
    "kept-zeros": lambda knowledge: {row[0] for row in knowledge.keeps_zeros.values()},
    "replicates": lambda knowledge: dotted(knowledge.replicates),
    "private": lambda knowledge: dotted(knowledge.private),
    "unpickling": lambda knowledge: dotted(knowledge.unpickles),
}
_SPECIAL.update(_OLD)

#: What has to do with the compiler of PyTorch.
_DYNAMO: dict[str, Callable[[Knowledge], set[str]]] = {
    "compiled-module": lambda knowledge: (
        dotted(name for name, word in knowledge.tables["dynamo"].items() if word == "compiles")
        | set(knowledge.tables["dynamo.words"]["names"])
    ),
    "compiled-function": lambda knowledge: (
        dotted(name for name, word in knowledge.tables["dynamo"].items() if word == "compiles")
        | _last(name for name, word in knowledge.tables["dynamo"].items() if word in ("number", "shape", "says"))
        | set(knowledge.tables["dynamo.calls"]["names"])
    ),
    "cuda-stream": lambda knowledge: (
        _last(name for name, word in knowledge.tables["cuda_streams"].items() if word == "current")
        | dotted(name for name, word in knowledge.tables["cuda_streams"].items() if word not in ("current", "captures", "waits"))
    ),
    "cuda-graph": lambda knowledge: dotted(name for name, word in knowledge.tables["cuda_streams"].items() if word == "captures"),
    "compile-setting": lambda knowledge: _last(name for name, word in knowledge.tables["dynamo"].items() if word == "hides"),
}
_SPECIAL.update(_DYNAMO)

#: Needs whose words count beside those of training only: what a training loop uses is found from the loop.
_OF_TRAINING = ("option", "autocast", "xla", "step-part", "free")
#: What matters of a softmax or sigmoid by itself is that a logarithm is taken of it.
_BESIDE_HEADS = frozenset((b"log",))
#: What matters of a clock is that something is timed that computes.
_BESIDE_CLOCKS = (b"torch", b"jax")
#: Files that write checkpoints have that word, too: those with the other kind know of layers.
_BESIDE_RECOMPUTING = (b"nn",)
#: What the words of dotted names begin with (no identifier does).
DOTTED = b"@"


def dotted(names: Iterable[str]) -> set[str]:
    """Words that stand for whole dotted names: their last parts are in too many files."""
    return {f"{DOTTED.decode()}{name}" for name in names}


def counts(word: bytes) -> bytes:
    """What stands among the words of a file in which a loose word counts (no identifier looks like that)."""
    return b"." + word


class Loose(NamedTuple):
    """Where a word that stands in most files means a collective.

    ``around``: it is a method of a class; one of these stands in the file, too. ``beside``: it is a function of a module; one of
    these stands in the file, and it is taken from what goes by one of ``owners``, or by a name that the file gives to a module.
    """

    around: frozenset[bytes]
    beside: frozenset[bytes]
    owners: frozenset[bytes]


def loose(knowledge: Knowledge, aliases: Iterable[tuple[str, str]]) -> dict[bytes, Loose]:
    """The words of the table ``loose``; ``aliases`` are pairs of an alias and what it means."""
    packages = [(alias.split(".")[0], name.split(".")[0]) for alias, name in aliases]
    named: dict[str, list[str]] = {}
    for name in (*knowledge.collectives, *knowledge.kinds):
        named.setdefault(name.rpartition(".")[2], []).append(name)
    return {word.encode(): _loose(knowledge, packages, word, named.get(word, ())) for word in knowledge.tables["loose"]}


def _loose(knowledge: Knowledge, packages: Sequence[tuple[str, str]], word: str, names: Iterable[str]) -> Loose:
    """``names`` are those of the collectives and kinds that end in the word."""
    around: set[str] = set()
    near = set(knowledge.tables["loose"][word])
    owners = set(near)
    for name in names:
        package, *rest = name.split(".")
        library = rest[0] if package == "torch" and len(rest) > 1 else package
        classes = {part for part in rest[:-1] if part[0].isupper()}
        if classes:
            around |= {library, *classes}
        else:
            near.add(library)
            owners.update((library, *rest[-2:-1]))
    for alias, package in packages:
        for found in (around, near):
            if package in found:
                found.add(alias)
    for called, name in knowledge.receivers.items():
        parts = set(name.split("."))
        if not around.isdisjoint(parts):
            around.add(called)
        elif not near.isdisjoint(parts):
            near.add(called)
            owners.add(called)
    left_out = {"torch", word}
    return Loose(*(frozenset(each.encode() for each in found - left_out) for found in (around, near, owners)))


def beside(knowledge: Knowledge, loose_words: Mapping[bytes, Loose]) -> dict[bytes, frozenset[bytes]]:
    """The words that count only in a file that has one of some others too: word to those others.

    They are those of the table ``loose``, what only matters in a training loop, and what asks a model without training it.
    """
    found = {word: known.around | known.beside for word, known in loose_words.items()}
    trains = frozenset(name.encode() for name in (*knowledge.training, *_steppers(knowledge)))
    found.update((word, trains) for need in _OF_TRAINING for word in of(knowledge, need))
    found.update((word, of(knowledge, "autocast")) for word in of(knowledge, "returned-gradient"))
    found.update((word, _BESIDE_HEADS) for word in of(knowledge, "head"))
    weights = frozenset(name.encode() for name in knowledge.takes_weights)
    found.update((word, weights) for word in of(knowledge, "inference"))  # a file in which a model is asked, and not trained
    found.update((word, trains.union(_BESIDE_CLOCKS)) for word in of(knowledge, "clock"))
    softmax = frozenset(name.encode() for name in knowledge.tables["attention"]["beside"])
    found.update((word, softmax) for word in of(knowledge, "attention"))
    keras = knowledge.tables["tensorflow"]
    layers = frozenset(name.encode() for name in _last((*keras["moded_layers"], *keras["model_words"])))
    found.update((word, layers) for word in of(knowledge, "keras-layer"))
    found.update((word, frozenset(name.encode() for name in keras["traced_in"])) for word in of(knowledge, "tf-function"))
    found.update((word, frozenset(_BESIDE_RECOMPUTING)) for word in of(knowledge, "recompute"))
    compiles = (name.encode() for name in knowledge.tables["dynamo.calls"]["names"])
    found.update((word, trains.union(_BESIDE_RECOMPUTING)) for word in compiles)  # `re.compile` is in too many others
    return found


def _last(dotted: Iterable[str]) -> set[str]:
    return {name.rpartition(".")[2] for name in dotted}


def _telling(table: Mapping[str, str]) -> Iterator[str]:
    """The entries of a rank table whose value differs from rank to rank."""
    return (name for name, word in table.items() if word not in ("world", "uniform", "yes"))
