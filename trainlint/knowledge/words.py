"""Which words in a file say that it may hold a kind of thing: what wakes files (see ``Rule.needs``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from trainlint.knowledge.load import Knowledge

#: Names that libraries give to ranks and jobs, but that too many other things have.
_TOO_COMMON = {"is_available", "is_initialized", "rank", "size", "initialize", "ndim"}


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


def spreading(knowledge: Knowledge, need: str) -> frozenset[bytes]:
    """Those of the words that make their function interesting to its callers.

    An autocast, a device, a model put into evaluation mode matter where something is trained; that is found by its own
    words, and what it uses is followed by name. A backward pass matters to callers: they collect the losses.
    """
    quiet = _QUIET.get(need)
    return of(knowledge, need) - {name.encode() for name in quiet(knowledge)} if quiet is not None else of(knowledge, need)


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


def _loop(knowledge: Knowledge) -> set[str]:
    return {"yield", "__iter__", *knowledge.training, *knowledge.reshuffles} | _of_kind(knowledge, "loader")


#: In a comment: it may tell of a rank or of a collective.
COMMENT = "trainlint"


def _collective(knowledge: Knowledge) -> set[str]:
    """The collectives; of those that are one with a certain keyword only, that keyword."""
    return _last(set(knowledge.collectives).difference(knowledge.only_with)) | set(knowledge.only_with.values()) | {COMMENT}


def _job(knowledge: Knowledge) -> set[str]:
    """What joins a job; the library of it where other things have such a method, too (``init``)."""
    names = knowledge.jobs | knowledge.job_wrappers
    libraries = {name.partition(".")[0] for name in names if name.rpartition(".")[2] in knowledge.common_methods}
    return (_last(names) | libraries) - knowledge.common_methods - _TOO_COMMON


def _step_parts(knowledge: Knowledge) -> set[str]:
    """What is done in a training step besides the backward pass, by names that few other things have."""
    return _last(knowledge.step_calls) - {"step", "update", "backward", "scale_loss", "optimizer_step"}


def _makers(knowledge: Knowledge) -> set[str]:
    """The classes whose objects make a model that all ranks train, by methods that go by names of most files (``prepare``)."""
    return {name.split(".")[-2] for name, word in knowledge.parallel.items() if word in ("prepared", "backward")}


def _parallel(knowledge: Knowledge) -> set[str]:
    """What makes a model that all ranks train."""
    return _last(name for name, word in knowledge.parallel.items() if word in ("ddp", "fsdp", "fsdp2")) | _makers(knowledge)


_SPECIAL: dict[str, Callable[[Knowledge], set[str]]] = {
    "collective": _collective,
    "parallel": _parallel,
    "distributed-sampler": lambda knowledge: _of_kind(knowledge, "distributed-sampler") | knowledge.reshuffles,
    "rank": _rank,
    "file": lambda knowledge: _last(_files(knowledge)),
    "job": _job,
    "rank-test": _rank_test,
    "loop": _loop,
    "autocast": lambda knowledge: _last(knowledge.autocasts),
    "gradient": lambda knowledge: {*knowledge.backward, *knowledge.evaluates, *_last(knowledge.returned_losses)},
    "step-part": _step_parts,
    "inference": lambda knowledge: _last(name for name, word in knowledge.grad_modes.items() if word == "off"),
    "xla": lambda knowledge: set(knowledge.tables["xla.words"]["names"]),
    "generator": lambda knowledge: _last(knowledge.generators),
    "anomaly": lambda knowledge: {
        word if name.rpartition(".")[2][0].isupper() else name.rpartition(".")[2] for name, word in knowledge.anomaly.items()
    },
    "switch": lambda knowledge: {name.split(".")[-2] for name in knowledge.tables["switches"]},
    "unused-search": lambda knowledge: set(knowledge.tables["unused_search.words"]["names"]),
    "free": lambda knowledge: _last(knowledge.tables["frees"]) - {"collect"} | {"gc"},
    "clock": lambda knowledge: _last(knowledge.clocks),
    "narrow": lambda knowledge: {*knowledge.tables["narrow.casts"], *_last(knowledge.narrow)},
    "recompute": lambda knowledge: _last(knowledge.tables["recomputes"]),
    "numerics": lambda knowledge: _last(knowledge.expecting),
    "weights": lambda knowledge: _last(knowledge.weights),
    "exponential": lambda _: {"exp", "log"},
    "root": lambda _: {"sqrt", "log"},
    "state": lambda knowledge: set(knowledge.tables["checkpoints.words"]["names"]),
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
        dotted(name for names in knowledge.old_weights.values() for name in names)
        | dotted(knowledge.old_vision)
        | dotted(knowledge.old_imports)
    ),
    "reentrant": lambda knowledge: dotted(knowledge.reentrant),
    "kept-zeros": lambda knowledge: {row[0] for row in knowledge.keeps_zeros.values()},
    "replicates": lambda knowledge: dotted(knowledge.replicates),
    "private": lambda knowledge: dotted(knowledge.private),
    "unpickling": lambda knowledge: dotted(knowledge.unpickles),
}
_SPECIAL.update(_OLD)

#: Needs whose words count beside those of training only: what a training loop uses is found from the loop.
_OF_TRAINING = ("autocast", "xla", "step-part", "free")
#: What matters of a softmax or sigmoid by itself is that a logarithm is taken of it.
_BESIDE_HEADS = frozenset((b"log",))
#: What matters of a clock is that something is timed that computes.
_BESIDE_CLOCKS = (b"torch",)
#: Files that write checkpoints have that word, too: those with the other kind know of layers.
_BESIDE_RECOMPUTING = (b"nn",)
#: Of a need, the words that do not spread.
_QUIET: dict[str, Callable[[Knowledge], Iterable[str]]] = {
    "gradient": lambda knowledge: knowledge.evaluates | _last(knowledge.returned_losses),
    "parallel": _makers,
    "autocast": _SPECIAL["autocast"],
    "step-part": _step_parts,
    "xla": _SPECIAL["xla"],
    "clock": _SPECIAL["clock"],
    "recompute": _SPECIAL["recompute"],
    "narrow": _SPECIAL["narrow"],
    "free": _SPECIAL["free"],
    "unused-search": _SPECIAL["unused-search"],
    "switch": _SPECIAL["switch"],
    "head": _SPECIAL["head"],
    "weights": _SPECIAL["weights"],
    "exponential": _SPECIAL["exponential"],
    "root": _SPECIAL["root"],
    "parameters": _SPECIAL["parameters"],
    "state": _SPECIAL["state"],
    "norm": _SPECIAL["norm"],
    "generator": _SPECIAL["generator"],
    "inference": _SPECIAL["inference"],
    **_OLD,
}


#: What the words of dotted names begin with (no identifier does).
DOTTED = b"@"


def dotted(names: Iterable[str]) -> set[str]:
    """Words that stand for whole dotted names: their last parts are in too many files."""
    return {f"{DOTTED.decode()}{name}" for name in names}


def asked_when_awake(
    knowledge: Knowledge, loose_words: Iterable[bytes], found: Mapping[bytes, frozenset[bytes]]
) -> frozenset[bytes]:
    """The words that are asked for of files that will be parsed: what they know of, what they train with.

    ``loose_words`` are those of :func:`loose`, ``found`` is what :func:`beside` says.
    """
    kinds = ("rank-test", "loop", "distributed-sampler", "xla")
    training = (name.encode() for name in knowledge.training)
    counting = (counts(word) for word in loose_words)
    return frozenset(found).union(training, counting, *found.values(), *(of(knowledge, kind) for kind in kinds))


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
    return {word.encode(): _loose(knowledge, packages, word) for word in knowledge.tables["loose"]}


def _loose(knowledge: Knowledge, packages: Sequence[tuple[str, str]], word: str) -> Loose:
    around: set[str] = set()
    near = set(knowledge.tables["loose"][word])
    owners = set(near)
    for name in (*knowledge.collectives, *knowledge.kinds):
        package, *rest = name.split(".")
        if (rest or [package])[-1] != word:
            continue
        library = rest[0] if package == "torch" and len(rest) > 1 else package
        classes = {part for part in rest[:-1] if part[0].isupper()}
        if classes:
            around |= {library, *classes}
        else:
            near.add(library)
            owners.update((library, *rest[-2:-1]))
    for alias, package in packages:
        for names in (around, near):
            if package in names:
                names.add(alias)
    for called, name in knowledge.receivers.items():
        parts = set(name.split("."))
        if not around.isdisjoint(parts):
            around.add(called)
        elif not near.isdisjoint(parts):
            near.add(called)
            owners.add(called)
    left_out = {"torch", word}
    return Loose(*(frozenset(each.encode() for each in names - left_out) for names in (around, near, owners)))


def beside(knowledge: Knowledge, loose_words: Mapping[bytes, Loose]) -> dict[bytes, frozenset[bytes]]:
    """The words that count only in a file that has one of some others too: word to those others.

    They are those of the table ``loose``, what only matters in a training loop, and what asks a model without training it.
    """
    found = {word: known.around | known.beside for word, known in loose_words.items()}
    trains = frozenset(name.encode() for name in knowledge.training)
    found.update((word, trains) for need in _OF_TRAINING for word in of(knowledge, need))
    found.update((word, _BESIDE_HEADS) for word in of(knowledge, "head"))
    weights = frozenset(name.encode() for name in knowledge.takes_weights)
    found.update((word, weights) for word in of(knowledge, "inference"))  # a file in which a model is asked, and not trained
    found.update((word, trains.union(_BESIDE_CLOCKS)) for word in of(knowledge, "clock"))
    found.update((word, frozenset(_BESIDE_RECOMPUTING)) for word in of(knowledge, "recompute"))
    return found


def _last(dotted: Iterable[str]) -> set[str]:
    return {name.rpartition(".")[2] for name in dotted}


def _telling(table: Mapping[str, str]) -> Iterator[str]:
    """The entries of a rank table whose value differs from rank to rank."""
    return (name for name, word in table.items() if word not in ("world", "uniform", "yes"))
