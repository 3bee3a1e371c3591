"""Which classes files and dicts name to be made: target, _target_, params.

What dicts of a job have made: ``{"target": "main.Save", "params": {"top": 3}}``, for whoever finds classes by such
names.

They are made where they are handed to what finds classes, ``instantiate_from_config(CALLBACK)``, or are what a configuration
is laid over in a function that does. A dict out of which one item is taken is that item.

What Hydra makes of a part of a configuration: the class that YAML files name there (``_target_``).

Which classes the files have made that a launch line hands over: ``--base configs/kl.yaml``, with ``target:`` in it.

Several lines, or what the reader has to fill in (``configs/<name>.yaml``), name several such files: the job is another one with
each that names other classes of the project.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator
from collections.abc import Mapping as Table
from typing import NamedTuple

from trainlint.app.preflight.values.words import OFF, handed, known, named_by
from trainlint.documents.document import Document
from trainlint.documents.tree import Mapping, Node, Scalar, mappings
from trainlint.finding import Spot
from trainlint.ir.nodes import Call, Const, Dict, Ref, Subscript, Term, Unknown
from trainlint.ir.sketch import CallStep, Function, Keep, Module, Store
from trainlint.ir.walk import of_kind
from trainlint.jobs.launch_lines import Launch, found_from, named_documents
from trainlint.program.call_graph import last_name
from trainlint.program.environment import declarations
from trainlint.program.imports import imported, split_import
from trainlint.program.program import Program, calls_of
from trainlint.program.values import ClassValue, Context, Library, LibraryObject

#: Keys of the name of a class, and of what it is made with.
TARGETS, PARAMETERS = ("target", "_target_", "class_path"), ("params", "kwargs", "init_args")
#: What lays configurations over each other, and makes one of a dict.
_LAYS = ("omegaconf.OmegaConf.merge", "omegaconf.OmegaConf.create")
#: What is put into a dict of parameters behind a test, and may decide which file is the newest.
_LATER = ("monitor",)
DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")


def made_by_dicts(program: Program, path: str, function: Function, call: CallStep) -> Iterator[CallStep]:
    """The calls that somebody makes of the dicts that a call of a function is handed (in the file of the path)."""
    finds = known(program, "finds-by-name")
    callee = call.term.callee
    if last_name(callee) not in finds:
        is_laid = isinstance(callee, Ref) and callee.name in _LAYS
        if not is_laid or not any(last_name(each.term.callee) in finds for each in calls_of(function)):
            return
    for given in call.term.args:
        for each in _targets_in_dicts(given):
            yield CallStep(_made(program, path, function, each), call.statement)


def _targets_in_dicts(term: Term) -> Iterator[Dict]:
    """The dicts in a term that name a class each."""
    if isinstance(term, Subscript) and isinstance(term.base, Dict):
        term = _item(term.base, term.key.value if isinstance(term.key, Const) else None) or term
    if not isinstance(term, Dict):
        return
    if _name(term) is not None:
        yield term
    else:
        for value in dict.fromkeys(value for _, value in term.items if value is not None):
            yield from _targets_in_dicts(value)


def _item(term: Dict, key: object) -> Term | None:
    return next((value for each, value in term.items if each is not None and isinstance(each, Const) and each.value == key), None)


def _name(term: Dict) -> str | None:
    """The dotted name of the class that a dict has made."""
    for key in TARGETS:
        given = _item(term, key)
        if given is not None and isinstance(given, Const) and isinstance(given.value, str) and DOTTED.fullmatch(given.value):
            return given.value
    return None


def is_own(program: Program, path: str, name: str) -> bool:
    """Whether a class is one of the project's: what its arguments are called says nothing of a library."""
    where, rest = split_import(program.finder, path, name)
    module = program.modules.get(where or "")
    return module is not None and bool(rest) and rest[0] in module.classes


def _made(program: Program, path: str, function: Function, term: Dict) -> Call:
    """The call that a dict stands for."""
    name = _name(term) or ""
    given = next((found for key in PARAMETERS if (found := _item(term, key)) is not None), None)
    pairs = given.items if given is not None and isinstance(given, Dict) else ()
    keywords = {
        key.value: value for key, value in pairs if key is not None and isinstance(key, Const) and isinstance(key.value, str)
    }
    stores = [(node.target, node.value) for node in of_kind(function, Keep)]
    for target, value in (*stores, *((node.target, node.value) for node in of_kind(function, Store))):
        if (
            isinstance(target, Subscript)
            and isinstance(target.base, Subscript)
            and target.base.base is term
            and isinstance(target.key, Const)
            and target.key.value in _LATER
        ):
            keywords.setdefault(target.key.value, value)
    line, column = term.line, term.column
    keywords = {} if is_own(program, path, name) else keywords
    return Call.new(Ref.new(name), (), tuple(keywords.items()), Spot(line, column, line, column + 1))


