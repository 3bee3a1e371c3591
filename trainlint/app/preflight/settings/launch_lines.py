"""What a launch line says of an option, also by files of arguments.

Files of arguments that a launch line hands over bare, and that the job reads in place of its options.

``train.py settings.yaml lr=1e-5``: what stands in the file is said as if the line said it, and what stands behind it counts more.
"""

from __future__ import annotations

import re

from trainlint.app.preflight.line import Evidence
from trainlint.app.preflight.settings.argument_parsers import Declared
from trainlint.app.preflight.values.words import OFF, known, split
from trainlint.documents.document import Document
from trainlint.documents.expansion import Word
from trainlint.documents.tree import Mapping, Scalar
from trainlint.jobs.launch_lines import Launch, named, named_documents
from trainlint.program.call_graph import CallGraph
from trainlint.program.program import Program

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
        if word.startswith("--") and "=" not in word and (after.startswith("--") or "only" in split(word))
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


def reads_files(program: Program, files: frozenset[str]) -> bool:
    """Whether the files of a job read one that holds arguments: by a parser of such files, or by loading YAML or JSON."""
    names = {each.rpartition(".")[2] for each in known(program, "reads-arguments")}
    index = program.ask(CallGraph)
    return any(site.module in files for name in names for site in index.sites.get(name, ()))


def _bare(program: Program, launch: Launch) -> dict[str, Document]:
    """The files that a line hands over before its options, by how they are written there."""
    first = next((number for number, word in enumerate(launch.arguments) if (word.text or "-").startswith("-")), None)
    bare = launch.arguments[:first]
    return {
        word.written: document
        for word, document in named_documents(program, launch)
        if any(word is each for each in bare) and "=" not in (word.text or "")
    }


def handed_bare(program: Program, launch: Launch) -> tuple[str, ...]:
    """The files of arguments that a line hands over, as they are written there."""
    return tuple(_bare(program, launch))


def laid_over(program: Program, launch: Launch, *keys: str) -> tuple[tuple[object], Evidence] | None:
    """What a line's file of arguments says of one of some keys, with where; None where there is no file, or nothing in it."""
    wanted = {key.lstrip("-").replace("-", "_") for key in keys}
    documents = _bare(program, launch)
    if not documents:
        return None
    for word in reversed(launch.arguments):
        key, equals, value = (word.text or "").lstrip("-").partition("=")
        if equals and named(key).replace("-", "_") in wanted:
            where = Evidence(launch.document.path, launch.command.spot, f"{word.text} stands here")
            return as_it_looks(value), where
    for document in documents.values():
        root = document.roots[0] if document.roots else None
        for item in root.items if isinstance(root, Mapping) else ():
            if str(item.key.value) in wanted and isinstance(item.value, Scalar):
                where = Evidence(document.path, item.key.spot, f"`{item.key.value}` stands in the launch line's file")
                return (item.value.value,), where
    return None


def says(program: Program, launch: Launch, *keys: str) -> Evidence | None:
    """Where a line's file of arguments says one of some keys, to something that is not off."""
    found = laid_over(program, launch, *keys)
    return None if found is None or found[0][0] in OFF else found[1]
