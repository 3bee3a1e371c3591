"""What the configurations of a job hold when nobody says anything, and what its launch lines say of them.

They are made in Python (nodes of yacs, ConfigDict), lie beside it (YAML, JSON), or are both: files that are laid over defaults.
Of several files of which a command line has to name one, all that may be named say what a value may be.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain

from trainlint.documents.document import Document
from trainlint.documents.kinds import kind_of
from trainlint.facts.calls import CallSite, calls, last_name
from trainlint.facts.launching.launches import Launch
from trainlint.facts.launching.references import named_documents
from trainlint.facts.program import Program
from trainlint.facts.values import Library
from trainlint.model.terms import Term
from trainlint.preflight.beside import composed, found_from, held_in
from trainlint.preflight.declared import BY_KEYWORDS, Declared
from trainlint.preflight.known import known
from trainlint.preflight.nodes import Held, Keys, is_get, keys_of, nodes
from trainlint.preflight.said import as_it_looks
from trainlint.preflight.words import split

#: What configurations are called, in whole or in part.
_CALLED = frozenset(
    (
        *("config", "configs", "cfg", "cfgs", "conf", "configuration", "hparams", "hps", "hp", "args", "opt", "opts", "options"),
        *("flags", "params", "settings", "c", "hydra"),
    )
)
#: Calls that are handed the name of a file that is read.
_READS = frozenset(("open", "load", "merge_from_file", "read", "from_file", "fromfile", "Path", "load_config", "read_config"))
#: Values that differ, of one value, are this many at most; configurations beyond them are not looked at.
_MOST = 200
#: Calls that take up values of a command line: ``train.clip 1``, ``train.clip=1``.
_PAIRS, _WITH_EQUALS = ("merge_from_list",), ("from_cli", "from_dotlist")
_AT_TOP = "<module>"


class Configurations:
    """Those of a job; ``files`` gives the files that it consists of."""

    def __init__(self, program: Program, path: str, launches: tuple[Launch, ...], files: Callable[[], Iterable[str]]) -> None:
        self.program = program
        self.path = path
        self.launches = launches
        self.files = files
        self._asked: dict[Term, Declared | None] = {}
        #: What is asked for with something that holds unless it is there: ``config.get("clip", 0.0)``.
        self._got: dict[str, Declared] = {}

    # -- what there is -----------------------------------------------------------------------------------------------

    @cached_property
    def _files(self) -> frozenset[str]:
        return frozenset(self.files())

    def _sites(self, *names: str) -> Iterator[CallSite]:
        index = calls(self.program)
        for name in names:
            yield from (site for site in index.sites.get(name, ()) if site.module in self._files)

    @cached_property
    def _base(self) -> dict[Keys, Held]:
        """What holds unless something is laid over it."""
        found: dict[Keys, Held] = {}
        made = nodes(self.program)
        for path in sorted(self._files):
            for each in made.at_top(path):
                _lay(found, each)
            for function in self.program.modules[path].functions.values():
                if function.name != _AT_TOP and function.outer is None:
                    _lay(found, made.returned(path, function) or {})
        found.update(self._flags)
        for document in self._read:
            found.update(held_in(document))
        for path in sorted(self._files):
            for function in self.program.modules[path].functions.values():
                for decorator in function.decorators:
                    if decorator[0] == "call" and last_name(decorator[1]) == "main":
                        found.update(self._composed(path, decorator))
        return found

    @cached_property
    def _flags(self) -> dict[Keys, Held]:
        """The configurations that keywords declare as options: ``define_flags_with_default(optimizer=get_default_config())``."""
        found: dict[Keys, Held] = {}
        for site in self._sites(BY_KEYWORDS):
            for name, value in site.call.term[3]:
                if name is not None and value[0] == "call":
                    inner = nodes(self.program).of(site.module, site.function, value) or {}
                    found.update(((name, *keys), each) for keys, each in inner.items())
        for file, names in self.program.knowledge.tables["preflight.files-of-options"].items():
            if any(self._is_of(site, names) for site in self._sites(*(name.rpartition(".")[2] for name in names))):
                document = found_from(self.program, self.path, file)
                found.update({} if document is None else held_in(document))
        return found

    def _is_of(self, site: CallSite, names: Iterable[str]) -> bool:
        """Whether a call is one of some functions of libraries."""
        frame = self.program.frame(site.module, site.function)
        return any(isinstance(each, Library) and each.name in names for each in self.program.values(site.call.term[1], frame))

    @property
    def _read(self) -> Iterator[Document]:
        """The documents whose names stand where they are read."""
        for site in self._sites(*_READS):
            for given in site.call.term[2][:2]:
                if given[0] == "c" and isinstance(given[2], str) and kind_of(os.path.basename(given[2])) in ("yaml", "json"):  # noqa: PTH119
                    document = found_from(self.program, self.path, given[2]) or found_from(self.program, site.module, given[2])
                    if document is not None:
                        yield document

    def _composed(self, path: str, call: Term) -> dict[Keys, Held]:
        """What Hydra reads: ``@hydra.main(config_path="conf", config_name="config")``."""
        frame = self.program.frame(path, self.program.modules[path].functions[_AT_TOP])
        wanted = known(self.program, "composed-configurations")
        if not any(isinstance(each, Library) and each.name in wanted for each in self.program.values(call[1], frame)):
            return {}
        given = {name: value[2] for name, value in call[3] if value[0] == "c"}
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
    def _flag(self) -> tuple[str, str | None] | None:
        """The option that names a configuration in Python, and the file that it names unless it is said."""
        for site in self._sites("DEFINE_config_file"):
            given = [each[2] for each in site.call.term[2][:2] if each[0] == "c"]
            keywords = {name: value[2] for name, value in site.call.term[3] if value[0] == "c"}
            name = given[0] if given else keywords.get("name")
            default = given[1] if len(given) > 1 else keywords.get("default")
            if isinstance(name, str):
                return name, default if isinstance(default, str) else None
        return None

    @cached_property
    def _choices(self) -> dict[str, dict[Keys, Held]]:
        """What the configurations of the project hold of which the command line names one, by file."""
        found: dict[str, dict[Keys, Held]] = {}
        if self._flag is None:
            return found
        for path in sorted(self.program.modules):
            function = self.program.modules[path].functions.get("get_config")
            held = None if function is None or len(found) >= _MOST else nodes(self.program).returned(path, function)
            if held:
                found[path] = held
        return found

    def _chosen(self, launch: Launch | None) -> list[dict[Keys, Held]]:
        """Those that a line may mean: the one that it names, the one that holds unless another one is named, or any."""
        if self._flag is None or not self._choices:
            return [{}]
        name, default = self._flag
        said = None if launch is None else launch.argument(f"--{name.replace('_', '-')}")
        text = default if said is None else said.text
        for path, held in self._choices.items():
            if text is not None and path.endswith(os.sep + os.path.normpath(text.partition(":")[0])):
                return [held]
        return list(self._choices.values())

    # -- as options ---------------------------------------------------------------------------------------------------

    @cached_property
    def options(self) -> dict[str, Declared]:
        """The values by the names that lead to them, ``train.clip``, as options: what is laid over others says no default."""
        every = dict(self._base)
        for held in chain(self._choices.values(), (_of_launch(self.program, each) for each in self.launches)):
            for keys, each in held.items():
                every.setdefault(keys, each._replace(value=None))
        for keys in every:
            if keys not in self._base and self._choices:
                said = {repr(held[keys].value) if keys in held else "" for held in self._choices.values()}
                if len(said) == 1:
                    every[keys] = next(iter(self._choices.values()))[keys]
        equals = not any(True for _ in self._sites(*_PAIRS))
        return {
            ".".join(keys): Declared(
                ".".join(keys), (self._written(keys),), each.module, each.spot, each.value, equals=equals or self._is_chosen(keys)
            )
            for keys, each in every.items()
            if keys
        }

    def _is_chosen(self, keys: Keys) -> bool:
        """Whether a value is one of the files of which the command line names one."""
        return self._flag is not None and any(keys in held for held in self._choices.values())

    def _written(self, keys: Keys) -> str:
        name = ".".join(keys)
        if self._flag is not None and self._is_chosen(keys):
            return f"--{self._flag[0]}.{name}"
        return f"--{name.replace('_', '-') if len(keys) == 1 else name}" if keys in self._flags else name

    def is_said(self, name: str) -> bool:
        """Whether a command line may say a value: values of files that are only read, it may not."""
        keys = tuple(name.split("."))
        return keys in self._flags or self._is_chosen(keys) or any(True for _ in self._sites(*_PAIRS, *_WITH_EQUALS))

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
            self._asked[term] = self._of(term)
        return self._asked[term]

    def is_left_out(self, term: Term) -> bool:
        """Whether a term asks a configuration that is not there for something, with nothing in its place."""
        option = self.of(term)
        return option is not None and option.name in self._got

    def _of(self, term: Term) -> Declared | None:
        default: tuple[object] | None = None
        if is_get(term):
            fallback = term[2][1] if len(term[2]) > 1 else None
            default = (None,) if fallback is None else (fallback[2],) if fallback[0] == "c" else None
        elif term[0] == "call":
            return None
        keys, root = keys_of(term)
        names = (*_root(root), *keys)
        if not keys or root[0] == "v" or (root[0] == "r" and len(names) <= len(keys)):
            return None
        found = self._fitting(names, keys)
        if found is None and term[0] == "call" and _is_called_so(names[:-1]):
            dotted = ".".join(keys)
            found = Declared(dotted, (f"`{keys[-1]}`",), self.path, term[4], default)
            found = self._got.setdefault(dotted, found)
        return found

    def _fitting(self, names: Keys, keys: Keys) -> Declared | None:
        ways = self._by_last.get(keys[-1])
        if ways is None:
            return None
        for count in range(len(names), 0, -1):
            tail = names[-count:]
            if tail in ways and (count > 1 or _is_called_so(names[-2:-1])):
                return self.options[".".join(tail)]
        for count in range(len(names), 0, -1):
            tail = names[-count:]
            longer = [way for way in ways if way[-count:] == tail]
            if longer and (count > 1 or _is_called_so(names[-2:-1])):
                found = [self.options[".".join(way)] for way in longer]
                return found[0] if all(each.default == found[0].default for each in found) else None
        return None

    # -- what is said of them -----------------------------------------------------------------------------------------

    def said(self, launch: Launch | None) -> list[dict[str, tuple[object] | None]]:
        """What a line says of the values: by files that it names, by its own words; several, where one of several holds."""
        named = {} if launch is None else _of_launch(self.program, launch)
        found: list[dict[str, tuple[object] | None]] = []
        for held in self._chosen(launch):
            said = {".".join(keys): each.value for keys, each in chain(held.items(), named.items())}
            if launch is not None:
                said.update(self.told(launch))
            if said not in found:
                found.append(said)
        return found

    def told(self, launch: Launch) -> dict[str, tuple[object] | None]:
        """What a line says by its own words: ``--config.train.clip=1``, ``train.clip=1``, ``train.clip 1``."""
        words = [word.start if word.text is None else word.text for word in launch.arguments]
        found: dict[str, tuple[object] | None] = {}
        for number, word in enumerate(words):
            name, equals, value = word.lstrip("+-").partition("=")
            if word.startswith("--") and (name.replace("-", "_"),) in self._flags:
                name = name.replace("-", "_")
            option = self.options.get(name) or (self.options.get(name.partition(".")[2]) if self._flag is not None else None)
            if option is None or (word.startswith("-") and "." not in name and (name,) not in self._flags):
                continue
            if equals:
                found[option.name] = None if launch.arguments[number].text is None else as_it_looks(value)
            elif number + 1 < len(words):
                after = launch.arguments[number + 1].text
                found[option.name] = None if after is None else as_it_looks(after)
        return found


def _lay(found: dict[Keys, Held], more: Mapping[Keys, Held]) -> None:
    """Lay one configuration beside others: where two have one name and say different things, nobody knows."""
    for keys, each in more.items():
        old = found.get(keys)
        found[keys] = each if old is None or old.value == each.value else each._replace(value=None)


def _of_launch(program: Program, launch: Launch) -> dict[Keys, Held]:
    """What the files hold that a launch line names."""
    found: dict[Keys, Held] = {}
    for _, document in named_documents(program, launch):
        found.update(held_in(document))
    return found


def _root(term: Term) -> Keys:
    """What the object is called that values are taken from; nothing for one of which that says nothing."""
    if term[0] in ("p", "g", "r", "call"):
        name = last_name(term)
        return () if name is None else (name,)
    return ()


def _is_called_so(names: Keys) -> bool:
    return any(not _CALLED.isdisjoint(split(name)) for name in names)