# Paths are plain strings here, as the documents have them.
# ruff: noqa: PTH119, PTH120


#: The key of a class; a file that has it is one of these configurations.
TARGET = "_target_"


def target_of(program: Program, made: LibraryObject) -> str | None:
    """The class of ``instantiate(cfg.trainer)``, by its canonical name; None where no file says it, or several differ."""
    if made.name not in known(program, "makes-by-target") or made.call is None or made.frame is None or not made.call.args:
        return None
    key = named_by(made.call.args[0])
    named = program.ask(_targets_in_files).get(key, set()) if key is not None else set()
    folder = made.frame.module
    while named and len(folder) > len(program.finder.top) and (folder := os.path.dirname(folder)):  # the nearest ones count
        found = {target for path, target in named if path.startswith(folder.rstrip(os.sep) + os.sep)}
        if found or folder == os.path.dirname(folder):
            return next(iter(found)) if len(found) == 1 else None
    return None


def _targets_in_files(program: Program) -> dict[str, set[tuple[str, str]]]:
    """The classes that the YAML files of the project name, by the key that they stand under, or the folder of the file.

    Files of such a folder that name none (``trainer/gpu.yaml``) change another one.
    """
    found: dict[str, set[tuple[str, str]]] = {}
    for document in program.documents.of((TARGET.encode(),), "yaml"):
        for root in document.roots:
            own = root.value(TARGET) if isinstance(root, Mapping) else None
            if isinstance(own, str):
                found.setdefault(os.path.basename(os.path.dirname(document.path)), set()).add(
                    (document.path, program.knowledge.canonical(own))
                )
            for mapping in mappings(root):
                for item in mapping.items:
                    inner = item.value.value(TARGET) if isinstance(item.value, Mapping) else None
                    if isinstance(inner, str):
                        found.setdefault(str(item.key.value), set()).add((document.path, program.knowledge.canonical(inner)))
    return found


# Paths are plain strings here, as the documents have them.


#: A job has so many aims at most that are looked at one by one.
_MOST = 12
#: A line of YAML that names a class.
_NAMES = re.compile(
    r"(?m)^[ \t]{0,80}(?:-[ \t]{1,8})?(?:_?target_?|class_path):[ \t]{1,8}[\"']?([A-Za-z_]\w{0,80}(?:\.\w{1,80}){1,12})"
)
#: Arguments that make a difference where the same classes are made.
_OF_LOADERS = ("num_workers", "pin_memory")
_ENDINGS = (".yaml", ".yml")
#: What stands for a value in a word of a command.
_HOLE = re.compile(r"\$\{\w+\}|\$\w+")


class Aim(NamedTuple):
    """What one file has made, or what Hydra puts together of several.

    ``classes`` gives the files of the project's classes that it names. ``is_whole``: all of them were read.
    """

    name: str
    roots: tuple[Node, ...]
    classes: dict[str, str]
    is_whole: bool

    @property
    def files(self) -> frozenset[str]:
        """The files of the classes."""
        return frozenset(self.classes.values())

    def told(self, path: str, cls: str, parameter: str) -> tuple[object] | None:
        """What the file says of an argument of a class; None where it does not, or says several things."""
        found = {
            value
            for root in self.roots
            for each in mappings(root)
            if (name := _target(each)) is not None and name.rpartition(".")[2] == cls and self.classes.get(name) == path
            for given in mappings(_given(each))  # also in what a class is made with: ``train_params: {num_workers: 8}``
            if (value := given.value(parameter)) is not None
        }
        return (next(iter(found)),) if len(found) == 1 else None


