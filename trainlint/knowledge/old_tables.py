"""The tables of what libraries no longer want to be used (see :mod:`trainlint.knowledge.tables`)."""

from __future__ import annotations

OLD_TABLES = {
    "old_amp": "list",
    "old_names": "list",
    "old_arguments": "list",
    "old_defaults": "list",
    "old_weights": "list",
    "old_backbones": "list",
    "old_vision": "list",
    "old_imports": "names",
    "private": "list",
    "reentrant": "list",
    "keeps_zeros": "list",
    "keeps_zeros.wanted": "names",
    "replicates": "names",
    "versions.assumed": "str",
    "unpickles": "list",
    "unpickles.pickles": "names",
    "unpickles.buffers": "names",
    "versions.words": "names",
    "versions.failures": "names",
    "versions.quiet": "names",
}

OLD_TABLE_OF = {
    "zeros_wanted": "keeps_zeros.wanted",
    "assumed_versions": "versions.assumed",
    "pickles": "unpickles.pickles",
    "buffers": "unpickles.buffers",
    "version_words": "versions.words",
    "version_failures": "versions.failures",
    "quiet_calls": "versions.quiet",
}
