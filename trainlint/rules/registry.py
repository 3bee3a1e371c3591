"""Finding the rules: every module ``tlNNN_name.py`` in a family folder declares one as ``RULE``."""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from trainlint.rules.api import Rule

_STEM = re.compile(r"(tl\d{3})_(\w+)\.py$")


class Built(NamedTuple):
    """Where a rule is: its code, kebab name, family folder and module."""

    code: str
    name: str
    family: str
    module: str


@lru_cache(maxsize=1)
def built() -> Mapping[str, Built]:
    """Every rule that ships, by code, without importing it."""
    found: dict[str, Built] = {}
    top = os.path.dirname(__file__)
    with os.scandir(top) as families:
        folders = sorted(entry.name for entry in families if entry.is_dir() and entry.name[0] not in "_.")
    for family in folders:
        for name in sorted(os.listdir(os.path.join(top, family))):
            match = _STEM.match(name)
            if match is not None:
                code = match[1].upper()
                found[code] = Built(code, match[2].replace("_", "-"), family, f"trainlint.rules.{family}.{name[:-3]}")
    return found


def load(codes: Iterable[str]) -> list[Rule]:
    """The declared rules of these codes (codes that are not built are passed over), by code."""
    return [_load(code) for code in sorted(set(codes) & set(built()))]


@lru_cache(maxsize=None)
def _load(code: str) -> Rule:
    where = built()[code]
    rule = importlib.import_module(where.module).RULE
    if not isinstance(rule, Rule) or rule.code != code or rule.name != where.name:
        message = f"{where.module} must declare RULE with code {code} and name {where.name}"
        raise TypeError(message)
    return rule