class Making:
    """The calls that are made of dicts and files: each is one object however often it is asked for."""

    def __init__(self, program: Program, aim: Aim | None) -> None:
        self.program = program
        self.aim = aim
        self._known: dict[tuple[str, Term], tuple[CallStep, ...]] = {}

    def of(self, path: str, function: Function, call: CallStep) -> tuple[CallStep, ...]:
        """Those that a call in a file leads to, by what it is handed."""
        key = (path, call.term)
        if key not in self._known:
            frame = self.program.frame(path, function)
            self._known[key] = (*made_by_dicts(self.program, path, function, call), *self._by_aim(call, frame))
        return self._known[key]

    def _by_aim(self, call: CallStep, frame: Context) -> Iterator[CallStep]:
        """Those of the section that a call is handed, ``make(config.model)``, and of those in it.

        A command line of Lightning has all made that its file names.
        """
        if self.aim is None or not self.aim.roots:
            return
        of_all = last_name(call.term.callee) in known(self.program, "makes-all-of-a-file")
        if not of_all and last_name(call.term.callee) not in known(self.program, "finds-by-name"):
            return
        key = next((named_by(each) for each in handed(call.term)), None)
        root = self.aim.roots[0]
        section = root if of_all else root.at(key) if key and isinstance(root, Mapping) else None
        if of_all:
            yield from _of_command_line(root, call)
        sections = [section]
        if section is None and is_maker(self.program, call.term, frame):  # each item of one: ``instantiate(callback)`` in a loop
            tops = [item.value for item in root.items] if isinstance(root, Mapping) else []
            sections = [item.value for top in tops if isinstance(top, Mapping) and _target(top) is None for item in top.items]
        for number, each in enumerate(found for section in sections for found in mappings(section)):
            name = _target(each)
            if name is None:
                continue
            where = self.aim.classes.get(name)
            if where is not None and each not in sections and not of_all and self._is_hooked(where, name):
                continue  # a part of another model: nobody trains it
            spot = call.term.site
            at = Spot(spot.line, spot.column, spot.line, spot.column + number + 1)
            made = Ref.new(name) if where is None else Ref.new(_dotted(self.program, where, name))
            yield CallStep(Call.new(made, (), tuple(_parameters(each)) if where is None else (), at), call.statement)

    def _is_hooked(self, path: str, name: str) -> bool:
        """Whether a library calls the methods of a class."""
        cls = self.program.modules[path].classes.get(name.rpartition(".")[2])
        above = () if cls is None else self.program.lineage(ClassValue(path, cls))
        return any(isinstance(each, Library) and each.name in self.program.knowledge.tables["preflight.hooks"] for each in above)


def is_maker(program: Program, call: Call, frame: Context) -> bool:
    """Whether a call is Hydra's, which makes what a configuration names."""
    values, names = program.values(call.callee, frame), known(program, "makes-by-target")
    return bool(values) and all(isinstance(each, Library) and each.name in names for each in values)


def aims(program: Program, script: str, launches: Iterable[Launch]) -> tuple[Aim, ...]:
    """Those of the files that lines hand over: nothing where there is none, or so many that one cannot be spoken of for all."""
    found: dict[tuple[object, ...], Aim] = {}
    for document in _complete(program, script, list(_documents(program, script, tuple(launches)))):
        aim = aim_of(program, script, document.path, document.roots)
        classes = aim.classes
        of_loaders = (aim.told(classes[name], name.rpartition(".")[2], each) for name in sorted(classes) for each in _OF_LOADERS)
        if classes:
            found.setdefault((frozenset(classes), *(each and each[0] in OFF for each in of_loaders)), aim)
    return tuple(found.values()) if len(found) <= _MOST else ()


def aim_of(program: Program, script: str, called: str, roots: tuple[Node, ...]) -> Aim:
    """What a configuration has made."""
    names = sorted({name for root in roots for each in mappings(root) if (name := _target(each)) is not None})
    own = {name: where for name in names if (where := split_import(program.finder, script, name)[0]) is not None}
    classes = {name: where for name in own if (where := _file(program, script, name)) is not None}
    # in a file that was not read is nothing that anybody asks about
    hidden = [each for each in own.keys() - classes if own[each] in program.modules or own[each].endswith("__init__.py")]
    return Aim(called, roots, classes, not hidden)


def _of_command_line(root: Node, call: CallStep) -> Iterator[CallStep]:
    """The calls that Lightning's command line makes of sections that name no class: its trainer, and the seed."""
    trainer = root.at("trainer") if isinstance(root, Mapping) else None
    seed = root.value("seed_everything") if isinstance(root, Mapping) else None
    at, given = call.term.site._replace(end_column=call.term.site.column), []
    if isinstance(trainer, Mapping):
        given.append(Call.new(Ref.new("lightning.Trainer"), (), tuple(_named(trainer)), at))
    if seed not in (None, False):
        given.append(Call.new(Ref.new("lightning.seed_everything"), (Const.new(type(seed).__name__, seed),), (), at))
    yield from (CallStep(each, call.statement) for each in given)


def _file(program: Program, script: str, name: str) -> str | None:
    """The file of a class of the project; of one that a package hands on, the only one below it that has such a class."""
    where, rest = split_import(program.finder, script, name)
    module = program.modules.get(where or "")
    if where is None or not rest:
        return None
    if module is not None and rest[-1] in (*module.classes, *module.functions):
        return where
    folder = where.removesuffix("__init__.py")
    found = [path for path, each in program.modules.items() if path.startswith(folder) and rest[-1] in each.classes]
    return found[0] if folder != where and len(found) == 1 else None


