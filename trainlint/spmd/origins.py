"""Evaluation of what a value comes from: names, parameters, attributes, items, calls, and small functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trainlint.ir.nodes import (
    Attr,
    Call,
    Const,
    Dict,
    Entered,
    Global,
    Kwargs,
    List,
    Nested,
    Param,
    Ref,
    Select,
    Self,
    Set,
    Term,
    Tuple,
    Unknown,
)
from trainlint.ir.terms import is_none
from trainlint.program.arguments import kwargs_lookup
from trainlint.program.call_graph import CallGraph
from trainlint.program.callables import partial_of, read_by
from trainlint.program.environment import declared
from trainlint.program.heap import fields_of, kept_under
from trainlint.program.indirect_calls import Spawned
from trainlint.program.scopes import is_rebound, yielded
from trainlint.program.values import (
    Argument,
    ClassValue,
    Context,
    FunctionValue,
    Instance,
    Library,
    LibraryObject,
    ModuleValue,
    Unresolved,
    Value,
    names_class,
)
from trainlint.spmd.attribute_stores import Attributes, Settings
from trainlint.spmd.consteval import ANSWER_NOTHING
from trainlint.spmd.heap_state import UNSET
from trainlint.spmd.questions import ANY, DEEPEST
from trainlint.spmd.symbols import UNKNOWN, Choice, Present, Something, Text, Uniform, number

if TYPE_CHECKING:
    from trainlint.spmd.ranks import Evaluator

_CALLERS = 6
_PAIR = 2  # the object and its class: what ``isinstance`` is given
_NONE = Const.new("NoneType", None)
#: Questions of the language about a thing, which changes nothing by being asked.
_ASKS = ("builtins.hasattr", "builtins.callable")


class Origins:
    """The terms that name something, each by the method of its tag."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.program = evaluator.program
        self.heap = evaluator.heap
        self.runs = evaluator.runs
        self.stores = evaluator.stores
        self.consteval = evaluator.consteval
        self.items = evaluator.items

    def of_imported(self, term: Ref, frame: Context) -> Any:
        value = self.program.lookup(frame.module, term.name)
        if isinstance(value, Library):
            word = self.program.knowledge.ranks.get(value.name)
            return self.evaluator.word(word, value.name) if word is not None else Uniform(value.name)
        if isinstance(value, Unresolved):
            set_there = self.stores.set_in_file(term, frame)
            return self.evaluator.value(value.term, value.frame) if set_there is UNSET else set_there
        return Something(value)

    def of_global_name(self, term: Global, frame: Context) -> Any:
        module = self.program.modules[frame.module]
        known = module.names.get(term.name)
        if known is None or term.name in module.rebound:
            named = self._named(term.name, term, frame)
            held = self.stores.name_set(frame.module, term.name, known) if type(named) is Uniform else UNSET
            return named if held is UNSET else held
        if isinstance(known, Global) and known.name == term.name:
            return Something(term)
        result = self.evaluator.value(known, self.program.frame(frame.module, module.functions["<module>"]))
        return self._named(term.name, term, frame) if type(result) is Uniform else result

    def _named(self, name: str, term: Term, frame: Context) -> Any:
        """A value whose origin is out of sight: its name may say by convention what it is."""
        word = self.program.knowledge.conventions.get(name.lower())
        return self.evaluator.word(word, term) if word is not None else Uniform((term, frame))

    def of_parameter(self, term: Param, frame: Context) -> Any:
        self.evaluator.consulted(term.name)
        holder = frame.holder(term.function)
        if holder is None:
            return self._named(term.name, term, frame)
        bound = holder.arguments.get(term.name)
        if isinstance(bound, Argument):
            return self.evaluator.value(bound.term, bound.frame)
        if bound is not None:
            return Something(bound)
        if holder.depth and term.name in holder.function.defaults:
            default = holder.function.defaults[term.name]
            if holder.open and holder.call is not None and is_none(default):
                return Uniform((term, holder))  # ``f(**settings)``: it may be among them; a switch is taken to be as it was left
            return self.evaluator.value(default, self.program.frame(holder.module, holder.function))
        return self._from_callers(term, holder)

    def _from_callers(self, term: Param, holder: Context) -> Any:
        """A parameter of a function on its own: what all its callers agree to pass."""
        index = self.program.ask(CallGraph)
        if term.name in self.program.ask(Spawned).numbers(holder.function):
            return self.evaluator.word("local_rank", term)
        own = Uniform((term, holder))
        sites = index.callers(holder.function)
        agreed: Any = own
        self.evaluator.depth_limited = self.evaluator.depth_limited or self.evaluator.depth >= DEEPEST - 4
        if 0 < len(sites) <= _CALLERS and self.evaluator.depth < DEEPEST - 4:
            answers = []
            for site in sites:
                caller = self.program.frame(site.module, site.function)
                for target in index.targets(site.call.term, caller):
                    if isinstance(target, FunctionValue) and target.function is holder.function:
                        inner = self.program.enter(target, site.call.term, caller)
                        if term.name in inner.arguments or term.name in holder.function.defaults:
                            answers.append(self.evaluator.value(term, inner))
                        break
            if answers and all(answer == answers[0] and type(answer) is type(answers[0]) for answer in answers):
                agreed = answers[0]
        if type(agreed) is Uniform:
            named = self._named(term.name, term, holder)
            return agreed if type(named) is Uniform else named
        return agreed

    def of_function(self, term: Nested, _frame: Context) -> Any:
        return Something(term)

    def of_display(self, term: Tuple | List | Set | Dict, frame: Context) -> Any:
        """A display: never None, and true where it surely has items."""
        if term.items:
            return Something((term, frame))
        held = self.heap.held(term, None, frame)
        return Present((term, frame)) if held is UNSET else held

    def of_attribute(self, term: Attr, frame: Context) -> Any:
        name = term.name
        for base in self.which(term.base, frame):
            if isinstance(base, Instance):
                found = self._attribute_of(base, name)
                if found is not UNSET:
                    return found
            elif isinstance(base, ClassValue):
                attribute = self.program.class_attribute(base, name)
                marked = self.stores.marked_attribute(
                    base, name, None if attribute is None else Argument(attribute[1], attribute[0])
                )
                if marked is not UNSET:
                    return marked
                if attribute is not None:
                    return self.evaluator.value(attribute[1], attribute[0])
            elif isinstance(base, ModuleValue) and self.stores.is_rebound(base.module, name):
                unknown = self._attribute_of_unknown(term, frame)
                names = self.program.modules[base.module].names
                held = self.stores.name_set(base.module, name, names.get(name)) if type(unknown) is Uniform else UNSET
                return unknown if held is UNSET else held
            elif isinstance(base, ModuleValue) and self.program.ask(Settings).of_attribute(base, name):
                marked = self.stores.member_set(base, name)
                return self._attribute_of_unknown(term, frame) if marked is UNSET else marked
            else:
                found = self._of_other(base, term, frame)
                if found is not UNSET:
                    return found
        word = self.program.knowledge.conventions.get(name.lower())
        for base in self.program.values(term.base, frame) if word is None else ():
            marked = self.stores.marked_attribute(base, name, None) if isinstance(base, LibraryObject) else UNSET
            if marked is not UNSET:
                return marked
        return self._attribute_of_unknown(term, frame)

    def _of_other(self, base: Value, term: Attr, frame: Context) -> Any:
        """What the tables, or its name, say of an attribute of a thing, or what that was made with; else ``UNSET``."""
        name, ranks = term.name, self.program.knowledge.ranks
        if isinstance(base, (Library, LibraryObject)):
            dotted: object = self.program.attributes.name(base.name, name)
            word = ranks.get(str(dotted))
        else:
            assumed, dotted = self.program.assumed(getattr(base, "term", term), frame.module), term
            word = ranks.get(f"{assumed}.{name}") if assumed else None
        if word is not None:
            return self.evaluator.word(word, dotted)
        member = None if isinstance(base, (Library, LibraryObject)) else self.program.member(base, name)
        if isinstance(member, Unresolved):
            return self.evaluator.value(member.term, member.frame)
        given = None
        if isinstance(base, (LibraryObject, Unresolved)) and not self._conventional(name):
            given = self.program.propagation.field_argument(base, name)
        if given is None:
            return UNSET
        if self.program.ask(Settings).of_attribute(base, name):
            return self.stores.marked_attribute(base, name, given)
        return self.evaluator.value(given.term, given.frame)

    def _attribute_of_unknown(self, term: Attr, frame: Context) -> Any:
        """An attribute of something out of sight: the same one wherever the thing is handed to."""
        word = self.program.knowledge.conventions.get(term.name.lower())
        if word is not None:
            return self.evaluator.word(word, term)
        for default in declared(self.program, term.name, frame.module):
            found, asked = (None, False) if default is None else self.evaluator.evaluate(default.term, default.frame)
            if asked and not isinstance(found, UNKNOWN):
                self.evaluator.rank_dependent = True
                return found  # an option that a launcher's variable stands in for
        holder = self.evaluator.value(term.base, frame)
        return Uniform(("attribute", holder, term.name)) if isinstance(holder, (Uniform, Something)) else Uniform((term, frame))

    def _attribute_of(self, instance: Instance, name: str) -> Any:
        """What an object of the project keeps under a name, ``UNSET`` when nothing is known of it.

        None that all ranks begin with is not known: who is handed the object may put something in its place.
        """
        cls = ClassValue(instance.module, instance.cls)
        method = self.program.method(cls, name)
        if method is not None:
            if method[1].kind != "property":
                return Something(method[1].qualname)
            if self.program.overriding(cls, name):
                self.evaluator.consulted("self")
            return self.runs.run(method[1], self.program.instance_frame(instance, method[0], method[1]))
        passed = self.passed_as_field(instance, name)
        if passed is not None:
            return self.evaluator.value(passed.term, passed.frame)
        from_afar = self.program.ask(Settings).of_attribute(instance, name)
        own = (
            self.program.ask(Attributes).settings(cls, name) if from_afar else self.program.ask(Attributes).under_tests(cls, name)
        )
        if (own or from_afar) and not self._conventional(name):
            marked = self.stores.kept(instance, name, own, from_afar)
            if marked is not UNSET or from_afar:
                return Uniform((instance.module, instance.cls.qualname, name)) if marked is UNSET else marked
        before, self.evaluator.rank_dependent = self.evaluator.rank_dependent, False
        answers = [
            self.evaluator.value(term, self.program.instance_frame(instance, module, function))
            for module, function, term in self.program.stores(cls, name)
        ]
        ranked, self.evaluator.rank_dependent = self.evaluator.rank_dependent, before or self.evaluator.rank_dependent
        if not answers:
            attribute = self.program.class_attribute(cls, name)
            if attribute is not None and self.program.ask(Settings).are_open(cls) and not self._conventional(name):
                return Uniform((instance.module, instance.cls.qualname, name))
            known = self.evaluator.value(attribute[1], attribute[0]) if attribute is not None else None
            return UNSET if known is None else known
        first = answers[0]
        if all(answer == first and type(answer) is type(first) for answer in answers):
            return UNSET if (first is None and not ranked) or (type(first) is Uniform and self._conventional(name)) else first
        return UNSET if self._conventional(name) else Uniform((instance.module, instance.cls.qualname, name))

    def _conventional(self, name: str) -> bool:
        return name.lower() in self.program.knowledge.conventions

    def of_call(self, term: Call, frame: Context) -> Any:
        given = kwargs_lookup(term, frame)
        if isinstance(term.callee, Attr) and isinstance(term.callee.base, Kwargs):
            self.evaluator.consulted(ANY)
        if given is not None:
            if given.passed is not None:
                return self.evaluator.value(given.passed.term, given.passed.frame)
            return self.evaluator.value(given.default, frame) if given.default is not None else None
        callee = self.chosen_callee(term.callee, frame)
        found = self._called_on(callee, term, frame) if isinstance(callee, Attr) else None
        if found is not None:
            return found
        for value in self.callees(callee, frame):
            if isinstance(value, Library):
                return self._library_call(value.name, term, frame)
            if isinstance(value, FunctionValue):
                return self._project_call(value, term, frame)
            if isinstance(value, ClassValue):
                return self.made(value, term, frame)
            if isinstance(value, Instance):
                return self._object_called(value, term, frame)
            read = read_by(self.program, value, term, frame)
            if read is not None:
                return self.evaluator.value(read, frame)
            if partial_of(value) is not None:
                bound = self.program.ask(CallGraph).targets(term, frame)
                if len(bound) == 1 and isinstance(bound[0], FunctionValue):
                    return self._project_call(bound[0], term, frame)
        name = callee.name if isinstance(callee, (Attr, Param, Global)) else ""
        word = self.program.knowledge.conventions.get(str(name).lower())
        if word is not None and any(isinstance(given, Const) and type(given.value) is str for given in term.args):
            word = "per-rank"  # ``mesh.get_local_rank("dp")``: along an axis, by its name
        return self.evaluator.word(word, term) if word is not None else Uniform((term, frame))

    def _object_called(self, thing: Instance, term: Call, frame: Context) -> Any:
        """What the ``__call__`` of an object returns."""
        method = self.program.method(ClassValue(thing.module, thing.cls), "__call__")
        if method is None:
            return Uniform((term, frame))
        return self._project_call(FunctionValue(method[0], method[1], thing), term, frame)

    def _called_on(self, callee: Attr, term: Call, frame: Context) -> Any:
        """What a method gives whose object is in sight; None where nothing is known of it here."""
        knowledge = self.program.knowledge
        if callee.name in knowledge.hands_out and term.args:
            item = self.consteval.item_by_rank(callee.base, term.args[0], term.args[1] if term.args[1:] else _NONE, frame)
            if item is not None:
                return item
            if isinstance(term.args[0], Const):
                item = self.items.item_under(callee.base, term.args[0], frame)
                if item is not UNSET:
                    return item
        if not isinstance(callee.base, Ref) and callee.name in knowledge.same:
            inner, asked = self.evaluator.evaluate(callee.base, frame)
            if asked and not isinstance(inner, Something):
                self.evaluator.rank_dependent = True
                return inner  # a number of a tensor, or the tensor elsewhere
        if isinstance(callee.base, Self):
            self._consult_object(callee.base, callee.name, frame)
        return self.consteval.of_method(callee, term, frame)

    def _consult_object(self, owner: Self, name: str, frame: Context) -> None:
        """Which method it is that is asked may be a matter of the object's class."""
        cls = self.program.modules[frame.module].classes.get(owner.cls or "")
        if cls is not None and self.program.overriding(ClassValue(frame.module, cls), name):
            self.evaluator.consulted("self")

    def _project_call(self, value: FunctionValue, term: Call, frame: Context) -> Any:
        if value.function.generator or frame.depth > DEEPEST or frame.runs(value.function):
            return Uniform((term, frame))
        result = self.runs.run(value.function, self.runs.activation(value, term, frame))
        if type(result) is Uniform:
            word = self.program.knowledge.conventions.get(value.function.name.lower())
            if word is not None:
                return self.evaluator.word(word, term)
        return result

    def _library_call(self, name: str, term: Call, frame: Context) -> Any:
        knowledge = self.program.knowledge
        word = knowledge.ranks.get(name)
        arguments = term.args
        if word is not None:
            if name in knowledge.with_group and (arguments or term.kwargs):
                group = arguments[0] if arguments else term.kwargs[0][1]
                if self.evaluator.value(group, frame) is not None and not self.is_world(group, frame):
                    return Uniform((term, frame))
            return self.evaluator.word(word, name)
        if name == "builtins.getattr" and len(arguments) > 1:
            key = self.program.propagation.key_of(arguments[1], frame, 0)
            if isinstance(key, str):
                return self.of_attribute(Attr.new(arguments[0], key), frame)
        if name in ("os.environ.get", "os.getenv") and arguments:
            return self.items.variable(arguments[0], term, frame)
        found = self.consteval.worked_out(name, term, frame) if arguments and not term.kwargs else None
        if found is not None:
            return found
        if name in knowledge.filled:
            held = self.heap.held(term, None, frame)
            if held is not UNSET:
                return held
        if name in knowledge.same and arguments:
            value, asked = self.evaluator.evaluate(arguments[0], frame)
            if asked and not isinstance(value, Something):
                self.evaluator.rank_dependent = True
                return value
        if name in knowledge.measures and arguments:
            held = self.heap.held(arguments[0], None, frame, displays=True)
            if held is not UNSET:
                return _counted(held)
            length = self.items.own_length(arguments[0], frame)
            return Uniform((term, frame)) if length is None else length
        if name in knowledge.transparent and arguments:
            return self._converted(name, self.evaluator.value(arguments[0], frame), term, frame)
        default = dict(term.kwargs).get("default") if name == "dataclasses.field" else None
        if default is not None:
            return self.evaluator.value(default, frame)
        return self._otherwise(name, term, frame)

    def _otherwise(self, name: str, term: Call, frame: Context) -> Any:
        """What a library call returns of which the tables say nothing more."""
        knowledge, arguments = self.program.knowledge, term.args
        if name in ANSWER_NOTHING:
            return None
        if name in knowledge.numbering:
            return f"{frame.module}:{term.site.line:07}"  # a constant that is no other one; in the order of lines
        if name == "builtins.isinstance" and len(arguments) == _PAIR:
            fits = self.is_instance(term, frame)
            return self.asked_of(name, term, frame) if fits is None else fits
        if name in _ASKS and arguments:
            return self.asked_of(name, term, frame)
        if name in knowledge.objects or names_class(name):
            return Something((term, frame))  # what a constructor returns is never None
        last = name.rpartition(".")[2].lower()
        word = knowledge.conventions.get(last) if not name.startswith(("builtins.", "torch.", "numpy.")) else None
        return self.evaluator.word(word, term) if word is not None else Uniform((term, frame))

    def is_world(self, group: Term, frame: Context) -> bool:
        """Whether a group argument names the group of all ranks, and not that of some which is in its place where it is given."""
        knowledge = self.program.knowledge
        names = [value.name for value in self.program.values(group, frame) if isinstance(value, (Library, LibraryObject))]
        made = any(knowledge.collective_kinds.get(name) == "new-group" for name in names)
        return not made and any(name in knowledge.world_groups for name in names)

    def _converted(self, name: str, value: Any, term: Term, frame: Context) -> Any:
        if isinstance(value, UNKNOWN):
            return value
        if name == "builtins.bool":
            return bool(value)
        if isinstance(value, Text):
            return value if name == "builtins.str" else int(value)
        if name == "builtins.int" and isinstance(value, str):
            converted = number(value)
            return Uniform((term, frame)) if isinstance(converted, str) else converted
        return value

    def of_entered(self, term: Entered, frame: Context) -> Any:
        """What ``with ... as`` binds: what a generator yields, what ``__enter__`` returns."""
        for value in self.program.values(term.manager, frame):
            handed = list(yielded(self.program, value))
            if len(handed) == 1:
                return self.evaluator.value(*handed[0])
            method = (
                self.program.method(ClassValue(value.module, value.cls), "__enter__") if isinstance(value, Instance) else None
            )
            if method is not None and isinstance(value, Instance):
                return self.runs.run(method[1], self.program.instance_frame(value, method[0], method[1]))
        return Uniform((term, frame))

    def chosen_callee(self, callee: Term, frame: Context) -> Term:
        """Of several things that may be called, the one that this rank chooses, where that is known."""
        while isinstance(callee, Select):
            condition = self.evaluator.value(callee.test, frame)
            if isinstance(condition, UNKNOWN) and not isinstance(condition, Something):
                break
            callee = callee.then if condition else callee.other
        return callee

    def made(self, cls: ClassValue, call: Call, frame: Context) -> Any:
        """An object; of a value that is given to an enumeration, the member that has it."""
        if len(call.args) == 1 and not call.kwargs and self.is_enumeration(cls):
            return self.evaluator.value(call.args[0], frame)
        return Something((call, frame, cls))

    def which(self, term: Term, frame: Context) -> tuple[Value, ...]:
        """What a term stands for; of several objects of the project, the one that is made on this rank, if that is known.

        A function that sets a job up returns one object where there is one process, and another where there are several.
        """
        values = self.program.values(term, frame)
        if len(values) > 1 and all(isinstance(value, Instance) for value in values):
            thing = self.evaluator.value(term, frame)
            if isinstance(thing, Something) and type(thing.key) is tuple and isinstance(thing.key[-1], ClassValue):
                call, where, cls = thing.key
                return (Instance(cls.module, cls.cls, call, where),)
        return values

    def callees(self, callee: Term, frame: Context) -> tuple[Value, ...]:
        """What a call may run; of the methods of several objects that of the one which is made on this rank, if that is known."""
        values = self.program.values(callee, frame)
        if len(values) > 1 and isinstance(callee, Attr):
            things = self.which(callee.base, frame)
            owners = [value.receiver if isinstance(value, FunctionValue) else None for value in values]
            if len(things) == 1 and things[0] in owners:
                return (values[owners.index(things[0])],)
            return self._set_up(values, callee.base, frame)
        return values

    def _set_up(self, values: tuple[Value, ...], thing: Term, frame: Context) -> tuple[Value, ...]:
        """Of methods, those of objects that functions put in the place of one of another class: they are taken to have run."""
        if not isinstance(thing, Global) or not is_rebound(self.program, frame.module, thing.name):
            return values
        module = self.program.modules[frame.module]
        first = module.names.get(thing.name)
        top = self.program.frame(frame.module, module.functions["<module>"])
        begun = [value for value in self.program.values(first, top) if isinstance(value, Instance)] if first is not None else []
        classes = {id(value.cls) for value in begun}
        owners = [value.receiver if isinstance(value, FunctionValue) else None for value in values]
        later = [
            value
            for value, owner in zip(values, owners, strict=True)
            if not isinstance(owner, Instance) or id(owner.cls) not in classes
        ]
        return tuple(later) or values

    def is_instance(self, term: Call, frame: Context) -> bool | None:
        """What ``isinstance`` says of an object whose class the rank chose; None where that is not so, or not known."""
        wanted = term.args[1].items if isinstance(term.args[1], Tuple) else (term.args[1],)
        classes = [value for part in wanted for value in self.program.values(part, frame)]
        if not all(isinstance(value, ClassValue) for value in classes):
            return None
        thing, asked = self.evaluator.evaluate(term.args[0], frame)
        if (
            not asked
            or not isinstance(thing, Something)
            or type(thing.key) is not tuple
            or not isinstance(thing.key[-1], ClassValue)
        ):
            return None
        self.evaluator.rank_dependent = True
        return not set(self.program.lineage(thing.key[-1])).isdisjoint(classes)

    def asked_of(self, name: str, term: Call, frame: Context) -> Any:
        """What a question about a thing answers: the same wherever it is asked of that thing."""
        thing = self.evaluator.value(term.args[0], frame)
        rest = term.args[1:]
        if type(thing) is not Uniform or term.kwargs or not all(isinstance(part, (Const, Ref, Global)) for part in rest):
            return Uniform((term, frame))
        words = tuple(str(part.parts[-1]).rpartition(".")[2] for part in rest)
        return Uniform((name, thing, words))

    def is_enumeration(self, cls: ClassValue) -> bool:
        """Whether a class is an ``Enum``: its members are equal if their values are."""
        known = self.program.knowledge.enumerations
        return any(isinstance(base, Library) and base.name in known for base in self.program.lineage(cls))

    def passed_as_field(self, instance: Instance, name: str) -> Argument | None:
        """What is passed for a field of a class that has no ``__init__`` of its own (a dataclass), or that keeps its keywords."""
        call, frame = instance.call, instance.frame
        cls = ClassValue(instance.module, instance.cls)
        made = self.program.method(cls, "__init__")
        if call is not None and made is not None and not self.program.stores(cls, name):
            kept = next(kept_under(self.program, instance, name), None)
            if kept is not None:
                return kept
        if call is None or frame is None or not instance.cls.fields or made is not None:
            return None
        fields = fields_of(self.program, cls)
        if name not in fields or self.program.stores(cls, name) or self.program.ask(Settings).of_attribute(instance, name):
            return None
        named = next((value for key, value in call.kwargs if key == name), None)
        place = fields.index(name)
        given = named if named is not None else call.args[place] if place < len(call.args) else None
        return None if given is None or any(isinstance(argument, Unknown) for argument in call.args) else Argument(given, frame)


def _counted(value: Any) -> Any:
    """How many things are in what is true or empty: one is as many as any."""
    if isinstance(value, Choice):
        return Choice(value.condition, _counted(value.then), _counted(value.other))
    return 1 if isinstance(value, Something) else value
