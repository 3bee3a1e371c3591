"""From the command line to the settings in force: only what was given overrides what the configuration says."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from trainlint.config import Overrides, Settings, common_start, find_settings

if TYPE_CHECKING:
    from trainlint.cli.run import Request

_LISTS = ("select", "ignore", "extend_select", "extend_ignore", "exclude", "extend_exclude")
_PLAIN = (
    "fix",
    "unsafe_fixes",
    "show_fixes",
    "ignore_noqa",
    "preview",
    "force_exclude",
    "respect_gitignore",
    "output_format",
    "jobs",
)


def settings_for(request: Request) -> Settings:
    """The settings of a run. Raises :class:`trainlint.config.ConfigError` for any mistake, also in the flags themselves."""
    flags: dict[str, Any] = {}
    for name in (*_LISTS, *_PLAIN):
        value = getattr(request, name)
        if value is not None:
            flags[name.replace("_", "-")] = list(value) if name in _LISTS else value
    if request.baseline is not None:
        flags["baseline"] = os.path.abspath(request.baseline)  # noqa: PTH100 - it counts from here, not from the configuration
    if request.cache_dir is not None:
        flags["cache-dir"] = os.path.abspath(request.cache_dir)  # noqa: PTH100
    start = common_start(request.files)
    overrides = Overrides(flags, request.config)
    return find_settings(start, overrides, isolated=request.isolated, check_knowledge=_mistakes)


def _mistakes(tables: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    from trainlint.knowledge.checking import mistakes

    return mistakes(tables)
