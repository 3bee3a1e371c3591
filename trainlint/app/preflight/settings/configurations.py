"""The configurations of a job: where they come from, what they hold, and what launch lines say of them.

Where the configurations of a job come from: code, files beside it, what a command line names of both.

What the configurations of a job hold when nobody says anything, and what its launch lines say of them.

They are made in Python (nodes of yacs, ConfigDict), lie beside it (YAML, JSON), or are both: files that are laid over defaults.
Of several files of which a command line has to name one, all that may be named say what a value may be.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain

from trainlint.app.preflight.settings.argument_parsers import BY_KEYWORDS, Declared, fields
from trainlint.app.preflight.settings.config_trees import Held, Keys, Nodes, composed, held_in, is_get, keys_of, like
from trainlint.app.preflight.settings.launch_lines import as_it_looks
from trainlint.app.preflight.values.words import calls_of_library, functions_of, known, split
from trainlint.documents.document import Document, kind_of
from trainlint.ir.nodes import Call, Const, Global, Param, Ref, Self, Subscript, Term, Unknown
from trainlint.ir.sketch import Function, Keep, Store
from trainlint.ir.walk import of_kind
from trainlint.jobs.launch_lines import Launch, found_from, named_documents
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.program import Program
from trainlint.program.values import ClassValue

# Paths are plain strings here, as the program has them.
# ruff: noqa: PTH118, PTH120


#: What configurations are called, in whole or in part.
_CALLED = frozenset(
    (
        *("config", "configs", "cfg", "cfgs", "conf", "configuration", "hparams", "hps", "hp", "args", "opt", "opts", "options"),
        *("flags", "params", "settings", "c", "hydra"),
    )
)
#: Words of calls that are handed the name of a file that is read.
_READS = frozenset(("open", "load", "read", "config", "cfg", "conf", "compose", "path", "fromfile"))
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
        for path, function in functions_of(self.program, self.files):
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
        for path, function in functions_of(self.program, self.files):
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
            if any(site.module in self.files for site in calls_of_library(self.program, names)):
                document = found_from(self.program, self.path, file)
                found.update({} if document is None else held_in(document))
        return found

    @property
    def _read(self) -> Iterator[Document]:
        """The documents whose names stand where they are read, or where an option is that names one."""
        index = self.program.ask(CallGraph)
        for name in index.sites:
            declares = name in self.program.knowledge.tables["options"]["declares"]
            if not declares and _READS.isdisjoint(split(name)):
                continue
            for site in self.sites(name):
                given = [value for keyword, value in site.call.term.kwargs if keyword == "default"]
                for each in given if declares else site.call.term.args[:2]:
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
        if not self.program.may_be_one_of(call.callee, frame, wanted):
            return {}
        given = {name: value.value for name, value in call.kwargs if isinstance(value, Const)}
        folder, name = given.get("config_path") or ".", given.get("config_name")
        if not isinstance(folder, str) or not isinstance(name, str):
            return {}
        for ending in ("", ".yaml", ".yml"):
            document = found_from(self.program, path, f"{folder}/{name}{ending}")
            if document is not None:
                return composed(self.program, document)
        # no file is called so: a line names another one each time, which is the one that has something made, if there is one
        beside = os.path.normpath(os.path.join(os.path.dirname(path), folder))
        found = [each for each in self.program.documents.of([b"_target_"], "yaml") if os.path.dirname(each.path) == beside]
        return composed(self.program, found[0]) if len(found) == 1 else {}

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
            held = None if function is None else self.program.ask(Nodes).returned(path, function)
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
        return [held_in(each) for each in found]

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


#: Calls that take up values of a command line: ``train.clip 1``, ``train.clip=1``.
_PAIRS, _WITH_EQUALS = ("merge_from_list",), ("from_cli", "from_dotlist")


class Configurations:
    """Those of a job; ``files`` gives the files that it consists of."""

    def __init__(self, program: Program, path: str, launches: tuple[Launch, ...], files: Callable[[], Iterable[str]]) -> None:
        self.program = program
        self.path = path
        self.launches = launches
        self.sources = Sources(program, path, launches, files)
        self._asked: dict[Term, Declared | None] = {}
        #: What is asked for with something that holds unless it is there: ``config.get("clip", 0.0)``.
        self._got: dict[str, Declared] = {}

    # -- as options ---------------------------------------------------------------------------------------------------

    @cached_property
    def options(self) -> dict[str, Declared]:
        """The values by the names that lead to them, ``train.clip``, as options: what is laid over others says no default."""
        every = dict(self.sources.base)
        for held in chain(
            self.sources.choices.values(), self.sources.alike, (of_launch(self.program, each) for each in self.launches)
        ):
            for keys, each in held.items():
                every.setdefault(keys, each._replace(value=None))
        for keys in every:
            if keys not in self.sources.base and self.sources.choices:
                said = {repr(held[keys].value) if keys in held else "" for held in self.sources.choices.values()}
                if len(said) == 1:
                    every[keys] = next(iter(self.sources.choices.values()))[keys]
        equals = not any(True for _ in self.sources.sites(*_PAIRS))
        return {
            ".".join(keys): Declared(
                ".".join(keys), (self._written(keys),), each.module, each.spot, each.value, equals=equals or self._is_chosen(keys)
            )
            for keys, each in every.items()
            if keys
        }

    def _is_chosen(self, keys: Keys) -> bool:
        """Whether a value is one of the files of which the command line names one."""
        return self.sources.option is not None and any(keys in held for held in self.sources.choices.values())

    def _written(self, keys: Keys) -> str:
        name = ".".join(keys)
        if self.sources.option is not None and self._is_chosen(keys):
            return f"--{self.sources.option[0]}.{name}"
        return f"--{name.replace('_', '-') if len(keys) == 1 else name}" if keys in self.sources.flags else name

    def is_said(self, name: str) -> bool:
        """Whether a command line may say a value: values of files that are only read, it may not."""
        keys = tuple(name.split("."))
        return (
            keys in self.sources.flags or self._is_chosen(keys) or any(True for _ in self.sources.sites(*_PAIRS, *_WITH_EQUALS))
        )

    @cached_property
    def _by_last(self) -> dict[str, list[Keys]]:
        found: dict[str, list[Keys]] = {}
        for name in self.options:
            keys = tuple(name.split("."))
            found.setdefault(keys[-1], []).append(keys)
        return found

    def named(self, name: str) -> Declared | None:
        """The option of a name."""
        return self.options.get(name) or self._got.get(name)

    def of(self, term: Term) -> Declared | None:
        """The value that a term is, as an option."""
        if term not in self._asked:
            found = self._of(term)
            is_changed = found is not None and found.name in self._changed
            self._asked[term] = found._replace(default=None) if found is not None and is_changed else found
        return self._asked[term]

    @cached_property
    def _changed(self) -> frozenset[str]:
        """The values that the job's own code sets to something else: ``cfg.local_batch = cfg.batch // world``."""
        found: set[str] = set()
        for _, function in functions_of(self.program, self.sources.files):
            for target, value in _set(function):
                keys, root = keys_of(target)
                option = self._of(target) if keys and isinstance(root, (Param, Global, Ref, Self)) else None
                if option is not None and (not isinstance(value, Const) or option.default != (value.value,)):
                    found.add(option.name)
        return frozenset(found)

    def is_left_out(self, term: Term) -> bool:
        """Whether a term asks a configuration that is not there for something, with nothing in its place."""
        option = self.of(term)
        if option is None or option.name not in self._got:
            return False
        keys = tuple(option.name.split("."))
        return len(keys) == 1 or not self.sources.is_composed(keys[:-1])

    def _of(self, term: Term) -> Declared | None:
        default: tuple[object] | None = None
        if is_get(term):
            fallback = term.args[1] if len(term.args) > 1 else None
            default = (None,) if fallback is None else (fallback.value,) if isinstance(fallback, Const) else None
        elif isinstance(term, Call):
            return None
        keys, root = keys_of(term)
        names = (*_root(root), *keys)
        if not keys or isinstance(root, Unknown) or (isinstance(root, Ref) and len(names) <= len(keys)):
            return None
        found = self._fitting(names, keys)
        if found is None and isinstance(term, Call) and is_called_so(names[:-1]):
            dotted = ".".join(keys)
            found = Declared(dotted, (f"`{keys[-1]}`",), self.path, term.site, default)
            found = self._got.setdefault(dotted, found)
        return found

    def _fitting(self, names: Keys, keys: Keys) -> Declared | None:
        ways = self._by_last.get(keys[-1])
        if ways is None:
            return None
        for count in range(len(names), 0, -1):
            tail = names[-count:]
            if tail in ways and (count > 1 or is_called_so(names[-2:-1])):
                return self.options[".".join(tail)]
        for count in range(len(names), 0, -1):
            tail = names[-count:]
            longer = [way for way in ways if way[-count:] == tail]
            if longer and (count > 1 or is_called_so(names[-2:-1])):
                found = [self.options[".".join(way)] for way in longer]
                return found[0] if all(each.default == found[0].default for each in found) else None
        return None

    # -- what is said of them -----------------------------------------------------------------------------------------

    def said(self, launch: Launch | None) -> list[dict[str, tuple[object] | None]]:
        """What a line says of the values: by files that it names, by its own words; several, where one of several holds."""
        named = {} if launch is None else of_launch(self.program, launch)
        found: list[dict[str, tuple[object] | None]] = []
        for held in self.sources.chosen(launch):
            for more in [named] if named or launch is None else self.sources.alike or [named]:
                said = {".".join(keys): each.value for keys, each in chain(held.items(), more.items())}
                if launch is not None:
                    said.update(self.told(launch))
                said.update(dict.fromkeys(self._changed.intersection(said)))
                if said not in found:
                    found.append(said)
        return found

    def told(self, launch: Launch) -> dict[str, tuple[object] | None]:
        """What a line says by its own words: ``--config.train.clip=1``, ``train.clip=1``, ``train.clip 1``."""
        words = [word.start if word.text is None else word.text for word in launch.arguments]
        found: dict[str, tuple[object] | None] = {}
        for number, word in enumerate(words):
            name, equals, value = word.lstrip("+-").partition("=")
            if word.startswith("--") and (name.replace("-", "_"),) in self.sources.flags:
                name = name.replace("-", "_")
            option = self.options.get(name) or (
                self.options.get(name.partition(".")[2]) if self.sources.option is not None else None
            )
            if option is None or (word.startswith("-") and "." not in name and (name,) not in self.sources.flags):
                continue
            if equals:
                found[option.name] = None if launch.arguments[number].text is None else as_it_looks(value)
            elif number + 1 < len(words):
                after = launch.arguments[number + 1].text
                found[option.name] = None if after is None else as_it_looks(after)
        return found


def agreed(every: Iterable[Mapping[str, tuple[object] | None]]) -> dict[str, tuple[object] | None]:
    """What several lines say alike; what they say differently, or only some of them say, is not known."""
    lines = list(every)
    names = {name for said in lines for name in said}
    found: dict[str, tuple[object] | None] = {}
    for name in names:
        first = lines[0].get(name)
        found[name] = first if all(name in said and said[name] == first for said in lines) else None
    return found


def _set(function: Function) -> Iterator[tuple[Term, Term]]:
    yield from ((node.target, node.value) for node in of_kind(function, Store))
    yield from ((node.target, node.value) for node in of_kind(function, Keep))


def _root(term: Term) -> Keys:
    """What the object is called that values are taken from; nothing for one of which that says nothing."""
    if (
        isinstance(term, Subscript)
        and isinstance(term.base, Call)
        and isinstance(term.key, Const)
        and isinstance(term.key.value, int)
    ):
        term = term.base  # one of several that a call returns: ``model_args, train_args = parse_args()``
    if isinstance(term, (Param, Global, Ref, Call)):
        name = last_name(term)
        return () if name is None else (name,)
    return ()
