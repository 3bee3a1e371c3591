"""What a launch line says of an option."""

from __future__ import annotations

import re

from trainlint.documents.expansion import Word
from trainlint.facts.launching.launches import Launch
from trainlint.preflight.settings.declared import Declared
from trainlint.preflight.values.words import split

_VARIABLE = re.compile(r'"?\$\{?([A-Za-z_]\w*)\}?"?')
_TRUTHS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False, "none": None, "null": None}


#: What a line asks for that starts something else than a training.
_OTHERS = frozenset(
    ("eval", "evaluate", "evaluation", "test", "testing", "predict", "infer", "inference", "generate", "export", "demo", "val")
)
#: What may stand beside that: ``--do_eval``, ``--eval-only``.
_ASKING = frozenset(("do", "only", "just", "run", "mode", "do_eval", "do_test", "do_predict", "eval_only", "test_only"))
_TRAINS = frozenset(("train", "training", "finetune"))


def trains(launch: Launch) -> bool:
    """Whether a line may start a training: no option that stands alone asks for an evaluation, or another thing, instead."""
    words = [word.start if word.text is None else word.text for word in launch.arguments]
    alone = [
        set(split(word))
        for word, after in zip(words, [*words, "--"][1:], strict=True)
        if word.startswith("--") and "=" not in word and after.startswith("--")
    ]
    return not any(each & _OTHERS and len(each - _ASKING) == 1 for each in alone) or any(each & _TRAINS for each in alone)


def is_open(launch: Launch) -> bool:
    """Whether a line leaves its other options to the reader: ``train.py --amp ...``."""
    words = [word.text for word in launch.arguments]
    return any(
        word in ("...", "…", "[...]", "....") and not (before or "").startswith("-")
        for before, word in zip(["", *words], words, strict=False)
    ) or (words[-1:] in (["..."], ["…"]))


def said_by(option: Declared, launch: Launch) -> list[tuple[object] | None]:
    """What a launch line says of an option: nothing, a value, or None for one that is not known."""
    if option.equals:
        begins = tuple(f"{before}{flag}=" for flag in option.flags for before in ("", "+"))
        words = [word for word in launch.arguments if (word.start if word.text is None else word.text).startswith(begins)]
        return [None if word.text is None else as_it_looks(word.text.partition("=")[2]) for word in words[-1:]]
    names = tuple(flag.replace("_", "-") if flag.startswith("--") else flag for flag in option.flags)
    found = launch.argument(*names)
    if found is None:
        no = tuple(f"--no{between}{name[2:]}" for name in names if name.startswith("--") for between in ("", "-"))
        return [(False,)] if option.takes == "" and launch.argument(*no) is not None else []
    if option.takes in ("on", "off"):
        return [(option.takes == "on",)]
    if option.takes == "other":
        return [None]
    if found.value is None or (found.value.text or "").startswith("--"):
        return [(True,) if option.takes == "" else None]
    text = found.text if found.text is not None else _usual(found.value, launch)
    if text is None:
        return [None]
    if option.takes == "text":
        return [(text,)]
    return [(bool(text),) if option.takes == "filled" else as_it_looks(text)]


def _usual(word: Word, launch: Launch) -> str | None:
    """What a variable is that the line's own script sets, where something may set it anew: ``. parse_options.sh``."""
    variable = _VARIABLE.fullmatch(word.written)
    if variable is None:
        return None
    given = {
        each.value.text
        for each in launch.script.assignments
        if each.name == variable.group(1) and each.spot < launch.command.spot
    }
    return given.pop() if len(given) == 1 else None


def as_it_looks(text: str) -> tuple[object]:
    """A text of a command line as what it looks like: a truth value, a number, nothing, or a text."""
    if text.lower() in _TRUTHS:
        return (_TRUTHS[text.lower()],)
    for read in (int, float):
        try:
            return (read(text),)
        except ValueError:
            continue
    return (text,)
