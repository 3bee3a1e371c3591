"""Settings: found, merged, checked, explained.

One run has one configuration: a run links all its files into one program, and a program has one set of framework knowledge.
It is the nearest file at or above the common folder of the checked paths (:func:`common_start`), see :mod:`.search`.
Importing this package and running without a configuration file loads no TOML reader and no table of options.
"""

from __future__ import annotations

from trainlint.config.errors import ConfigError, Problem
from trainlint.config.find import Overrides, common_start, find_settings
from trainlint.config.settings import Settings
from trainlint.config.target import Target

__all__ = ["ConfigError", "Overrides", "Problem", "Settings", "Target", "common_start", "find_settings"]
