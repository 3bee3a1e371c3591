"""Loading and asking the knowledge tables.

Users extend the same tables under ``[tool.trainlint.knowledge]``; what they say is merged over what ships.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from trainlint.codes import INSTALLED
from trainlint.knowledge import words
from trainlint.knowledge.tables import TABLE_OF, TABLES
from trainlint.knowledge.words import Loose


class KnowledgeError(ValueError):
    """A knowledge table that a user wrote is wrong; the text names the key and what is expected."""


class Knowledge:
    """The merged tables. Dotted names are canonical: ask :meth:`canonical` first.

    Each attribute below is a table, by its own name or as ``TABLE_OF`` says; ``README.md`` says what stands in it.
    """

    collectives: Mapping[str, int]
    ranks: Mapping[str, str]
    conventions: Mapping[str, str]
    environment: Mapping[str, str]
    decorators: Mapping[str, str]
    receivers: Mapping[str, str]
    shared_receivers: frozenset[str]
    kinds: Mapping[str, str]
    signatures: Mapping[str, list[str]]
    results: Mapping[str, list[str]]
    iterates: Mapping[str, str]
    protocols: Mapping[str, str]
    drains: frozenset[str]
    silenced_by: Mapping[str, str]
    operations: Mapping[str, str]
    objects: frozenset[str]
    ends: frozenset[str]
    optional: Mapping[str, str]
    reshuffled_by: frozenset[str]
    training: frozenset[str]
    reshuffles: frozenset[str]
    autocasts: Mapping[str, str]
    autocast_defaults: Mapping[str, str]
    autocast_setters: frozenset[str]
    narrow: frozenset[str]
    grad_modes: Mapping[str, str]
    forwards: frozenset[str]
    tensor_methods: frozenset[str]
    fluent: frozenset[str]
    cuts_graph: frozenset[str]
    ends_graph: frozenset[str]
    makes_anew: frozenset[str]
    keeps_nothing: frozenset[str]
    loss_words: tuple[str, ...]
    loss_scaling: frozenset[str]
    scaling_words: tuple[str, ...]
    backwards: Mapping[str, str]
    steps: frozenset[str]
    steps_of_others: tuple[str, ...]
    xla: Mapping[str, str]
    xla_devices: frozenset[str]
    xla_switches: frozenset[str]
    paddings: Mapping[str, str]
    shapes: Mapping[str, str]
    phases: frozenset[str]
    lengths: Mapping[str, int]
    sizes: Mapping[str, str]
    rounding: Mapping[str, str]
    size_parameters: Mapping[str, list[str]]
    padded_by: Mapping[str, str]
    endless_by: frozenset[str]
    splitters: frozenset[str]
    joins: frozenset[str]
    unevened_by: frozenset[str]
    measures: frozenset[str]
    on_host: frozenset[str]
    placed_by: frozenset[str]
    reads: Mapping[str, str]
    exits: frozenset[str]
    transparent: frozenset[str]
    world_groups: frozenset[str]
    with_group: frozenset[str]
    group_keywords: frozenset[str]
    gives_up: frozenset[str]
    parallel_words: frozenset[str]
    written: Mapping[str, str]
    spawners: frozenset[str]
    starters: frozenset[str]
    tells: frozenset[str]
    common_methods: frozenset[str]
    idle_scaling: frozenset[str]
    registers: frozenset[str]
    registered_by_hand: frozenset[str]
    parts_by_hand: frozenset[str]
    weights: frozenset[str]
    replaced_by: Mapping[str, str]
    handed_out_once: frozenset[str]
    looks_at: frozenset[str]
    numerics: Mapping[str, str]
    expecting: Mapping[str, str]
    rearranges: frozenset[str]
    logarithms: Mapping[str, str]
    with_logits: Mapping[str, str]
    bounds: frozenset[str]
    picks: frozenset[str]
    backward: Mapping[str, str]
    scales: frozenset[str]
    keeps: frozenset[str]
    keeps_first: frozenset[str]
    module_bases: frozenset[str]
    without_grad: frozenset[str]
    evaluates: frozenset[str]
    ends_evaluation: frozenset[str]
    opaque: frozenset[str]
    asks_gradients: frozenset[str]
    loss_attributes: frozenset[str]
    gathers: Mapping[str, str]
    adds: frozenset[str]
    empties: frozenset[str]
    only_asks: frozenset[str]
    enumerations: frozenset[str]
    numbering: frozenset[str]
    ends_in_place: frozenset[str]
    hands_out: frozenset[str]
    managers: Mapping[str, str]
    applies: Mapping[str, str]
    collects: frozenset[str]
    fills: frozenset[str]
    returned_losses: frozenset[str]
    returned_losses_unless: frozenset[str]
    seldom: frozenset[str]
    views: Mapping[str, str]
    items: Mapping[str, str]
    fields: Mapping[str, str]
    bundles: frozenset[str]
    limited_by: Mapping[str, str]
    freezes: frozenset[str]
    freeze_words: frozenset[str]
    unwraps: frozenset[str]
    unwrapping: frozenset[str]
    passes: frozenset[str]
    other_passes: frozenset[str]
    comparing: frozenset[str]
    takes_weights: frozenset[str]
    copies_weights: frozenset[str]
    random_words: frozenset[str]
    test_packages: frozenset[str]
    drops: Mapping[str, str]
    always_drops: frozenset[str]
    anomaly: Mapping[str, str]
    debug_words: frozenset[str]
    clocks: frozenset[str]
    device_waits: frozenset[str]
    waiting_words: frozenset[str]
    reads_values: frozenset[str]
    accelerators: frozenset[str]
    model_words: frozenset[str]
    recurrent: Mapping[str, str]
    moded: frozenset[str]
    evaluation_words: frozenset[str]
    parallel: Mapping[str, str]
    parallel_in_place: frozenset[str]
    parallel_steps: frozenset[str]
    parallel_methods: Mapping[str, str]
    parallel_distinct: Mapping[str, str]
    parallel_parts: frozenset[str]
    parallel_given: Mapping[str, str]
    collective_kinds: Mapping[str, str]
    only_with: Mapping[str, str]
    made_without: Mapping[str, list[str]]
    ordered: frozenset[str]
    runs_model: frozenset[str]
    unsynced: frozenset[str]
    buffered: frozenset[str]
    buffer_makers: frozenset[str]
    without_buffers: Mapping[str, str]
    updates: frozenset[str]
    shuffles: Mapping[str, str]
    shuffles_in_place: frozenset[str]
    shuffles_made_by: Mapping[str, str]
    seeded_by: frozenset[str]
    seeded_as: Mapping[str, str]
    generators: Mapping[str, str]
    seeds: Mapping[str, list[str]]
    keeps_order: frozenset[str]
    settles_order: frozenset[str]
    shares: Mapping[str, str]
    shares_given: frozenset[str]
    share_words: tuple[str, ...]
    share_tests: tuple[str, ...]
    whole: frozenset[str]
    map_style: tuple[str, ...]
    mixed_parallelism: frozenset[str]
    launches: Mapping[str, str]
    data: Mapping[str, str]
    derives: frozenset[str]
    failures: frozenset[str]
    filled: Mapping[str, str]
    changes: Mapping[str, str]
    leaves: frozenset[str]
    storage: frozenset[str]
    same: frozenset[str]
    fails: Mapping[str, str]
    #: Those of them that only read what they are given: they fail on all ranks unless that is the rank's own.
    only_read: frozenset[str]
    variables: frozenset[str]
    catches: Mapping[str, str]
    layers: frozenset[str]
    judged_by: frozenset[str]
    file_writes: Mapping[str, str]
    file_opens: Mapping[str, str]
    file_makes: Mapping[str, str]
    file_links: Mapping[str, str]
    file_removes: Mapping[str, str]
    file_reads: Mapping[str, str]
    file_downloads: Mapping[str, str]
    trackers: Mapping[str, str]
    file_methods: Mapping[str, str]
    guarded: frozenset[str]
    lenient: frozenset[str]
    joins_paths: frozenset[str]
    waits: frozenset[str]
    barriers: Mapping[str, str]
    strict_arguments: Mapping[str, int]
    plain: frozenset[str]
    plain_methods: frozenset[str]
    asks: frozenset[str]
    asks_methods: frozenset[str]
    asks_kind: frozenset[str]
    listings: frozenset[str]
    relists: frozenset[str]
    job_hooks: Mapping[str, str]
    job_waits: frozenset[str]
    unique_words: frozenset[str]
    clock_words: frozenset[str]
    seconds: frozenset[str]
    owned: frozenset[str]
    rank_hints: frozenset[str]
    rank_modes: frozenset[str]
    matrix_words: frozenset[str]
    settings: frozenset[str]
    jobs: frozenset[str]
    job_wrappers: frozenset[str]
    job_sharding: frozenset[str]
    shards: frozenset[str]
    forks: frozenset[str]
    keepers: frozenset[str]
    filters: frozenset[str]
    levels: frozenset[str]
    on_node: frozenset[str]
    optimizers: Mapping[str, str]
    step_names: Mapping[str, str]
    makes_optimizers: frozenset[str]
    step_calls: Mapping[str, str]
    looks_at_optimizers: frozenset[str]
    managed_by: frozenset[str]
    managed_clips: Mapping[str, str]
    counted_by: frozenset[str]
    clip_bounds: Mapping[str, int]
    hands_parameters: frozenset[str]
    gradient_attributes: frozenset[str]
    gradient_resets: frozenset[str]
    harmless_packages: frozenset[str]
    step_hooks: frozenset[str]
    makes_copies: Mapping[str, list[str]]

    def __init__(self, tables: Mapping[str, Mapping[str, Any]]) -> None:
        self.tables: Mapping[str, Mapping[str, Any]] = tables
        for attribute, kind in Knowledge.__annotations__.items():
            name = TABLE_OF.get(attribute, attribute)
            table: Any = tables[name]
            if TABLES[name] in ("names", "common"):
                table = (tuple if kind.startswith("tuple") else frozenset)(table[TABLES[name]])
            setattr(self, attribute, table)
        self.losses = frozenset(name for name, kind in self.kinds.items() if kind == "loss")
        self.parallel_method_names = frozenset(name.rpartition(".")[2] for name in self.parallel_methods)
        self._canonical: dict[str, str] = {}
        #: What was wrong with the tables of other packages, which were left out.
        self.problems: list[str] = []

    def own(self, name: str) -> Mapping[str, str]:
        """A table of another package's rules, which bears their prefix (``xx.markers``): dotted name = word."""
        return self.tables.get(name, {})

    def canonical(self, dotted: str) -> str:
        """The one name under which a library's thing is known here (``pytorch_lightning.X`` → ``lightning.X``)."""
        known = self._canonical.get(dotted)
        if known is None:
            known = dotted
            for _ in range(4):
                meant = self._meant(known)
                if meant is None:
                    break
                known = meant
            self._canonical[dotted] = known
        return known

    def _meant(self, dotted: str) -> str | None:
        """The name with its longest alias replaced: an alias ends at a dot, where the name ends, or in ``.`` or ``_``."""
        aliases = self.tables["aliases"]
        for end in range(len(dotted), 0, -1):
            if (dotted[end : end + 1] in ("", ".") or dotted[end - 1] in "._") and dotted[:end] in aliases:
                return str(aliases[dotted[:end]]) + dotted[end:]
        return None

    def optimizer_kind(self, name: str) -> str | None:
        """What a constructor of this canonical name makes, in the table ``optimizers``; the longest beginning counts."""
        known = self.optimizers.get(name)
        end = len(name)
        while known is None and end > 0:
            end = max(name.rfind(".", 0, end - 1), name.rfind("_", 0, end - 1)) + 1
            known = self.optimizers.get(name[:end]) if end > 0 else None
        return known

    def words(self, need: str) -> frozenset[bytes]:
        """The identifiers one of which stands in every file that has this kind of thing (see ``Rule.needs``)."""
        return words.of(self, need)

    def spreading(self, need: str) -> frozenset[bytes]:
        """Those of :meth:`words` that make their function interesting to its callers, wherever these are."""
        return words.spreading(self, need)

    def asked_when_awake(self) -> frozenset[bytes]:
        """The words that are asked for of files that will be parsed: what they know of, what they train with."""
        return words.asked_when_awake(self, self._loose, self.beside)

    @cached_property
    def beside(self) -> Mapping[bytes, frozenset[bytes]]:
        """The words that count only in a file that has one of some others too (table ``loose``): word to those others."""
        return words.beside(self, self._loose)

    def loose(self) -> tuple[Mapping[bytes, Loose], frozenset[bytes]]:
        """The words of table ``loose``, and (table ``elsewhere``) what has something of that name that is no collective."""
        elsewhere = self.tables["elsewhere"]["names"]
        return self._loose, frozenset(word.encode() for word in elsewhere)

    @cached_property
    def _loose(self) -> Mapping[bytes, Loose]:
        """Every run needs it several times, and it takes longer than a small file does."""
        return words.loose(self, self.tables["aliases"].items())


