"""The tables by the names under which the program asks for them, also where those are not the tables' own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def _of(table: str) -> Any:
    """Stands for the table of this name until the tables are there."""
    return table


class Attributes:
    """Each attribute is a table, by its own name or by the one that is given; ``README.md`` says what stands in it."""

    collectives: Mapping[str, int]
    ranks: Mapping[str, str]
    conventions: Mapping[str, str] = _of("ranks.conventions")
    environment: Mapping[str, str]
    decorators: Mapping[str, str]
    receivers: Mapping[str, str]
    shared_receivers: frozenset[str] = _of("receivers.shared")
    kinds: Mapping[str, str]
    signatures: Mapping[str, list[str]]
    results: Mapping[str, list[str]]
    iterates: Mapping[str, str]
    propagation: Mapping[str, list[str]]
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
    autocast_defaults: Mapping[str, str] = _of("autocasts.defaults")
    autocast_setters: frozenset[str] = _of("autocasts.setters")
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
    scaling_words: tuple[str, ...] = _of("loss_scaling.words")
    backwards: Mapping[str, str]
    steps: frozenset[str]
    steps_of_others: tuple[str, ...] = _of("steps.of_others")
    xla: Mapping[str, str]
    xla_devices: frozenset[str] = _of("xla.devices")
    xla_switches: frozenset[str] = _of("xla.switches")
    paddings: Mapping[str, str]
    shapes: Mapping[str, str]
    phases: frozenset[str]
    lengths: Mapping[str, int]
    sizes: Mapping[str, str]
    rounding: Mapping[str, str] = _of("sizes.rounding")
    size_parameters: Mapping[str, list[str]] = _of("sizes.parameters")
    padded_by: Mapping[str, str] = _of("sizes.padded_by")
    endless_by: frozenset[str] = _of("sizes.endless_by")
    splitters: frozenset[str]
    joins: frozenset[str]
    unevened_by: frozenset[str]
    measures: frozenset[str]
    on_host: frozenset[str]
    placed_by: frozenset[str]
    reads: Mapping[str, str]
    exits: frozenset[str]
    transparent: frozenset[str]
    members: Mapping[str, str]
    world_groups: frozenset[str]
    with_group: frozenset[str] = _of("ranks.with_group")
    group_keywords: frozenset[str] = _of("collectives.groups")
    gives_up: frozenset[str] = _of("data.gives_up")
    parallel_groups: frozenset[str] = _of("parallel.groups")
    parallel_words: frozenset[str] = _of("parallel.words")
    written: Mapping[str, str]
    spawners: frozenset[str]
    starters: frozenset[str]
    tells: frozenset[str] = _of("starters.tells")
    common_methods: frozenset[str] = _of("methods")
    idle_scaling: frozenset[str] = _of("loss_scaling.idle")
    registers: frozenset[str]
    registered_by_hand: frozenset[str] = _of("registers.by_hand")
    parts_by_hand: frozenset[str] = _of("registers.parts")
    weights: frozenset[str]
    replaced_by: Mapping[str, str] = _of("weights.replaced_by")
    handed_out_once: frozenset[str]
    looks_at: frozenset[str] = _of("handed_out_once.looks_at")
    numerics: Mapping[str, str]
    expecting: Mapping[str, str] = _of("numerics.losses")
    rearranges: frozenset[str] = _of("numerics.rearranges")
    logarithms: Mapping[str, str] = _of("numerics.logarithms")
    with_logits: Mapping[str, str] = _of("numerics.with_logits")
    bounds: frozenset[str] = _of("numerics.bounds")
    near_zero: frozenset[str] = _of("numerics.near_zero")
    picks: frozenset[str] = _of("numerics.picks")
    backward: Mapping[str, str]
    scales: frozenset[str]
    keeps: frozenset[str]
    keeps_first: frozenset[str]
    values_first: frozenset[str]
    module_bases: frozenset[str] = _of("modules")
    starred: Mapping[str, str]
    plain_bases: frozenset[str] = _of("modules.plain")
    evaluates: frozenset[str]
    ends_evaluation: frozenset[str] = _of("evaluates.ends")
    mode_flags: frozenset[str] = _of("evaluates.flags")
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
    context_managers: frozenset[str]
    entered: Mapping[str, int]
    callables: Mapping[str, str]
    managers: Mapping[str, str]
    applies: Mapping[str, str]
    collects: frozenset[str]
    fills: frozenset[str]
    trained_on: Mapping[str, str]
    hooks: Mapping[str, str]
    hooks_graphs: Mapping[str, list[str]] = _of("hooks.graphs")
    hooks_shown_by: Mapping[str, list[str]] = _of("hooks.shown_by")
    hooks_unless: frozenset[str] = _of("hooks.unless")
    views: Mapping[str, str]
    items: Mapping[str, str]
    fields: Mapping[str, str]
    bundles: frozenset[str]
    limited_by: Mapping[str, str]
    freezes: frozenset[str]
    freeze_words: frozenset[str] = _of("freezes.words")
    unrecorded_by: frozenset[str] = _of("grad_modes.given")
    unwraps: frozenset[str]
    unwrapping: frozenset[str] = _of("unwraps.calls")
    passes: frozenset[str]
    other_passes: frozenset[str] = _of("passes.others")
    comparing: frozenset[str]
    takes_weights: frozenset[str]
    copies_weights: frozenset[str] = _of("takes_weights.copied")
    test_packages: frozenset[str]
    drops: Mapping[str, str]
    anomaly: Mapping[str, str]
    clocks: frozenset[str]
    device_waits: frozenset[str]
    reads_values: frozenset[str] = _of("device_waits.reads")
    accelerators: frozenset[str]
    model_words: frozenset[str] = _of("accelerators.models")
    called_models: frozenset[str] = _of("accelerators.called")
    model_verbs: frozenset[str] = _of("accelerators.verbs")
    recurrent: Mapping[str, str]
    moded: frozenset[str]
    evaluation_words: frozenset[str]
    parallel: Mapping[str, str]
    parallel_in_place: frozenset[str] = _of("parallel.in_place")
    parallel_steps: frozenset[str] = _of("parallel.steps")
    parallel_methods: Mapping[str, str] = _of("parallel.methods")
    parallel_distinct: Mapping[str, str] = _of("parallel.distinct")
    parallel_parts: frozenset[str] = _of("parallel.parts")
    parallel_given: Mapping[str, str] = _of("parallel.given")
    collective_kinds: Mapping[str, str] = _of("collectives.kinds")
    only_with: Mapping[str, str] = _of("collectives.only_with")
    made_without: Mapping[str, list[str]]
    communicates_since: Mapping[str, list[str]] = _of("collectives.since")
    ordered: frozenset[str]
    runs_model: frozenset[str] = _of("parallel.runs")
    unsynced: frozenset[str] = _of("parallel.unsynced")
    buffered: frozenset[str] = _of("parallel.buffered")
    buffer_makers: frozenset[str] = _of("parallel.buffer_makers")
    without_buffers: Mapping[str, str] = _of("parallel.without_buffers")
    updates: frozenset[str]
    shuffles: Mapping[str, str]
    shuffles_in_place: frozenset[str] = _of("shuffles.in_place")
    shuffles_made_by: Mapping[str, str] = _of("shuffles.made_by")
    seeded_by: frozenset[str] = _of("shuffles.seeded_by")
    seeded_as: Mapping[str, str] = _of("shuffles.seeded_as")
    generators: Mapping[str, str]
    seeds: Mapping[str, list[str]]
    keeps_order: frozenset[str]
    settles_order: frozenset[str]
    shares: Mapping[str, str]
    shares_given: frozenset[str] = _of("shares.given")
    share_words: tuple[str, ...] = _of("shares.words")
    share_tests: tuple[str, ...] = _of("shares.tests")
    whole: frozenset[str]
    map_style: tuple[str, ...]
    mixed_parallelism: frozenset[str]
    launches: Mapping[str, str]
    data: Mapping[str, str]
    derives: frozenset[str] = _of("data.derives")
    failures: frozenset[str] = _of("data.failures")
    filled: Mapping[str, str] = _of("data.filled")
    changes: Mapping[str, str] = _of("data.changes")
    leaves: frozenset[str] = _of("data.leaves")
    storage: frozenset[str] = _of("data.storage")
    same: frozenset[str] = _of("data.same")
    fails: Mapping[str, str] = _of("data.fails")
    #: Those of them that only read what they are given: they fail on all ranks unless that is the rank's own.
    only_read: frozenset[str] = _of("data.reads")
    variables: frozenset[str] = _of("data.variables")
    catches: Mapping[str, str] = _of("data.catches")
    layers: frozenset[str] = _of("data.layers")
    combines: frozenset[str] = _of("data.combines")
    judged_by: frozenset[str] = _of("data.judged_by")
    statistics: frozenset[str] = _of("data.statistics")
    file_writes: Mapping[str, str] = _of("files.writes")
    file_opens: Mapping[str, str] = _of("files.opens")
    file_makes: Mapping[str, str] = _of("files.makes")
    file_links: Mapping[str, str] = _of("files.links")
    file_removes: Mapping[str, str] = _of("files.removes")
    file_reads: Mapping[str, str] = _of("files.reads")
    file_downloads: Mapping[str, str] = _of("files.downloads")
    trackers: Mapping[str, str] = _of("files.trackers")
    file_methods: Mapping[str, str] = _of("files.methods")
    guarded: frozenset[str] = _of("files.guarded")
    lenient: frozenset[str] = _of("files.lenient")
    joins_paths: frozenset[str] = _of("files.joins")
    waits: frozenset[str] = _of("files.waits")
    barriers: Mapping[str, str] = _of("files.barriers")
    strict_arguments: Mapping[str, int] = _of("files.strict")
    plain: frozenset[str] = _of("files.plain")
    plain_methods: frozenset[str] = _of("files.plain_methods")
    asks: frozenset[str] = _of("files.asks")
    asks_methods: frozenset[str] = _of("files.asks_methods")
    asks_kind: frozenset[str] = _of("files.asks_kind")
    listings: frozenset[str] = _of("files.lists")
    relists: frozenset[str] = _of("files.relists")
    job_hooks: Mapping[str, str] = _of("jobs.hooks")
    job_waits: frozenset[str] = _of("jobs.waits")
    unique_words: frozenset[str] = _of("files.unique")
    clock_words: frozenset[str]
    seconds: frozenset[str]
    owned: frozenset[str]
    rank_hints: frozenset[str] = _of("ranks.hints")
    rank_modes: frozenset[str] = _of("ranks.modes")
    matrix_words: frozenset[str] = _of("ranks.of_matrices")
    settings: frozenset[str]
    jobs: frozenset[str]
    job_wrappers: frozenset[str] = _of("jobs.wrappers")
    job_sharding: frozenset[str] = _of("jobs.sharding")
    shards: frozenset[str] = _of("jobs.shards")
    forks: frozenset[str] = _of("jobs.forks")
    keepers: frozenset[str] = _of("files.keepers")
    filters: frozenset[str] = _of("files.filters")
    levels: frozenset[str] = _of("files.levels")
    on_node: frozenset[str] = _of("files.on_node")
    optimizers: Mapping[str, str]
    step_names: Mapping[str, str] = _of("optimizers.names")
    shown_roles: Mapping[str, str] = _of("optimizers.roles")
    makes_optimizers: frozenset[str] = _of("optimizers.makers")
    step_calls: Mapping[str, str]
    looks_at_optimizers: frozenset[str] = _of("optimizers.looks_at")
    managed_by: frozenset[str] = _of("optimizers.managed_by")
    managed_clips: Mapping[str, str] = _of("optimizers.clips")
    counted_by: frozenset[str] = _of("optimizers.counted_by")
    clip_bounds: Mapping[str, int] = _of("step_calls.bounds")
    hands_parameters: frozenset[str] = _of("step_calls.parameters")
    gradient_attributes: frozenset[str] = _of("step_calls.gradients")
    gradient_resets: frozenset[str] = _of("step_calls.resets")
    harmless_packages: frozenset[str] = _of("step_calls.harmless")
    step_hooks: frozenset[str] = _of("step_calls.hooks")
    makes_copies: Mapping[str, list[str]] = _of("step_calls.copies")
    old_amp: Mapping[str, list[str]]
    old_names: Mapping[str, list[str]]
    quietly_old: frozenset[str] = _of("old_names.quiet")
    old_arguments: Mapping[str, list[str]]
    old_defaults: Mapping[str, list[str]]
    old_weights: Mapping[str, list[str]]
    old_backbones: Mapping[str, list[str]]
    old_vision: Mapping[str, list[str]]
    private: Mapping[str, list[str]]
    reentrant: Mapping[str, list[str]]
    keeps_zeros: Mapping[str, list[str]]
    zeros_wanted: frozenset[str] = _of("keeps_zeros.wanted")
    replicates: frozenset[str]
    assumed_versions: Mapping[str, str] = _of("versions.assumed")
    versions_everywhere: Mapping[str, str] = _of("versions.everywhere")
    versions_shown: Mapping[str, str] = _of("versions.shown_by")
    unpickles: Mapping[str, list[str]]
    pickles: frozenset[str] = _of("unpickles.pickles")
    buffers: frozenset[str] = _of("unpickles.buffers")
    version_words: frozenset[str] = _of("versions.words")
    version_failures: frozenset[str] = _of("versions.failures")
    quiet_calls: frozenset[str] = _of("versions.quiet")
