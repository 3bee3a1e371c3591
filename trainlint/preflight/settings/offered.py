"""The options that a job's command line offers: how they are declared and written, which of them launch lines say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from itertools import chain

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.launching.launches import Launch
from trainlint.facts.program import Program
from trainlint.ir.names import chain_of
from trainlint.ir.nodes import Access, Attr, Call, Const, Global, Param, Ref, Term
from trainlint.preflight.settings.declared import Declared, declared
from trainlint.preflight.settings.held import Configurations, agreed
from trainlint.preflight.settings.lent import lent
from trainlint.preflight.settings.said import is_open, said_by, trains
from trainlint.preflight.values.origins import got
from trainlint.preflight.values.words import split

#: How many configurations launch lines name at most that are looked at one by one.
_LINES = 40
#: Words of constants that ask for logging.
_LOGS = frozenset(("log", "logs", "logging", "wandb", "tensorboard", "tb", "comet", "mlflow", "verbose", "neptune", "swanlab"))
#: What options are, when they are said; None for one of which that is not known.
Said = Mapping[str, "tuple[object] | None"]


class Offered:
    """Those of a job: of its own files; of others that belong together with them where these have none.

    ``files`` says which files are the job's own, once somebody has found out.
    """

    def __init__(self, program: Program, path: str, launches: Iterable[Launch]) -> None:
        self.program = program
        self.path = path
        self.launches = tuple(launches)
        self.files: Callable[[], frozenset[str]] = frozenset
        self.configurations = Configurations(program, path, self.launches, self._own)
        #: What the job asks of configurations that make its objects, by the terms that ask.
        self.fields: Callable[[], Mapping[Term, Declared]] = dict
        self._switches: set[str] = set()
        #: The variables of the environment that were asked about.
        self._variables: set[str] = set()
        #: The attributes of the project's own configurations that were asked about.
        self._attributes: set[str] = set()

    def _own(self) -> frozenset[str]:
        return self.files()

    def _is_own(self, module: str) -> bool:
        return module in self.files()

    @cached_property
    def declared(self) -> dict[str, Declared]:
        """The options by the name that the code has them by."""
        all_of_them = [
            each for each in chain(declared(self.program), lent(self.program)) if self.program.together(each.module, self.path)
        ]
        own = [each for each in all_of_them if self._is_own(each.module)]
        found: dict[str, Declared] = {}
        for each in sorted(own or all_of_them, key=lambda each: each.module != self.path):
            known = found.setdefault(each.name, each)
            if known.flags != each.flags and (known.default, known.is_required) != (each.default, each.is_required):
                found[each.name] = known._replace(default=None, is_required=False)  # fields of two classes with one name
        return found

    @cached_property
    def _set(self) -> dict[str, tuple[object]]:
        """What ``set_defaults`` says of options."""
        return {
            keyword: (value.value,)
            for site in self.program.ask(CallGraph).sites.get("set_defaults", ())
            if self._is_own(site.module)
            for keyword, value in site.call.term.kwargs
            if keyword is not None and isinstance(value, Const)
        }

    # -- how they are written ----------------------------------------------------------------------------------------

    def _named(self, name: str) -> Declared | None:
        """The option of a name, of a parser or of a configuration."""
        return self.declared.get(name) or self._by_way.get(name) or self.configurations.named(name)

    @cached_property
    def _fields(self) -> Mapping[Term, Declared]:
        return self.fields()

    @cached_property
    def _by_way(self) -> dict[str, Declared]:
        return {each.name: each for each in self._fields.values()}

    def written(self, name: str) -> str:
        """An option as a command line spells it: ``--total-steps``."""
        known = self._named(name)
        if known is None and name in self._variables:
            return f"`{name}` in the environment"
        if known is None and name in self._attributes:
            return f"a value for `{name}`"
        if known is None and name in self._switches:
            return f"`{name} = True`"
        return f"--{name}" if known is None else known.flags[0]

    def switches(self, path: str) -> tuple[str, ...]:
        """The constants at the top of a file that are off and ask for logging, and that no launch line speaks of."""
        found = tuple(
            name
            for name, value in self.program.modules[path].names.items()
            if isinstance(value, Const) and value.value is False and not _LOGS.isdisjoint(split(name))
            if name not in self.program.modules[path].rebound
            if not any(f"--{name}" in (word.text or word.start) for launch in self.launches for word in launch.arguments)
        )
        self._switches.update(found)
        return found

    def saying(self, name: str, value: object) -> str:
        """How a command line says a value of an option."""
        known = self._named(name)
        between = "=" if known is not None and known.equals else " "
        return f"{self.written(name)}{'' if known is not None and known.takes in ('on', 'off') else f'{between}{value}'}"

    # -- what is said of them ----------------------------------------------------------------------------------------

    def is_given(self, name: str) -> bool:
        """Whether a launch line of the job says the option; what only a file says that it names, is not said by it."""
        if self.configurations.named(name) is not None and name not in self.declared:
            return any(name in self.configurations.told(launch) for launch in self.launches)
        return name in self._given

    def is_held(self, name: str) -> bool:
        """Whether an option is a value of a configuration."""
        return name not in self.declared and self.configurations.named(name) is not None

    @cached_property
    def _said(self) -> tuple[Said, ...]:
        """What each launch line says of options; one without anything, if there is no line."""
        found: list[Said] = []
        lines = [each for each in self.launches if trains(each)] or self.launches
        lines = [each for each in lines if not is_open(each)] or lines
        lines = [each for each in lines if not self.configurations.sources.is_of_others(each)] or lines
        held = [self.configurations.said(launch) for launch in lines]
        if (
            sum(map(len, held)) > _LINES and len({repr(sorted(each.items())) for some in held for each in some}) > _LINES
        ):  # so many configurations are one that holds what all of them say
            held = [[said] for said in [agreed(each for some in held for each in some)] for _ in lines]
        for launch, some in zip(lines, held, strict=True):
            options = {**self._by_way, **self.declared}
            own = {name: value for name, each in options.items() for value in said_by(each, launch)}
            for said in ({**own, **each} for each in some):
                if said not in found:
                    found.append(said)
        return tuple(found) or tuple(self.configurations.said(None))

    @cached_property
    def _given(self) -> frozenset[str]:
        return frozenset(name for said in self._said for name in said)

    def _dotted(self, term: Term) -> Declared | None:
        """The option of a parser that has dots in its name, and is read as it is written: ``args.data.workers``."""
        names = chain_of(term) if isinstance(term, Attr) and isinstance(term.base, Attr) else ()
        found = (self.declared.get(".".join(names[start:])) for start in range(len(names) - 1))
        return next((each for each in found if each is not None), None)

    def _of(self, term: Term) -> Declared | None:
        """The option that a term is: one of a parser, or a value of a configuration, which several names lead to."""
        if isinstance(term, Attr) and term in self._fields:
            return self._fields[term]
        dotted = self._dotted(term)
        if dotted is not None:
            return dotted
        held = self.configurations.of(term) if isinstance(term, (Access, Call)) else None
        if isinstance(term, Call):
            asked = got(term)
            return held if asked is None else self.declared.get(asked)
        if isinstance(term, Ref):  # of absl: ``flags.FLAGS.seed``
            before, _, name = term.name.rpartition(".")
            return self.declared.get(name) if before.rpartition(".")[2] == "FLAGS" else None
        if not isinstance(term, (Attr, Param, Global)) or (held is not None and "." in held.name):
            return held
        known = self.declared.get(term.name)
        if known is not None and known.owner is not None and (not isinstance(term, Param) or term.function != known.owner):
            return held
        return known or held
