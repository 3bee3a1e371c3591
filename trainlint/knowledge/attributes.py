"""The tables by the names under which the program asks for them, also where those are not the tables' own."""

from __future__ import annotations

from collections.abc import Mapping

#: Attributes of :class:`~trainlint.knowledge.Knowledge` that are not called like their table.
TABLE_OF = {
    "hooks_graphs": "hooks.graphs",
    "hooks_shown_by": "hooks.shown_by",
    "hooks_unless": "hooks.unless",
    "module_bases": "modules",
    "plain_bases": "modules.plain",
    "unwrapping": "unwraps.calls",
    "freeze_words": "freezes.words",
    "unrecorded_by": "grad_modes.given",
    "copies_weights": "takes_weights.copied",
    "reads_values": "device_waits.reads",
    "model_words": "accelerators.models",
    "called_models": "accelerators.called",
    "model_verbs": "accelerators.verbs",
    "other_passes": "passes.others",
    "idle_scaling": "loss_scaling.idle",
    "expecting": "numerics.losses",
    "rearranges": "numerics.rearranges",
    "logarithms": "numerics.logarithms",
    "registered_by_hand": "registers.by_hand",
    "parts_by_hand": "registers.parts",
    "looks_at": "handed_out_once.looks_at",
    "with_logits": "numerics.with_logits",
    "bounds": "numerics.bounds",
    "near_zero": "numerics.near_zero",
    "picks": "numerics.picks",
    "conventions": "ranks.conventions",
    "shared_receivers": "receivers.shared",
    "tells": "starters.tells",
    "ends_evaluation": "evaluates.ends",
    "mode_flags": "evaluates.flags",
    "autocast_defaults": "autocasts.defaults",
    "autocast_setters": "autocasts.setters",
    "scaling_words": "loss_scaling.words",
    "steps_of_others": "steps.of_others",
    "xla_devices": "xla.devices",
    "xla_switches": "xla.switches",
    "with_group": "ranks.with_group",
    "group_keywords": "collectives.groups",
    "gives_up": "data.gives_up",
    "rounding": "sizes.rounding",
    "size_parameters": "sizes.parameters",
    "padded_by": "sizes.padded_by",
    "endless_by": "sizes.endless_by",
    "common_methods": "methods",
    "shuffles_in_place": "shuffles.in_place",
    "shuffles_made_by": "shuffles.made_by",
    "seeded_by": "shuffles.seeded_by",
    "seeded_as": "shuffles.seeded_as",
    "shares_given": "shares.given",
    "share_words": "shares.words",
    "share_tests": "shares.tests",
    "derives": "data.derives",
    "failures": "data.failures",
    "filled": "data.filled",
    "changes": "data.changes",
    "leaves": "data.leaves",
    "storage": "data.storage",
    "same": "data.same",
    "fails": "data.fails",
    "only_read": "data.reads",
    "variables": "data.variables",
    "catches": "data.catches",
    "layers": "data.layers",
    "combines": "data.combines",
    "judged_by": "data.judged_by",
    "statistics": "data.statistics",
    "parallel_in_place": "parallel.in_place",
    "parallel_groups": "parallel.groups",
    "parallel_words": "parallel.words",
    "parallel_steps": "parallel.steps",
    "parallel_methods": "parallel.methods",
    "parallel_distinct": "parallel.distinct",
    "parallel_parts": "parallel.parts",
    "parallel_given": "parallel.given",
    "collective_kinds": "collectives.kinds",
    "only_with": "collectives.only_with",
    "communicates_since": "collectives.since",
    "runs_model": "parallel.runs",
    "unsynced": "parallel.unsynced",
    "buffered": "parallel.buffered",
    "buffer_makers": "parallel.buffer_makers",
    "without_buffers": "parallel.without_buffers",
    "file_writes": "files.writes",
    "file_opens": "files.opens",
    "file_makes": "files.makes",
    "file_links": "files.links",
    "file_removes": "files.removes",
    "file_reads": "files.reads",
    "file_downloads": "files.downloads",
    "trackers": "files.trackers",
    "file_methods": "files.methods",
    "guarded": "files.guarded",
    "lenient": "files.lenient",
    "joins_paths": "files.joins",
    "waits": "files.waits",
    "barriers": "files.barriers",
    "strict_arguments": "files.strict",
    "plain": "files.plain",
    "plain_methods": "files.plain_methods",
    "asks": "files.asks",
    "asks_methods": "files.asks_methods",
    "asks_kind": "files.asks_kind",
    "listings": "files.lists",
    "relists": "files.relists",
    "job_hooks": "jobs.hooks",
    "job_waits": "jobs.waits",
    "unique_words": "files.unique",
    "rank_hints": "ranks.hints",
    "rank_modes": "ranks.modes",
    "matrix_words": "ranks.of_matrices",
    "settings": "settings",
    "job_wrappers": "jobs.wrappers",
    "job_sharding": "jobs.sharding",
    "shards": "jobs.shards",
    "forks": "jobs.forks",
    "keepers": "files.keepers",
    "filters": "files.filters",
    "levels": "files.levels",
    "on_node": "files.on_node",
    "counted_by": "optimizers.counted_by",
    "managed_by": "optimizers.managed_by",
    "managed_clips": "optimizers.clips",
    "looks_at_optimizers": "optimizers.looks_at",
    "step_names": "optimizers.names",
    "shown_roles": "optimizers.roles",
    "makes_optimizers": "optimizers.makers",
    "clip_bounds": "step_calls.bounds",
    "replaced_by": "weights.replaced_by",
    "hands_parameters": "step_calls.parameters",
    "gradient_attributes": "step_calls.gradients",
    "gradient_resets": "step_calls.resets",
    "harmless_packages": "step_calls.harmless",
    "makes_copies": "step_calls.copies",
    "step_hooks": "step_calls.hooks",
    "zeros_wanted": "keeps_zeros.wanted",
    "assumed_versions": "versions.assumed",
    "versions_everywhere": "versions.everywhere",
    "quietly_old": "old_names.quiet",
    "versions_shown": "versions.shown_by",
    "pickles": "unpickles.pickles",
    "buffers": "unpickles.buffers",
    "version_words": "versions.words",
    "version_failures": "versions.failures",
    "quiet_calls": "versions.quiet",
}


