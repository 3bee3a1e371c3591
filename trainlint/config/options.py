"""The table of options: what `trainlint config` explains, what the checker allows, what `--show-settings` prints."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from trainlint.codes import CODES, INSTALLED, state_of
from trainlint.config.errors import ConfigError, Problem, did_you_mean
from trainlint.config.settings import ADVICE_FOLDERS, FORMATS, Settings

Kind = Literal[
    "selectors", "selector table", "strings", "boolean", "choice", "count", "seconds", "file", "levels", "versions", "tables"
]

LEVELS = ("error", "warning", "advice", "off")
"""The words ``levels`` knows."""

_TYPES: Mapping[Kind, str] = {
    "selectors": "array of rule selectors",
    "selector table": "table: glob = array of rule selectors",
    "strings": "array of strings",
    "boolean": "true or false",
    "file": "name of a file",
    "count": "integer, 1 or more",
    "seconds": "number, more than 0",
    "levels": "table: rule selector = " + " | ".join(f'"{level}"' for level in LEVELS),
    "versions": 'table: framework = version range, such as ">=2.4,<3"',
    "tables": "tables of framework knowledge",
}


class Option(NamedTuple):
    """One option: its key, what it holds, its default as TOML text, what it does, and an example (TOML lines)."""

    key: str
    kind: Kind
    default: str
    description: str
    example: str
    choices: tuple[str, ...] = ()

    @property
    def field(self) -> str:
        """The name of the field of :class:`Settings`."""
        return self.key.replace("-", "_")

    @property
    def type(self) -> str:
        """What may be written there, in words."""
        return " | ".join(f'"{choice}"' for choice in self.choices) or _TYPES[self.kind]


def _as_toml(value: Any) -> str:
    """Return a checked value as TOML on one line."""
    if isinstance(value, Mapping):
        inside = ", ".join(f"{_quote(key)} = {_as_toml(item)}" for key, item in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(map(_as_toml, value))}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return _quote(value) if isinstance(value, str) else str(value)


#: Characters from here on need eight digits.
_ASTRAL = 0x10000


def _quote(text: str) -> str:
    # A JSON string is a TOML string, but JSON leaves more as it is: what a terminal would act on is spelled by its number, and
    # so is what a build server takes for a command.
    written = "".join(char if char.isprintable() else _number(char) for char in json.dumps(text, ensure_ascii=False))
    return re.sub(r"##(?=(?:vso)?\[)", r"#\\u0023", written, flags=re.IGNORECASE)


def _number(char: str) -> str:
    return f"\\u{ord(char):04x}" if ord(char) < _ASTRAL else f"\\U{ord(char):08x}"


_SELECTOR = "A selector is a code (TL101), a rule's name (missing-set-epoch), the beginning of codes (TL1, TL10) or ALL."

OPTIONS: Mapping[str, Option] = {
    option.key: option
    for option in (
        Option(
            "extend",
            "file",
            "none",
            "Another configuration, the base, on which this one builds. The path is relative to the folder of the file that\n"
            "contains it; ~ and environment variables are expanded. The base applies where this file sets nothing; a list\n"
            "replaces the base's list, extend-* lists are added to it, tables are merged entry by entry. Paths and globs in the\n"
            "base are relative to the base's folder. A base may extend another one.",
            'extend = "../trainlint.toml"',
        ),
        Option(
            "select",
            "selectors",
            "every rule of level error or warning",
            f"The rules to check, instead of the default. {_SELECTOR}\n"
            "Where select and ignore overlap, the more specific selector wins. Given on the command line, it replaces what the\n"
            "file says about selecting and ignoring.",
            'select = ["TL1", "TL2", "unsafe-load"]',
        ),
        Option(
            "ignore",
            "selectors",
            "[]",
            "Rules not to check. On the command line it adds to the file's list.",
            'ignore = ["TL206"]',
        ),
        Option(
            "extend-select",
            "selectors",
            "[]",
            "Rules to check besides those selected. On the command line it adds to the file's list.",
            'extend-select = ["sync-every-step"]',
        ),
        Option(
            "extend-ignore",
            "selectors",
            "[]",
            "Rules not to check besides those ignored. On the command line it adds to the file's list.",
            'extend-ignore = ["TL9"]',
        ),
        Option(
            "per-file-ignores",
            "selector table",
            "{}",
            "Rules not to check in some files. Globs are written as in .gitignore, relative to the folder of the configuration;\n"
            '"!glob" means every other file.',
            '[tool.trainlint.per-file-ignores]\n"tests/**" = ["ALL"]\n"!train/**" = ["TL7"]',
        ),
        Option(
            "exclude",
            "strings",
            "version control, virtual environments, caches, build results",
            "Files and folders not to check, instead of the built-in list. Globs are written as in .gitignore.",
            'exclude = ["third_party/"]',
        ),
        Option(
            "extend-exclude",
            "strings",
            "[]",
            "Files and folders not to check, besides those excluded. On the command line it adds to the file's list.",
            'extend-exclude = ["notebooks/old/"]',
        ),
        Option(
            "force-exclude",
            "boolean",
            "false",
            "Leave out excluded files even when they are named on the command line, as commit hooks do.",
            "force-exclude = true",
        ),
        Option(
            "respect-gitignore",
            "boolean",
            "true",
            "Leave out what .gitignore files leave out.",
            "respect-gitignore = false",
        ),
        Option(
            "levels",
            "levels",
            "{}",
            "Other levels for some rules. A rule raised to warning or error is checked by default, one lowered to advice is\n"
            "not, off turns it off. The more specific selector wins.",
            '[tool.trainlint.levels]\nTL801 = "warning"\nTL9 = "advice"\n"data-parallel" = "off"',
        ),
        Option(
            "src",
            "strings",
            '[".", "src"]',
            "Folders that imports start from, relative to the folder of the configuration.",
            'src = ["lib", "tools"]',
        ),
        Option(
            "jobs",
            "count",
            "one for each processor",
            "How many processes check files.",
            "jobs = 4",
        ),
        Option(
            "max-seconds",
            "seconds",
            "none; in a pre-commit hook, where no CI runs it, 10",
            "How long a check may take, roughly. Rules for which there was no time are listed. Results so far are kept, so that\n"
            "the next run continues from there. It does not apply when files are repaired or a baseline is written.",
            "max-seconds = 30",
        ),
        Option(
            "preview",
            "boolean",
            "false",
            "Also run rules and repairs that are not settled yet, and report findings that are only likely.",
            "preview = true",
        ),
        Option(
            "advice",
            "boolean",
            "false",
            "Also run the rules whose level is advice, and report what is advice in some folders (see advice-folders).",
            "advice = true",
        ),
        Option(
            "advice-folders",
            "strings",
            _as_toml(ADVICE_FOLDERS),
            "Folders whose code is run to try something, not to train a model that is kept: rules whose harm needs a\n"
            "training run (precision and numerics TL4, checkpoints TL6, throughput TL8) are advice there, unless levels or a\n"
            "selector names them. Globs are written as in .gitignore, relative to the folder of the configuration; [] means\n"
            "none.",
            'advice-folders = ["tests/", "demos/"]',
        ),
        Option(
            "output-format",
            "choice",
            '"full"',
            "How findings are printed. In a GitHub workflow the default is github.",
            'output-format = "concise"',
            choices=FORMATS,
        ),
        Option(
            "baseline",
            "file",
            "none",
            "A file with findings that are known, and so neither reported nor repaired (see --write-baseline), relative to the\n"
            "folder of the configuration.",
            'baseline = ".trainlint-baseline.json"',
        ),
        Option(
            "cache-dir",
            "file",
            '".trainlint_cache" in the project',
            "The folder in which results are kept, relative to the folder of the configuration. It must lie in there, and be\n"
            "new, empty, or a cache already; --cache-dir and TRAINLINT_CACHE_DIR may name any place.",
            'cache-dir = "build/trainlint"',
        ),
        Option(
            "fix",
            "boolean",
            "false",
            "Apply safe repairs, as --fix does.",
            "fix = true",
        ),
        Option(
            "unsafe-fixes",
            "boolean",
            "false",
            "Offer repairs that may change what the program computes, and apply them when repairing.",
            "unsafe-fixes = true",
        ),
        Option(
            "show-fixes",
            "boolean",
            "false",
            "List the repairs that were applied.",
            "show-fixes = true",
        ),
        Option(
            "ignore-noqa",
            "boolean",
            "false",
            "Report findings despite suppression comments.",
            "ignore-noqa = true",
        ),
        Option(
            "target-versions",
            "versions",
            "{}",
            "Framework versions that the code must run with. Rules that depend on a version respect them. For a framework that\n"
            "is not named here, requirements.txt, pyproject.toml, setup.cfg, setup.py or environment.yml count.",
            '[tool.trainlint.target-versions]\ntorch = ">=2.4"\njax = ">=0.4.30,<0.6"',
        ),
        Option(
            "knowledge",
            "tables",
            "{}",
            "What your own libraries do, in the tables that describe the frameworks.",
            '[tool.trainlint.knowledge.collectives]\n"mylib.dist.sync" = -1  # position of the group argument; -1: none',
        ),
    )
}
"""Option key -> option, in the order in which they are shown."""


def describe(key: str | None = None, columns: int = 110) -> str:
    """Return what an option means; without a key the list of options, one below the other.

    Text is laid out for so many ``columns``. Raises :class:`ConfigError`, with the nearest option, for a key that is none.
    """
    if key is None:
        width = max(map(len, OPTIONS)) + 2
        texts = (_wrapped(option.description, columns - width) for option in OPTIONS.values())
        return "\n".join(
            f"{name:<{width}}" + text.replace("\n", "\n" + " " * width) for name, text in zip(OPTIONS, texts, strict=True)
        )
    option = OPTIONS.get(key)
    if option is None:
        raise ConfigError([Problem("", key, f"there is no such option{did_you_mean(key, list(OPTIONS))}")])
    header = "" if option.example.startswith("[") else "[tool.trainlint]\n"
    example = "\n".join(f"    {line}" for line in (header + option.example).splitlines())
    about = _wrapped(option.description, columns)
    return f"{option.key}\n\n{about}\n\nDefault: {option.default}\nType: {option.type}\n\nExample:\n{example}"


def _wrapped(text: str, columns: int) -> str:
    import textwrap

    return textwrap.fill(" ".join(text.split()), max(columns, 20), break_on_hyphens=False, break_long_words=False)


def show(settings: Settings) -> str:
    """Return the settings in force as TOML, each followed by a comment that says where it came from."""
    file = "none" if settings.file is None else _quote(str(settings.file))[1:-1]
    lines = [f"# configuration file: {file}", *(f"# extended file: {_quote(str(base))[1:-1]}" for base in settings.bases)]
    lines.append(f"# root: {_quote(str(settings.root))[1:-1]}")
    for option in OPTIONS.values():
        origin = settings.origins.get(option.key, "default")
        value = getattr(settings, option.field)
        if value is None:
            lines.append(f"# {option.key}: {option.default}  # {origin}")
        else:
            lines.append(f"{option.key} = {_as_toml(value)}  # {origin}")
    lines.append(f"# rules that are on: {' '.join(sorted(settings.codes)) or 'none'}")
    for state in ("preview", "advice"):
        off = [code for code in sorted(CODES.keys() - settings.codes) if state_of(code)[0] == state]
        lines += [f"# rules that are off, {state}: {' '.join(off)}  # --{state}"] if off else []
    lines += [f"# rules of {family}: {' '.join(codes)}" for family, codes in _others().items()]
    return "\n".join(lines)


def _others() -> dict[str, list[str]]:
    """The rules of other installed packages, by package."""
    found: dict[str, list[str]] = {}
    for row in INSTALLED.rows.values():
        found.setdefault(row.family, []).append(row.code)
    return found
