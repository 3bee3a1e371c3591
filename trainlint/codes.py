"""Every rule code there is or will be, as data: what a selector or a suppression comment may name.

A code is known here before its rule is built, so that selecting it is silent and misspelling it is not.
The rules of other installed packages are known here too. This module is on the way of every run: it imports nothing slow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from trainlint import installed
from trainlint.catalogue import ON_TRIAL, TABLE

FAMILIES: Mapping[str, str] = {
    "linter": "the linter itself",
    "distributed": "every rank, the same collectives",
    "data": "samplers, loaders, datasets",
    "memory": "graphs kept, gradients on",
    "precision": "precision and numerics",
    "compilers": "XLA, JAX, TensorFlow, torch.compile, CUDA graphs",
    "checkpoints": "checkpoints and resume",
    "loop": "the training loop",
    "throughput": "throughput",
    "environment": "reproducibility, environment, API",
}
"""Family name -> what it is about, in the order of the digit after ``TL``."""

LEVEL_WORDS: Mapping[str, str] = {"E": "error", "W": "warning", "A": "advice"}
"""Level letter -> the word used in the configuration and in the output."""


class Code(NamedTuple):
    """One rule's place in the catalogue.

    ``level`` is ``E`` (error), ``W`` (warning) or ``A`` (advice). ``repairs`` holds the kinds of repair the rule may offer:
    ``s`` safe, ``u`` unsafe, ``d`` shown only, most typical first, empty for none. ``star`` marks the flagships.
    ``family`` is a key of :data:`FAMILIES`.
    """

    code: str
    name: str
    level: str
    repairs: str
    star: bool
    family: str


def _read_table(table: str) -> dict[str, Code]:
    families = tuple(FAMILIES)
    codes = {}
    for row in table.split("\n")[1:-1]:
        code, level, repairs, star, name = row.split()
        codes[code] = Code(code, name, level, repairs.strip("-"), star == "*", families[int(code[2])])
    return codes


_OURS = _read_table(TABLE)


def _installed() -> installed.Installed:
    metadata = list(installed.metadata())
    if not metadata:
        return installed.Installed()
    from trainlint.packages import load_packages

    return load_packages(metadata, {row.name for row in _OURS.values()})


INSTALLED = _installed()
"""What other installed packages bring."""

PREFIXES: tuple[str, ...] = ("TL", *INSTALLED.prefixes)
"""What codes begin with: letters, before three digits."""

TITLES: Mapping[str, str] = {**FAMILIES, **INSTALLED.families}
"""What each family is about, also those that are the names of other packages."""

CODES: Mapping[str, Code] = {
    **_OURS,
    **{row.code: Code(row.code, row.name, row.level, row.repairs, False, row.family) for row in INSTALLED.rows.values()},
}
"""Code -> its row, in the order of the codes; those of other packages are last."""

NAMES: Mapping[str, str] = {row.name: row.code for row in CODES.values()}
"""Kebab name -> code."""

UNSETTLED: frozenset[str] = frozenset(ON_TRIAL.split())
"""Rules that were not right 19 times in 20 on code nobody had seen, or not judged: on with ``preview``, or by their code."""

DEFAULT: frozenset[str] = frozenset(code for code, row in CODES.items() if row.level != "A") - UNSETTLED
"""What is selected when nobody says anything: errors and warnings."""

ADVICE: frozenset[str] = frozenset(code for code, row in CODES.items() if row.level == "A") - UNSETTLED
"""What ``advice`` selects besides."""

NEEDS_TRAINING = frozenset({"precision", "checkpoints", "throughput"})
"""Families whose harm needs a training run: elsewhere (tests, examples) they are advice. What hangs or checks nothing is not."""


def state_of(code: str) -> tuple[str, str]:
    """Whether a rule is on when nobody says anything (``on``, ``preview`` or ``advice``), and why, in words."""
    if code in DEFAULT:
        return "on", f"{LEVEL_WORDS[CODES[code].level]}s are on by default"
    if code in UNSETTLED:
        return "preview", "not yet shown to be right in 19 of 20 findings on unseen code: --preview turns it on"
    return "advice", "advice is off by default: --advice turns it on"


COVERED_BY: Mapping[str, str] = dict.fromkeys(("TL104", "TL105", "TL106", "TL107", "TL108", "TL109"), "TL101")
"""Code -> the more general code whose suppression comment silences it too (one mistake, one comment)."""

_EXACT = 4  # rank of a full code or a name; "ALL" has rank 0, "TL" 1, "TL1" 2, "TL10" 3


class UnknownSelector(ValueError):
    """A selector that means no rule; ``nearest`` is the selector that was probably meant, or None."""

    def __init__(self, selector: str, nearest: str | None) -> None:
        hint = f'; did you mean "{nearest}"?' if nearest else ""
        super().__init__(f'unknown rule selector "{selector}"{hint}')
        self.selector = selector
        self.nearest = nearest

    def __reduce__(self) -> tuple[type[UnknownSelector], tuple[str, str | None]]:
        return (UnknownSelector, (self.selector, self.nearest))  # it may cross a process border


def find_code(text: str) -> str | None:
    """Return the code that ``text`` spells exactly, as a code (``TL101``) or as a name, else None."""
    return text if text in CODES else NAMES.get(text)


def nearest_code(text: str) -> str | None:
    """Return the known code or name closest to ``text``, or None when nothing is close."""
    code = text.upper().replace("O", "0")  # no code has the letter, which looks like the digit
    return _closest(code, CODES) or _closest(text.lower().replace("_", "-"), NAMES)


def nearest_selector(text: str) -> str | None:
    """Return the known selector closest to ``text``, or None when nothing is close."""
    prefixes = {code[:length] for code in CODES for length in range(len(code) - 3, len(code))}
    short = _closest(text.upper(), {"ALL", *prefixes}) if len(text) < len("TL000") else None
    return short or nearest_code(text)


def _closest(text: str, known: Iterable[str]) -> str | None:
    import difflib
    from itertools import takewhile

    def likeness(word: str) -> tuple[float, int, str]:
        beginning = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, text, strict=False)))
        return difflib.SequenceMatcher(None, word, text).ratio(), beginning, word

    best = max(map(likeness, known))
    return best[2] if best[0] > 0.7 else None  # noqa: PLR2004 - one wrong character in a code is 0.8


def _expand(selector: str) -> tuple[int, frozenset[str]]:
    """Return the rank of a selector (higher is more specific) and the codes it stands for."""
    if selector == "ALL":
        return 0, frozenset(CODES)
    exact = find_code(selector)
    if exact is not None:
        return _EXACT, frozenset((exact,))
    prefix = next((prefix for prefix in PREFIXES if selector.startswith(prefix)), None)
    codes = frozenset(code for code in CODES if prefix and code.startswith(selector))
    if prefix is None or not codes:
        raise UnknownSelector(selector, nearest_selector(selector))
    return len(selector) - len(prefix) + 1, codes


def expand_selectors(selectors: Iterable[str]) -> frozenset[str]:
    """Return every code that at least one selector means.

    A selector is ``ALL``, a prefix (``TL``, ``TL1``, ``TL10``), a full code or a rule's kebab name; case matters.
    Raises :class:`UnknownSelector` for anything else.
    """
    return frozenset().union(*(_expand(selector)[1] for selector in selectors))


def by_specificity(selectors: Iterable[str]) -> list[tuple[int, str, frozenset[str]]]:
    """Return rank, selector and codes of each selector, the most general first, equals in the order given.

    Writing values over one another in this order lets the more specific selector win.
    Raises :class:`UnknownSelector`.
    """
    ranked = []
    for selector in selectors:
        rank, codes = _expand(selector)
        ranked.append((rank, selector, codes))
    return sorted(ranked, key=lambda item: item[0])


def resolve(
    select: Iterable[str] | None,
    ignore: Iterable[str],
    extend_select: Iterable[str],
    extend_ignore: Iterable[str],
    default: frozenset[str] = DEFAULT,
) -> frozenset[str]:
    """Return the codes that are on.

    The more specific selector wins, whichever list holds it (``select TL1, ignore TL101`` drops one rule of the family,
    ``select TL101, ignore TL1`` keeps that one); between equals, ignoring wins. ``select=None`` starts from ``default``,
    to which the other lists then apply; any other ``select`` starts from nothing.
    To stack two sources of settings, resolve the first and hand its result to the second as ``default``.
    Raises :class:`UnknownSelector`.
    """
    wanted = [(rank, False, codes) for rank, _, codes in by_specificity([*(select or ()), *extend_select])]
    unwanted = [(rank, True, codes) for rank, _, codes in by_specificity([*ignore, *extend_ignore])]
    on = set(default) if select is None else set()
    for _, drop, codes in sorted(wanted + unwanted, key=lambda item: item[:2]):
        if drop:
            on -= codes
        else:
            on |= codes
    return frozenset(on)