def _dotted(program: Program, where: str, name: str) -> str:
    """The dotted name by which the file of a class is found from the top of the project."""
    way = os.path.relpath(where, program.finder.top).removesuffix(".py").replace(os.sep, ".")
    return name if name.rpartition(".")[0] in way else f"{way}.{name.rpartition('.')[2]}"


def _complete(program: Program, script: str, documents: list[Document]) -> list[Document]:
    """Those that have all sections which the script has something made of: with another one it fails."""
    finds = known(program, "finds-by-name")
    asked = {
        named_by(given)
        for function in program.modules[script].functions.values()
        for call in calls_of(function)
        if last_name(call.term.callee) in finds
        for given in handed(call.term)
    }
    tops = {
        each.path: {str(item.key.value) for root in each.roots if isinstance(root, Mapping) for item in root.items}
        for each in documents
    }
    wanted = asked & {key for keys in tops.values() for key in keys}
    return [each for each in documents if wanted <= tops[each.path]]


def named_by_files(
    modules: Table[str, Module], texts: Iterable[str], finds: Collection[str], makers: Collection[str]
) -> dict[str, list[str]]:
    """The classes that files beside the Python name, for each file with a function that finds classes by such names.

    ``makers``: libraries, and what libraries have, that make them as well.
    Whoever has something made by it belongs together with them.
    """
    finding = [
        path
        for path, module in modules.items()
        if any(each.name in finds and each.cls is None for each in module.functions.values())
        or any(dotted.rpartition(".")[2] in makers or dotted.partition(".")[0] in makers for dotted in imported(module))
    ]
    if not finding:
        return {}
    named = sorted({found.group(1) for text in texts for found in _NAMES.finditer(text)})
    return dict.fromkeys(finding, named)


def _documents(program: Program, script: str, launches: tuple[Launch, ...]) -> Iterator[Document]:
    """The files that launch lines hand over, or that an option of the script names unless it is said."""
    for launch in launches:
        yield from (document for _, document in named_documents(program, launch))
        for word in launch.arguments:
            if word.text is None:
                yield from _fitting(program, launch, script, word.written)
    if launches:
        return
    for site in declarations(program):
        given = dict(site.call.term.kwargs).get("default")
        if site.module == script and given is not None and isinstance(given, Const) and str(given.value).endswith(_ENDINGS):
            document = found_from(program, script, str(given.value))
            if document is not None:
                yield document


def _fitting(program: Program, launch: Launch, script: str, written: str) -> list[Document]:
    """The files of a word in which something has to be filled in, ``configs/<name>.yaml``: seen from the folder nearest to it."""
    pieces = _HOLE.split(written.strip("\"'"))
    if "/" not in pieces[0] or not pieces[-1].endswith(_ENDINGS):
        return []
    fits = re.compile("[^/]+".join(re.escape(piece) for piece in (pieces[0].removeprefix("./"), *pieces[1:])))
    documents = list(program.documents.of([key.encode() for key in known(program, "configuration-keys")], "yaml"))
    for start in (launch.document.path, script):
        folder = start
        while (folder := folder.rpartition(os.sep)[0]) and len(folder) >= len(program.finder.top):
            found = [
                each
                for each in documents
                if each.path.startswith(folder + os.sep)
                and fits.fullmatch(each.path[len(folder) + 1 :].replace(os.sep, "/")) is not None
            ]
            if found:
                return found
    return []


def _target(mapping: Mapping) -> str | None:
    found = next((value for key in TARGETS if isinstance(value := mapping.value(key), str)), None)
    return found if found is not None and DOTTED.fullmatch(found) else None


def _parameters(mapping: Mapping) -> Iterator[tuple[str, Term]]:
    """What a class is made with, by keyword; what is no single value is not known."""
    return _named(_given(mapping))


def _given(mapping: Mapping) -> Mapping:
    """Where it stands what a class is made with: below a key, or beside its name."""
    return next((found for key in PARAMETERS if isinstance(found := mapping.at(key), Mapping)), mapping)


def _named(mapping: Mapping) -> Iterator[tuple[str, Term]]:
    yield from ((str(item.key.value), _value(item.value)) for item in mapping.items if item.key.value not in TARGETS)


def _value(node: Node) -> Term:
    if isinstance(node, Scalar):
        return Const.new(type(node.value).__name__, node.value)
    return Unknown.new(node.spot.line, node.spot.column)
