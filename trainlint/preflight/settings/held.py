"""What the configurations of a job hold when nobody says anything, and what its launch lines say of them.

They are made in Python (nodes of yacs, ConfigDict), lie beside it (YAML, JSON), or are both: files that are laid over defaults.
Of several files of which a command line has to name one, all that may be named say what a value may be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain

from trainlint.facts.call_graph import last_name
from trainlint.facts.launching.launches import Launch
from trainlint.facts.program import Program
from trainlint.ir.nodes import Call, Const, Global, Param, Ref, Self, Subscript, Term, Unknown
from trainlint.ir.sketch import Function, Keep, Store
from trainlint.ir.walk import of_kind
from trainlint.preflight.settings.declared import Declared
from trainlint.preflight.settings.nodes import Keys, is_get, keys_of
from trainlint.preflight.settings.said import as_it_looks
from trainlint.preflight.settings.sources import Sources, is_called_so, of_launch

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
        for path in self.sources.files:
            for function in self.program.modules[path].functions.values():
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
