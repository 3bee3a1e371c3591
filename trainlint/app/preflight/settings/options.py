"""The options of a job: those it needs and offers, their defaults, what launch lines say of them, switches at the top of files.

What a command has to say: arguments without hyphens, options that are required, in the files whose parsers the job
runs.

The options that a job's command line offers: how they are declared and written, which of them launch lines say.

The options of a job's command line: what they are when nobody says anything, and what its launch lines say of them.

Constants at the top of a file by which people turn a part of it on: ``wandb_log = False``.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain

from trainlint.app.preflight.settings.argument_parsers import Declared, arguments, declared, lent
from trainlint.app.preflight.settings.configurations import Configurations, agreed
from trainlint.app.preflight.settings.environment import Environment, asked
from trainlint.app.preflight.settings.launch_lines import is_open, said_by, trains
from trainlint.app.preflight.values.constants import leaves_of, made, made_from, worked_out
from trainlint.app.preflight.values.origins import Filled, Origin, Origins, got
from trainlint.app.preflight.values.words import OFF, handed, known, named_items, split, words_of
from trainlint.domains.training_scripts import unread
from trainlint.finding import Spot
from trainlint.ir.nodes import (
    Access,
    And,
    Attr,
    BinOp,
    BoolOp,
    Call,
    Compare,
    Const,
    Element,
    Global,
    ItemDisplay,
    LoopPhi,
    Not,
    Or,
    Param,
    Ref,
    Select,
    Self,
    Subscript,
    Term,
)
from trainlint.ir.operators import compare, connected
from trainlint.ir.sketch import Function, If
from trainlint.ir.terms import chain_of, is_none, is_text, parts_of
from trainlint.jobs.launch_lines import Launch
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.contexts import calling_contexts
from trainlint.program.environment import declarations
from trainlint.program.library_uses import ends_the_run
from trainlint.program.memo import Memo
from trainlint.program.program import Program, calls_of
from trainlint.program.values import Argument, Context, LibraryObject

_TOP = "<module>"
#: What makes parsers of their own for subcommands: which of these is meant, the command says.
_SUBCOMMANDS = ("add_subparsers", "add_parser")
#: What reads a command line.
_PARSES = frozenset(("parse", "parser", "namespace", "args", "arguments", "argv"))
#: What is called a file that holds a configuration.
_FILES = frozenset(("config", "configs", "cfg", "conf", "file", "path", "filename", "settings", "yaml", "yml", "json", "hparams"))


def bare(program: Program, path: str, running: Container[int]) -> Iterator[str]:
    """The arguments without hyphens of a script, and those that functions of other files declare for it.

    ``running`` are the functions (by id) that the job runs: what the top level of another file declares may be a script's own.
    """
    for site, name in arguments(program):
        if site.module == path or _is_run(site, running):
            yield name


def is_needed(program: Program, path: str, option: Declared, running: Container[int]) -> bool:
    """Whether an option that is required is one of the script, or of a parser that a function of another file makes for it."""
    if not option.is_required or option.module == path:
        return option.is_required
    others = (each for name in known(program, "declares-options") for each in program.ask(CallGraph).sites.get(name, ()))
    sites = (*declarations(program), *others)
    return any(site.call.term.site == option.spot for site in sites if site.module == option.module and _is_run(site, running))


def _is_run(site: CallSite, running: Container[int]) -> bool:
    function: Function = site.function
    if function.name == _TOP or id(function) not in running:
        return False
    return not any(last_name(call.term.callee) in _SUBCOMMANDS for call in calls_of(function))


def is_of_file(origins: Origins, term: Term, module: str) -> bool:
    """Whether an attribute is one of what a file holds: ``cfg.depth`` of ``cfg = Config.fromfile(args.config)``.

    An option of the same name may be laid over it; without that the file says what it is.
    """
    if not isinstance(term, Attr):
        return False
    base = term.base
    found: list[Term] = [base] if isinstance(base, Call) else []
    frame = origins.at(module)
    more = (*origins.of_several(base, frame), *(origins.returned(base, frame) if isinstance(base, Call) else ()))
    return any(_reads_file(each) for each in (*found, *(each.value for each in more if each.value)))


def _reads_file(value: Term) -> bool:
    """Whether a call makes something of a file that it is handed, and is none that reads a command line."""
    if not isinstance(value, Call) or not _PARSES.isdisjoint(split(last_name(value.callee) or "")):
        return False
    return any(
        not _FILES.isdisjoint(split(str(part.value if isinstance(part, Const) else part.name)))
        for each in handed(value)
        for part in parts_of(each)
        if isinstance(part, (Attr, Param)) or (isinstance(part, Const) and isinstance(part.value, str))
    )


#: How many configurations launch lines name at most that are looked at one by one.
_LINES = 40
#: Words of constants that ask for logging.
_LOGS = frozenset(("log", "logs", "logging", "wandb", "tensorboard", "tb", "comet", "mlflow", "verbose", "neptune", "swanlab"))
#: What options are, when they are said; None for one of which that is not known.
Said = Mapping[str, "tuple[object] | None"]


def _unread(program: Program) -> frozenset[tuple[str, Spot]]:
    """Where options are declared that nothing reads."""
    return frozenset((each.module, each.declared.term.site) for each in unread(program))


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

    def is_read(self, option: Declared) -> bool:
        """Whether anything may read an option: of one that a call declares the program may be seen to read only others."""
        return (option.module, option.spot) not in self.program.ask(_unread)

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
        """What each launch line of a training says of options; one without anything, if there is no such line."""
        found: list[Said] = []
        lines = [each for each in self.launches if trains(each)]
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


_NOTHING: Said = {}


class Options(Offered):
    """Those of a job, and what its terms come to with them."""

    def __init__(self, program: Program, path: str, launches: Iterable[Launch]) -> None:
        super().__init__(program, path, launches)
        self._answered: dict[Term, tuple[tuple[object] | None, ...]] = {}
        self._known = Memo[tuple[object] | None](None)
        self._found_names = Memo[str | None](None)
        self._of_some: dict[frozenset[str], list[Said]] = {}
        self.origins = Origins(program, self._own)
        self._filled = Filled(self.origins)
        self.environment = Environment(program, self.launches, self._own)
        #: The functions (by id) that run, each with the option that it needs, once somebody has found out.
        self._running: Mapping[int, str | None] | None = None
        self._is_spoken_of: Callable[[str, Function], bool] = lambda *_: True

    @property
    def required(self) -> tuple[str, ...]:
        """What a command has to say: ``--data DATA``; arguments without hyphens first."""
        running = self._running or {}
        return (
            *(name.upper() for name in bare(self.program, self.path, running)),
            *(
                self.saying(each.name, each.name.upper())
                for each in self.declared.values()
                if is_needed(self.program, self.path, each, running) or each.name in self._needed
            ),
        )

    @cached_property
    def _needed(self) -> frozenset[str]:
        """The options without which the script ends at once: ``assert args.data``."""
        found = set()
        for function in self.program.modules[self.path].functions.values():
            for node in function.body:
                if not isinstance(node, If) or not (ends_the_run(node.body) or ends_the_run(node.orelse)):
                    continue
                parts = [part for part in parts_of(node.condition) if not is_of_file(self.origins, part, self.path)]
                named = {each.name for part in parts if (each := self._of(part)) is not None}
                said = self._value(node.condition, self.origins.at(self.path), _NOTHING)
                if len(named) == 1 and said is not None and ends_the_run(node.body if said[0] else node.orelse):
                    found.update(named)
        return frozenset(found)

    # -- what is said of them ----------------------------------------------------------------------------------------

    def is_worked_out(self, term: Term) -> bool:
        """Whether a term is an option whose default is worked out: from the number of processors, mostly."""
        known = self._of(term)
        return known is not None and known.is_worked_out

    def name(self, term: Term, module: str) -> str | None:
        """The option that a term is, or is made from in a way that is off with it."""
        return self._name(term, self.origins.at(module))

    def _name(self, term: Term, frame: Context) -> str | None:
        return self._found_names.ask((term, frame), lambda: self._name_of(term, frame))

    def _name_of(self, term: Term, frame: Context) -> str | None:
        if self._is_device_as_text(term, frame):
            return None
        known = self._option(term, frame)
        if known is not None:
            return known.name
        variable = self._variable(term, frame, _NOTHING)
        if variable is not None:
            self._variables.add(variable)
            return variable
        origins = self._origins(term, frame)
        if origins:
            found = [name for each in origins for name in self._names(each, called=isinstance(term, Call))]
            if not found and isinstance(term, Attr) and self.origins.is_of_configuration(term.base, term.name):
                self._attributes.add(term.name)
                return term.name
            if found or not isinstance(term, Call):
                return next(iter(found), None)
        inner: tuple[Term, ...] = ()
        if isinstance(term, Not):
            inner = (term.operand,)
        elif isinstance(term, Compare):
            inner = (term.left, term.right)
        elif isinstance(term, Call):
            whole = made_from(term)
            inner = term.args[:1] if whole is None else (whole,)
        elif isinstance(term, Select):
            inner = (term.test, term.then, term.other)
        elif isinstance(term, BoolOp):
            inner = term.operands
        return next((name for each in inner if (name := self._name(each, frame)) is not None), None)

    def _option(self, term: Term, frame: Context) -> Declared | None:
        """The option that a term is; a parameter that all callers fill with what they made is none, whatever it is called."""
        known = self._of(term)
        return None if known is not None and isinstance(term, Param) and self._filled.is_made(term, frame.module) else known

    def _names(self, origin: Origin, *, called: bool) -> Iterator[str]:
        """The options that a value is set behind, or made from; ``called``: it is what a call returns that is asked about."""
        behind = None if called or origin.function is None or self._running is None else self._running.get(id(origin.function))
        where = self.origins.where(origin)
        tests = [self._name(test, where) for test, _ in origin.tests]
        made = None if origin.value is None else self._name(origin.value, where)
        yield from (name for name in (behind, *tests, made) if name is not None)

    def _origins(self, term: Term, frame: Context) -> tuple[Origin, ...]:
        """Where a value comes from that is no option itself; nothing where that is not known."""
        if isinstance(term, Param):
            given = frame.given(term)
            if isinstance(given, Argument):
                return (Origin(given.term, given.frame.module, frame=given.frame),)
            return self.origins.passed(term, frame.module)
        if isinstance(term, Attr):
            return self.set_to(term.base, term.name, frame.module)
        if isinstance(term, (Element, Subscript)):
            return self.origins.items(term, frame.module) or self.origins.of_several(term, frame)
        if isinstance(term, Call):
            asked = got(term)
            return self.origins.returned(term, frame) if asked is None else self.set_to(term.args[0], asked, frame.module)
        return ()

    def _variable(self, term: Term, frame: Context, said: Said) -> str | None:
        """The variable of the environment that a term asks for; None for one that somebody may set."""
        question = asked(term)
        name = None if question is None else self._value(question.name, frame, said)
        if name is None or not isinstance(name[0], str) or self.environment.is_set(name[0]):
            return None
        return name[0]

    def set_to(self, base: Term, name: str, module: str) -> tuple[Origin, ...]:
        """What an attribute is set to: one of the object's own; of others only where that is made from an option."""
        found = self.origins.set_to(base, name, module)
        if found and self.origins.is_of_configuration(base, name):
            return found
        if not isinstance(base, Self) and not all(each.value is not None and self._is_made(each) for each in found):
            return ()
        return found

    def _is_made(self, origin: Origin) -> bool:
        """Whether a value is made from options, directly."""
        return origin.value is not None and any(self._of(part) is not None for part in parts_of(origin.value))

    def learn(self, running: Mapping[int, str | None], is_spoken_of: Callable[[str, Function], bool]) -> None:
        """Take up which functions run (by id), each with the option that it needs; of others, which may be run at all."""
        self._running = running
        self._is_spoken_of = is_spoken_of
        self._answered.clear()
        for each in (self._known, self._found_names):
            each.forget()

    def is_never(self, test: Term, arm: bool, module: str) -> bool:
        """Whether an attribute that only ever gets one value keeps a test from leading this way, whatever options say.

        Or a parameter that no call gives: ``if optimizer is not None``, ``if keep_last``.
        """
        plain = test.operand if isinstance(test, Not) else test
        if self.name(test, module) is not None or not any(
            (isinstance(part, Attr) and isinstance(part.base, Self))
            or (isinstance(part, Param) and part is plain)
            or (isinstance(part, Compare) and isinstance(part.left, Param) and is_none(part.right))
            or self._is_device_as_text(part, self.origins.at(module))
            for part in parts_of(test)
        ):
            return False
        return all(said is not None and bool(said[0]) is not arm for said in self._answers(test, module))

    def default(self, term: Term, module: str) -> tuple[object] | None:
        """What a term is with the options that each launch line says, or without any; None when that is not known, or differs."""
        found = self._answers(term, module)
        return found[0] if all(each == found[0] for each in found) else None

    def arm(self, term: Term, module: str) -> Term:
        """The part of a conditional value that holds, as far as tests are known: ``mode if not args.check else "disabled"``."""
        while isinstance(term, Select) and (said := self.default(term.test, module)) is not None:
            term = term.then if said[0] else term.other
        return term

    def is_on(self, term: Term, module: str) -> bool | None:
        """Whether a term switches something on with what each launch line says; None when that is not known, or differs."""
        found = {None if each is None else each[0] not in OFF for each in self._answers(term, module)}
        return found.pop() if len(found) == 1 else None

    def is_off_with_some(self, term: Term, module: str) -> bool:
        """Whether a term switches nothing on with some of the launch lines."""
        return any(each is not None and each[0] in OFF for each in self._answers(term, module))

    def _answers(self, term: Term, module: str) -> tuple[tuple[object] | None, ...]:
        known = self._answered.get(term)
        if known is None:
            parts, frame = tuple(parts_of(term)), self.origins.at(module)
            named = {each.name for part in parts if (each := self._of(part)) is not None and each.name in self._given}
            if any(self._of(part) is None and self._origins(part, frame) for part in parts):
                named = set(self._given)
            known = self._answered[term] = tuple(self._value(term, frame, said) for said in self._saying(frozenset(named)))
        return known

    def _saying(self, named: frozenset[str]) -> list[Said]:
        """What the launch lines say of some options, each once: there may be hundreds of lines, and as many options."""
        known = self._of_some.get(named)
        if known is None:
            known = self._of_some[named] = []
            for said in self._said:
                some = {name: said[name] for name in said.keys() & named}
                if some not in known:
                    known.append(some)
        return known

    def _value(self, term: Term, frame: Context, said: Said) -> tuple[object] | None:
        if isinstance(term, Const):
            return (term.value,)
        return self._known.ask((term, frame, id(said)), lambda: self._worth(term, frame, said))

    def _worth(self, term: Term, frame: Context, said: Said) -> tuple[object] | None:
        option = self._option(term, frame) if isinstance(term, (Access, Param, Call, Ref)) else None
        if option is not None:
            return said[option.name] if option.name in said else self._set.get(option.name, option.default)
        # made by a name mostly: not seen to run
        if isinstance(term, Attr) and self.origins.is_of_configuration(term.base, term.name):
            values = [self._value(each.value, frame, said) for each in self._origins(term, frame) if each.value is not None]
            return values[0] if values and all(each == values[0] for each in values) else None
        if isinstance(term, (Param, Access, Element)):
            return self._one_of(term, frame, said)
        if isinstance(term, (Not, BoolOp)):
            worth = {each: self._value(each, frame, said) for each in term.subterms()}
            found = connected(term, lambda part: None if (one := worth[part]) is None else bool(one[0]))
            return None if found is None else (found,)
        if isinstance(term, Select):
            condition = self._value(term.test, frame, said)
            return None if condition is None else self._value(term.then if condition[0] else term.other, frame, said)
        if isinstance(term, (Call, Compare)) and (question := asked(term)) is not None:
            if self._variable(term, frame, said) is None:
                return None
            if question.whether:
                return (isinstance(term, Compare) and term.op == "NotIn",)
            return (None,) if question.instead is None else self._value(question.instead, frame, said)
        if isinstance(term, Call) and (whole := made_from(term)) is not None:
            return made(term, self._value(whole, frame, said))
        if isinstance(term, Call) and len(term.args) == 2 and last_name(term.callee) in ("isinstance", "hasattr"):  # noqa: PLR2004
            return (False,) if self._value(term.args[0], frame, said) == (None,) else None
        if isinstance(term, Call):
            return self._one_of(term, frame, said)
        if isinstance(term, Compare):
            return self._compared(term, frame, said)
        return (
            worked_out(term.op, self._value(term.left, frame, said), self._value(term.right, frame, said))
            if isinstance(term, BinOp)
            else None
        )

    def _one_of(self, term: Term, frame: Context, said: Said) -> tuple[object] | None:
        """What all calls pass for a parameter, or all that sets an attribute; what leads back to itself is not known."""
        origins = self._origins(term, frame)
        if not origins:
            return None
        kept = [each for each in origins if not self._is_idle(each, said, called=isinstance(term, Call))]
        if isinstance(term, Attr) and any(not self._is_running(each) for each in kept):
            kept = []
        values = [None if each.value is None else self._value(each.value, self.origins.where(each), said) for each in kept]
        return values[0] if values and all(each == values[0] for each in values) else None

    def _is_idle(self, origin: Origin, said: Said, *, called: bool = False) -> bool:
        """Whether nothing comes from there with what is said: it stands behind an option that is off, or a test.

        ``called``: it is what a call returns that is asked about, and behind what else the function runs decides nothing.
        """
        function, running = (None, None) if called else (origin.function, self._running)
        if running is not None and function is not None and id(function) not in running:
            if not self._is_spoken_of(origin.module, function):
                return True
        elif running is not None and running.get(id(function)) is not None:
            return True
        found = [(self._value(test, self.origins.where(origin), said), arm) for test, arm in origin.tests]
        return any(value is not None and bool(value[0]) is not arm for value, arm in found)

    def _is_running(self, origin: Origin) -> bool:
        """Whether what sets an attribute is seen to run; before anybody has found out, all of it may."""
        return self._running is None or origin.function is None or id(origin.function) in self._running

    def _compared(self, term: Compare, frame: Context, said: Said) -> tuple[object] | None:
        if self._is_device_as_text(term, frame):
            return (term.op == "NotEq",)
        left = self._value(term.left, frame, said)
        if left is None or (left == (None,) and self.configurations.is_left_out(term.left)):
            return None  # what has to be there is chosen among several, and something ends the job where it is not
        if term.op in ("In", "NotIn") and isinstance(term.right, ItemDisplay) and type(term.right.items) is tuple:
            items = [self._value(each, frame, said) for each in term.right.items]
            return None if None in items else ((left in items) is (term.op == "In"),)
        right = self._value(term.right, frame, said)
        if right is not None and term.op in ("In", "NotIn") and isinstance(left[0], str) and isinstance(right[0], str):
            return ((left[0] in right[0]) is (term.op == "In"),)
        found = None if right is None else compare(term.op, left[0], right[0])
        return None if found is None else (found,)

    def _is_device_as_text(self, test: Term, frame: Context) -> bool:
        """Whether a device of PyTorch is compared with a text, which it is not, whatever it is called: ``device == "cuda"``."""
        if not isinstance(test, Compare) or test.op not in ("Eq", "NotEq"):
            return False
        return any(is_text(text) and self._is_device(other, frame) for text, other in (test.sides, test.sides[::-1]))

    def _is_device(self, term: Term, frame: Context) -> bool:
        """Whether a value is a ``torch.device``, in each activation in which it is asked about."""
        own = self.program.modules[frame.module].functions.get(term.function) if isinstance(term, Param) else None
        frames = [frame] if own is None or own is frame.function else calling_contexts(self.program, frame.module, own)
        values = [value for each in frames for value in self.program.values(term, each)]
        return bool(values) and all(isinstance(each, LibraryObject) and each.name == "torch.device" for each in values)

    def in_other_rounds(self, test: Term, module: str) -> str | None:
        """The option without which a test holds in the last round alone: ``step == steps or (args.every > 0 and …)``."""
        if not isinstance(test, Or):
            return None
        others = [each for each in test.operands if not _is_last(each)]
        off = all(said is not None and not said[0] for each in others for said in self._answers(each, module))
        if not off or not others or len(others) == len(test.operands):
            return None
        return self._deciding(others[0], module)

    def _deciding(self, test: Term, module: str) -> str | None:
        """The option that alone keeps a test from holding: of several that are joined, the one whose part does not."""
        if isinstance(test, And):
            parts = [
                each for each in test.operands if all(said is not None and not said[0] for said in self._answers(each, module))
            ]
            return next((name for each in parts if (name := self.name(each, module)) is not None), None)
        return self.name(test, module)

    def off(self, test: Term, arm: bool, module: str) -> str | None:
        """The option without which a test does not lead this way; None where it does, or nobody knows.

        With launch lines: where it leads another way unless something is said, each of them has to say it, else one.
        """
        leads = [said is None or bool(said[0]) is arm for said in self._answers(test, module)]
        unsaid = self._value(test, self.origins.at(module), _NOTHING)
        if all(leads) or (any(leads) and (unsaid is None or bool(unsaid[0]) is arm)):
            return None
        name = self.name(test, module)
        return None if name in self._needed else name