class Attributes:
    """Each attribute is a table, by its own name or as ``TABLE_OF`` says; ``README.md`` says what stands in it."""

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
    members: Mapping[str, str]
    world_groups: frozenset[str]
    with_group: frozenset[str]
    group_keywords: frozenset[str]
    gives_up: frozenset[str]
    parallel_groups: frozenset[str]
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
    near_zero: frozenset[str]
    picks: frozenset[str]
    backward: Mapping[str, str]
    scales: frozenset[str]
    keeps: frozenset[str]
    keeps_first: frozenset[str]
    values_first: frozenset[str]
    module_bases: frozenset[str]
    starred: Mapping[str, str]
    plain_bases: frozenset[str]
    evaluates: frozenset[str]
    ends_evaluation: frozenset[str]
    mode_flags: frozenset[str]
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
    hooks_graphs: Mapping[str, list[str]]
    hooks_shown_by: Mapping[str, list[str]]
    hooks_unless: frozenset[str]
    views: Mapping[str, str]
    items: Mapping[str, str]
    fields: Mapping[str, str]
    bundles: frozenset[str]
    limited_by: Mapping[str, str]
    freezes: frozenset[str]
    freeze_words: frozenset[str]
    unrecorded_by: frozenset[str]
    unwraps: frozenset[str]
    unwrapping: frozenset[str]
    passes: frozenset[str]
    other_passes: frozenset[str]
    comparing: frozenset[str]
    takes_weights: frozenset[str]
    copies_weights: frozenset[str]
    test_packages: frozenset[str]
    drops: Mapping[str, str]
    anomaly: Mapping[str, str]
    clocks: frozenset[str]
    device_waits: frozenset[str]
    reads_values: frozenset[str]
    accelerators: frozenset[str]
    model_words: frozenset[str]
    called_models: frozenset[str]
    model_verbs: frozenset[str]
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
    communicates_since: Mapping[str, list[str]]
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
    combines: frozenset[str]
    judged_by: frozenset[str]
    statistics: frozenset[str]
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
    shown_roles: Mapping[str, str]
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
    old_amp: Mapping[str, list[str]]
    old_names: Mapping[str, list[str]]
    quietly_old: frozenset[str]
    old_arguments: Mapping[str, list[str]]
    old_defaults: Mapping[str, list[str]]
    old_weights: Mapping[str, list[str]]
    old_backbones: Mapping[str, list[str]]
    old_vision: Mapping[str, list[str]]
    private: Mapping[str, list[str]]
    reentrant: Mapping[str, list[str]]
    keeps_zeros: Mapping[str, list[str]]
    zeros_wanted: frozenset[str]
    replicates: frozenset[str]
    assumed_versions: Mapping[str, str]
    versions_everywhere: Mapping[str, str]
    versions_shown: Mapping[str, str]
    unpickles: Mapping[str, list[str]]
    pickles: frozenset[str]
    buffers: frozenset[str]
    version_words: frozenset[str]
    version_failures: frozenset[str]
    quiet_calls: frozenset[str]