def load_knowledge(extension: Mapping[str, Any] | None = None) -> Knowledge:
    """All tables that ship, extended by a user's (the content of ``[tool.trainlint.knowledge]``).

    Raises :class:`KnowledgeError` for a table or value that makes no sense.
    """
    tables = {name: dict(table) for name, table in _shipped().items()}
    problems = []
    for where, more in INSTALLED.knowledge.items():
        try:
            merge(tables, more, where)
        except KnowledgeError as error:
            problems.append(str(error))
    if extension:
        merge(tables, extension, "knowledge")
    knowledge = Knowledge(tables)
    knowledge.problems = problems
    return knowledge


def _shipped() -> Mapping[str, Mapping[str, Any]]:
    """The tables that ship: as the build prepared them, or from the TOML files when those have changed since."""
    folder = Path(__file__).parent
    try:
        prepared = importlib.import_module("trainlint.knowledge._prepared")
    except ImportError:
        return read_tables(folder)
    tables: Mapping[str, Mapping[str, Any]] = prepared.TABLES
    return tables if fingerprint(folder) == prepared.FINGERPRINT else read_tables(folder)


def fingerprint(folder: Path) -> str:
    """What changes when one of the TOML files changes; decides whether the prepared tables are fresh."""
    import zlib

    total = 0
    for path in sorted(folder.glob("*.toml")):
        total = zlib.crc32(path.read_bytes(), zlib.crc32(path.name.encode(), total))
    return f"{total:08x}"


def read_tables(folder: Path) -> dict[str, dict[str, Any]]:
    """Parse and merge the TOML files of a folder."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    tables: dict[str, dict[str, Any]] = {name: {} for name in TABLES}
    for path in sorted(folder.glob("*.toml")):
        merge(tables, tomllib.loads(path.read_text(encoding="utf-8")), path.name)
    return tables


def merge(tables: dict[str, dict[str, Any]], more: Mapping[str, Any], where: str) -> None:
    """Add ``more`` to ``tables`` in place; ``where`` names the source in errors. Raises KnowledgeError."""
    from trainlint.knowledge.checking import flat, kind_of, mistakes

    for key, message in mistakes(more):
        raise KnowledgeError(f"{where}: {key}: {message}")
    for name, table in flat(more):
        own = tables.setdefault(name, {})
        for key, value in table.items():
            longer = kind_of(name) in ("names", "common") and key in own
            own[key] = [*own[key], *value] if longer else value