def _is_last(test: Term) -> bool:
    """Whether a test asks whether this is a certain round of a loop, and not one of many: ``step == steps - 1``."""
    return bool(
        isinstance(test, Compare)
        and test.op in ("Eq", "GtE")
        and any(isinstance(each, (LoopPhi, Element)) for each in parts_of(test.left))
        and not any(isinstance(each, BinOp) and each.op == "Mod" for each in parts_of(test.left))
        and not isinstance(test.right, Const)
    )


def words_asked(program: Program, options: Options, test: Term, path: str) -> Iterator[str]:
    """The words of a test, and of what the attributes that it asks are always set to: ``self.saves = rank == 0``."""
    yield from words_of(program, test)
    yield from named_items(program.modules[path], test)
    for each in leaves_of(test):
        origins = options.set_to(each.base, each.name, path) if isinstance(each, Attr) else ()
        found = [
            frozenset(words_of(program, origin.value))
            for origin in origins
            if origin.value is not None and not isinstance(origin.value, Const)
        ]
        yield from frozenset.intersection(*found) if found else ()


def switch(program: Program, options: Options, path: str, tested: tuple[Term, bool], call: Call) -> str | None:
    """The constant at the top of a file without which a test does not lead to a call.

    Tests at the top level hold the constant's value, and not its name: there it is one that speaks of what is called.
    """
    test, arm = tested
    leaves = [test] if not isinstance(test, And) else list(test.operands)
    if not arm:
        return None
    for each in leaves:
        if isinstance(each, Global) and each.name in options.switches(path):
            return each.name
    if not any(isinstance(each, Const) and each.value is False for each in leaves):
        return None
    said = frozenset(words_of(program, call.callee))
    return next((name for name in options.switches(path) if not said.isdisjoint(split(name))), None)
