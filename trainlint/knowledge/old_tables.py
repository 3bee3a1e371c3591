"""The tables of what libraries no longer want to be used (see :mod:`trainlint.knowledge.tables`)."""

from __future__ import annotations

OLD_TABLES = {
    "old_amp": "list",
    "unpickles": "list",
    "unpickles.pickles": "names",
    "unpickles.buffers": "names",
    "versions.words": "names",
    "versions.failures": "names",
    "versions.quiet": "names",
}

OLD_TABLE_OF = {
    "pickles": "unpickles.pickles",
    "buffers": "unpickles.buffers",
    "version_words": "versions.words",
    "version_failures": "versions.failures",
    "quiet_calls": "versions.quiet",
}
