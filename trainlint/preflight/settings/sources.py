"""Where the configurations of a job come from: code, files beside it, what a command line names of both."""

# Paths are plain strings here, as the program has them.
# ruff: noqa: PTH118, PTH120

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

from trainlint.documents.document import Document
from trainlint.documents.kinds import kind_of
from trainlint.facts.call_graph import CallGraph, CallSite, last_name
from trainlint.facts.launching.launches import Launch
from trainlint.facts.launching.references import named_documents
from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, Library
from trainlint.ir.nodes import Call, Const, Param, Term
from trainlint.preflight.known import known
from trainlint.preflight.settings.beside import composed, found_from, held_in, like
from trainlint.preflight.settings.declared import BY_KEYWORDS, Declared, fields
from trainlint.preflight.settings.nodes import Held, Keys, Nodes
from trainlint.preflight.values.words import split

#: What configurations are called, in whole or in part.
_CALLED = frozenset(
    (
        *("config", "configs", "cfg", "cfgs", "conf", "configuration", "hparams", "hps", "hp", "args", "opt", "opts", "options"),
        *("flags", "params", "settings", "c", "hydra"),
    )
)
#: Words of calls that are handed the name of a file that is read.
_READS = frozenset(("open", "load", "read", "config", "cfg", "conf", "compose", "path", "fromfile"))
#: Values that differ, of one value, are this many at most; configurations beyond them are not looked at.
_MOST = 200
_AT_TOP = "<module>"


class Sources:
    """Those of a job; ``files`` gives the files that it consists of."""

    def __init__(self, program: Program, path: str, launches: tuple[Launch, ...], files: Callable[[], Iterable[str]]) -> None:
        self.program = program
        self.path = path
        self.launches = launches
        self.own = files
        #: What Hydra puts together, once ``base`` is known.
        self.composed: dict[Keys, Held] = {}

    @cached_property
    def files(self) -> frozenset[str]:
        return frozenset(self.own())

    def sites(self, *names: str) -> Iterator[CallSite]:
        index = self.program.ask(CallGraph)
        for name in names:
            yield from (site for site in index.sites.get(name, ()) if site.module in self.files)

    @cached_property
    def base(self) -> dict[Keys, Held]:
        """What holds unless something is laid over it."""
        found: dict[Keys, Held] = {}
        made = self.program.ask(Nodes)
        for path in sorted(self.files):
            for each in made.at_top(path):
                _lay(found, each)
            for function in self.program.modules[path].functions.values():
                if function.name != _AT_TOP and function.outer is None:
                    _lay(found, made.returned(path, function) or {})
        for field in self._fields:
            keys = tuple(field.flags[0].split("."))
            found.setdefault(keys, Held(field.default, field.module, field.spot))
        found.update(self.flags)
        for document in self._read:
            found.update(held_in(document))
        for path in sorted(self.files):
            for function in self.program.modules[path].functions.values():
                for decorator in function.decorators:
                    if isinstance(decorator, Call) and last_name(decorator.callee) == "main":
                        whole = self._composed(path, decorator)
                        self.composed.update(whole)
                        found.update(whole)
        return found

    def is_composed(self, keys: Keys) -> bool:
        """Whether a section is put together of files that are all seen: what it does not hold, is not there."""
        return bool(self.base) and any(len(each) > len(keys) and each[: len(keys)] == keys for each in self.composed)

    @property
    def _fields(self) -> Iterator[Declared]:
        """The fields of classes that configurations are said to be of: ``def train(cfg: TrainConfig)``."""
        done: set[tuple[str, str]] = set()
        for path in sorted(self.files):
            for function in self.program.modules[path].functions.values():
                for name, annotation in function.annotations.items():
                    if not is_called_so((name,)):
                        continue
                    for value in self.program.values(annotation, self.program.frame(path, function)):
                        if not isinstance(value, ClassValue) or (value.module, value.cls.qualname) in done:
                            continue
                        done.add((value.module, value.cls.qualname))
                        if any(last_name(each) == "dataclass" for each in value.cls.decorators):
                            yield from self._unless_made(fields(self.program, value, "a.b=", (), frozenset()))

    def _unless_made(self, found: Iterable[Declared]) -> Iterator[Declared]:
        """The fields that no call of a class of the job says: their defaults hold, unless a file says more."""
        index = self.program.ask(CallGraph)
        for each in found:
            said = any(
                each.name in dict(site.call.term.kwargs)
                for name in {cls.name for cls in self.program.modules[each.module].classes.values()}
                for site in index.sites.get(name, ())
            )
            yield each._replace(default=None) if said else each

    @cached_property
    def flags(self) -> dict[Keys, Held]:
        """The configurations that keywords declare as options: ``define_flags_with_default(optimizer=get_default_config())``."""
        found: dict[Keys, Held] = {}
        for site in self.sites(BY_KEYWORDS):
            for name, value in site.call.term.kwargs:
                if name is not None and isinstance(value, Call):
                    inner = self.program.ask(Nodes).of(site.module, site.function, value) or {}
                    found.update(((name, *keys), each) for keys, each in inner.items())
        for file, names in self.program.knowledge.tables["preflight.files-of-options"].items():
            if any(self._is_of(site, names) for site in self.sites(*(name.rpartition(".")[2] for name in names))):
                document = found_from(self.program, self.path, file)
                found.update({} if document is None else held_in(document))
        return found

    def _is_of(self, site: CallSite, names: Iterable[str]) -> bool:
        """Whether a call is one of some functions of libraries."""
        frame = self.program.frame(site.module, site.function)
        return any(isinstance(each, Library) and each.name in names for each in self.program.values(site.call.term.callee, frame))

    @property
    def _read(self) -> Iterator[Document]:
        """The documents whose names stand where they are read, or where an option is that names one."""
        index = self.program.ask(CallGraph)
        for name in index.sites:
            if name != "add_argument" and _READS.isdisjoint(split(name)):
                continue
            for site in self.sites(name):
                given = [value for keyword, value in site.call.term.kwargs if keyword == "default"]
                for each in given if name == "add_argument" else site.call.term.args[:2]:
                    document = self._document(site.module, self._default(site, each))
                    if document is not None:
                        yield document

    def _default(self, site: CallSite, named: Term) -> Term:
        """What a parameter is that no call of the job says: ``def main(path="options/small.json")``."""
        if not isinstance(named, Param) or named.function != site.function.qualname or named.name not in site.function.defaults:
            return named
        if any(
            each.module in self.files and (each.call.term.args or each.call.term.kwargs)
            for each in self.program.ask(CallGraph).callers(site.function)
        ):
            return named
        return site.function.defaults[named.name]

    def _document(self, path: str, named: Term) -> Document | None:
        """The document that a text in a file names, with or without its ending."""
        if not isinstance(named, Const) or not isinstance(named.value, str) or not named.value or "\n" in named.value:
            return None
        for ending in ("", ".yaml", ".yml", ".json"):
            if kind_of(os.path.basename(named.value) + ending) in ("yaml", "json"):  # noqa: PTH119
                for start in (path, self.path):
                    document = found_from(self.program, start, named.value + ending)
                    if document is not None:
                        return document
        return None

    def _composed(self, path: str, call: Call) -> dict[Keys, Held]:
        """What Hydra reads: ``@hydra.main(config_path="conf", config_name="config")``."""
        frame = self.program.frame(path, self.program.modules[path].functions[_AT_TOP])
        wanted = known(self.program, "composed-configurations")
        if not any(isinstance(each, Library) and each.name in wanted for each in self.program.values(call.callee, frame)):
            return {}
        given = {name: value.value for name, value in call.kwargs if isinstance(value, Const)}
        folder, name = given.get("config_path") or ".", given.get("config_name")
        if not isinstance(folder, str) or not isinstance(name, str):
            return {}
        for ending in ("", ".yaml", ".yml"):
            document = found_from(self.program, path, f"{folder}/{name}{ending}")
            if document is not None:
                return composed(self.program, document)
        return {}

    # -- configurations in Python that a command line names -----------------------------------------------------------

    @cached_property
    def option(self) -> tuple[str, str | None] | None:
        """The option that names a configuration in Python, and the file that it names unless it is said."""
        for site in self.sites("DEFINE_config_file"):
            given = [each.value for each in site.call.term.args[:2] if isinstance(each, Const)]
            keywords = {name: value.value for name, value in site.call.term.kwargs if isinstance(value, Const)}
            name = given[0] if given else keywords.get("name")
            default = given[1] if len(given) > 1 else keywords.get("default")
            if isinstance(name, str):
                return name, default if isinstance(default, str) else None
        return None

    @cached_property
    def choices(self) -> dict[str, dict[Keys, Held]]:
        """What the configurations of the project hold of which the command line names one, by file."""
        found: dict[str, dict[Keys, Held]] = {}
        if self.option is None:
            return found
        for path in sorted(self.program.modules):
            function = self.program.modules[path].functions.get("get_config")
            held = None if function is None or len(found) >= _MOST else self.program.ask(Nodes).returned(path, function)
            if held:
                found[path] = held
        return found

    def chosen(self, launch: Launch | None) -> list[dict[Keys, Held]]:
        """Those that a line may mean: the one that it names, the one that holds unless another one is named, or any."""
        if self.option is None or not self.choices:
            return [{}]
        name, default = self.option
        said = None if launch is None else launch.argument(f"--{name.replace('_', '-')}")
        text = default if said is None else said.text
        named = None if text is None else os.path.normpath(text.partition(":")[0])
        if named is not None:  # the one near to the script, where others have one of that name, too
            starts = (os.path.dirname(self.path), *(() if launch is None else (os.path.dirname(launch.document.path),)))
            paths = [os.path.normpath(os.path.join(start, named)) for start in starts]
            paths += [path for path in self.choices if path.endswith(os.sep + named)]
            found = next((self.choices[path] for path in paths if path in self.choices), None)
            if found is not None:
                return [found]
        return list(self.choices.values())

    def is_of_others(self, launch: Launch) -> bool:
        """Whether a line names a file by its whole name that is not there, where other lines name some that are."""
        if any(True for _ in named_documents(self.program, launch)):
            return False
        is_named = any(kind_of(os.path.basename(word.text or "")) in ("yaml", "json") for word in launch.arguments)  # noqa: PTH119
        return is_named and any(True for each in self.launches for _ in named_documents(self.program, each))

    @cached_property
    def alike(self) -> list[dict[Keys, Held]]:
        """What the files hold one of which a line may mean that names none by its name, as others do: ``train.py CONFIG``."""
        documents = [document for launch in self.launches for _, document in named_documents(self.program, launch)]
        if not documents or self._nodes_at_top:
            return []
        found = like(self.program, documents[0], known(self.program, "configuration-keys"))
        own = os.path.dirname(self.path) + os.sep
        if documents[0].path.startswith(own):  # those of other scripts lie beside these
            found = [each for each in found if each.path.startswith(own)]
        return [held_in(each) for each in found[:_MOST]]

    @cached_property
    def _nodes_at_top(self) -> bool:
        """Whether nothing but defaults holds without a file."""
        return any(True for path in self.files for each in self.program.ask(Nodes).at_top(path) if each)


def _lay(found: dict[Keys, Held], more: Mapping[Keys, Held]) -> None:
    """Lay one configuration beside others: where two have one name and say different things, nobody knows."""
    for keys, each in more.items():
        old = found.get(keys)
        found[keys] = each if old is None or old.value == each.value else each._replace(value=None)


def of_launch(program: Program, launch: Launch) -> dict[Keys, Held]:
    """What the files hold that a launch line names."""
    found: dict[Keys, Held] = {}
    for _, document in named_documents(program, launch):
        found.update(held_in(document))
    return found


def is_called_so(names: Keys) -> bool:
    """Whether one of some names is what people call configurations."""
    return any(not _CALLED.isdisjoint(split(name)) for name in names)
