"""Ways in which a value gets from where it is made to where it matters: one :class:`Carrier` each.

A carrier is handed the expression of a seed that ``VALUE(…)`` marks and says what is written in its stead, and what else:
statements right before the marked one, one that is put around it, definitions at the top level, other files. The program does
what it did.
"""

from __future__ import annotations

import ast
import builtins
import textwrap
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tests.metamorphic.naming import Renamed, all_names, bound_in, declared_global, imported_names, is_loose, loaded
from tests.metamorphic.program import (
    Carried,
    Part,
    Program,
    Unfit,
    Value,
    add_top,
    blocks,
    outside,
    statements_of,
    value_name,
    without_values,
)

_HERE = "pass"


class Carrier(NamedTuple):
    """One way: its name in the table, what it is in words, and how it is written down."""

    name: str
    says: str
    make: Callable[[Value], Carried]


HANDED = "def handed(value):\n    return value\n"
GIVE = "def give(value):\n    yield value\n"
EMPTY = "class Holder:\n    pass\n"
HOLDER = "class Holder:\n    def __init__(self, value):\n        self.value = value\n"


def _holder(method: str) -> str:
    return f"class Holder:\n    def __init__(self, value):\n        self.kept = value\n\n{textwrap.indent(method, '    ')}"


def _default(value: Value) -> Carried:
    if value.constant:
        return Carried("made()", top=f"def made(value={value.text}):\n    return value\n")
    return Carried("made()", before=f"def made(value={value.text}):\n    return value\n")


def _class_attribute(value: Value) -> Carried:
    if value.constant:
        return Carried("Carried.value", top=f"class Carried:\n    value = {value.text}\n")
    return Carried("Carried.value", before=f"Carried.value = {value.text}", top="class Carried:\n    value = None\n")


def _base_elsewhere(value: Value) -> Carried:
    derived = "from carrying import Base\nclass Carried(Base):\n    pass\n"
    if value.constant:
        return Carried(
            "Carried().value", top=derived, files={"carrying.py": f"{value.basis}class Base:\n    value = {value.text}\n"}
        )
    base = HOLDER.replace("Holder", "Base")
    return Carried(f"Carried({value.text}).value", top=derived, files={"carrying.py": base})


def _imported(value: Value) -> Carried:
    if value.constant:
        return Carried(
            "carried", top="from carrying import carried", files={"carrying.py": f"{value.basis}carried = {value.text}\n"}
        )
    return _made_elsewhere(value, "carrying", {})


def _re_exported(value: Value) -> Carried:
    files = {"parts/__init__.py": "from .inner import carried\n" if value.constant else "from .inner import made\n"}
    if value.constant:
        inner = f"{value.basis}carried = {value.text}\n"
        return Carried("carried", top="from parts import carried", files={**files, "parts/inner.py": inner})
    return _made_elsewhere(value, "parts", files)


def _made_elsewhere(value: Value, module: str, files: dict[str, str]) -> Carried:
    file = "parts/inner.py" if files else "carrying.py"
    closed = f"{value.basis}def made():\n    return {value.text}\n"
    made = closed if value.closed else HANDED.replace("handed", "made")
    call = "made()" if value.closed else f"made({value.text})"
    return Carried(call, top=f"from {module} import made", files={**files, file: made})


def _configuration(value: Value) -> Carried:
    start = "def settings({}):\n    kept = {{'name': 'first', 'value': {}}}\n    return kept\n"
    inner = value.basis + start.format("", value.text) if value.closed else start.format("value", "value")
    call = "settings()" if value.closed else f"settings({value.text})"
    return Carried(
        "found_settings['value']",
        before=f"found_settings = {call}",
        top="from carrying import settings",
        files={"carrying.py": inner},
    )


def _factory(value: Value) -> Carried:
    top = "from dataclasses import dataclass, field\n@dataclass\nclass Carried:\n    {}: object = field(default_factory={})\n"
    if value.closed:
        return Carried("Carried().value", top=top.format("value", f"lambda: {value.text}"))
    before = f"carried = Carried()\ncarried.kept['value'] = {value.text}"
    return Carried("carried.kept['value']", before=before, top=top.format("kept", "dict"))


CARRIERS: tuple[Carrier, ...] = (
    # ---- functions
    Carrier(
        "helper",
        "made by a function from what it needs",
        lambda v: Carried(f"made({v.args})", top=f"def made({v.params}):\n    return {v.inner}\n"),
    ),
    Carrier("handed through", "given to a function that returns it", lambda v: Carried(f"handed({v.text})", top=HANDED)),
    Carrier(
        "two helpers deep",
        "given to a function that gives it to another",
        lambda v: Carried(f"twice({v.text})", top=f"{HANDED}def twice(value):\n    return handed(value)\n"),
    ),
    Carrier(
        "closure", "what a function inside returns", lambda v: Carried("held()", before=f"def held():\n    return {v.text}\n")
    ),
    Carrier("lambda", "what a lambda returns", lambda v: Carried("held()", before=f"held = lambda: {v.text}")),
    Carrier(
        "partial",
        "bound by functools.partial",
        lambda v: Carried("held()", before=f"held = partial(handed, {v.text})", top=f"from functools import partial\n{HANDED}"),
    ),
    Carrier(
        "partial method",
        "bound by functools.partial to a method",
        lambda v: Carried(
            "held()",
            before=f"held = partial(Giver().give, {v.text})",
            top="from functools import partial\nclass Giver:\n    def give(self, value):\n        return value\n",
        ),
    ),
    Carrier(
        "callable object",
        "returned by __call__",
        lambda v: Carried(
            "held()", before=f"held = Holder({v.text})", top=_holder("def __call__(self):\n    return self.kept\n")
        ),
    ),
    Carrier(
        "*args", "an item of *args", lambda v: Carried(f"handed({v.text})", top="def handed(*values):\n    return values[0]\n")
    ),
    Carrier(
        "**kwargs",
        "an item of **kwargs",
        lambda v: Carried(f"handed(value={v.text})", top="def handed(**values):\n    return values['value']\n"),
    ),
    Carrier("default argument", "the default of a parameter", _default),
    Carrier(
        "nonlocal",
        "set by a function inside with nonlocal",
        lambda v: Carried("carried", before=f"carried = None\ndef fill():\n    nonlocal carried\n    carried = {v.text}\nfill()"),
    ),
    Carrier(
        "global",
        "a global that a function sets",
        lambda v: Carried(
            "current_value",
            before=f"put({v.text})",
            top="current_value = None\ndef put(value):\n    global current_value\n    current_value = value\n",
        ),
    ),
    Carrier(
        "generator",
        "taken from a generator by a loop",
        lambda v: Carried("carried", around=f"for carried in give({v.text}):\n    pass", top=GIVE),
    ),
    Carrier(
        "yield from",
        "taken from a generator that takes it from another",
        lambda v: Carried(
            "carried",
            around=f"for carried in give({v.text}):\n    pass",
            top="def give_inside(value):\n    yield value\ndef give(value):\n    yield from give_inside(value)\n",
        ),
    ),
    Carrier("next(iter(…))", "the next item of an iterator", lambda v: Carried(f"next(iter([{v.text}]))")),
    Carrier(
        "map",
        "an item of what map makes",
        lambda v: Carried("kept[0]", before=f"kept = list(map(handed, [{v.text}]))", top=HANDED),
    ),
    # ---- tuples, lists and dicts
    Carrier("tuple item", "an item of a tuple", lambda v: Carried("kept[0]", before=f"kept = ({v.text}, 0)")),
    Carrier("unpacking", "unpacked from a tuple", lambda v: Carried("carried", before=f"carried, other = ({v.text}, 0)")),
    Carrier(
        "star unpacking",
        "unpacked, the rest to a star",
        lambda v: Carried("carried", before=f"carried, *others = [{v.text}, 0, 1]"),
    ),
    Carrier("dict literal", "an item of a dict", lambda v: Carried("kept['value']", before=f"kept = {{'value': {v.text}}}")),
    Carrier("d[k] =", "an item that is set", lambda v: Carried("kept['value']", before=f"kept = {{}}\nkept['value'] = {v.text}")),
    Carrier(".get", "what .get returns", lambda v: Carried("kept.get('value')", before=f"kept = {{'value': {v.text}}}")),
    Carrier(
        ".setdefault", "what .setdefault returns", lambda v: Carried(f"kept.setdefault('value', {v.text})", before="kept = {}")
    ),
    Carrier(".pop", "what .pop returns", lambda v: Carried("kept.pop('value')", before=f"kept = {{'value': {v.text}}}")),
    Carrier(
        "dict copy",
        "an item of a copy",
        lambda v: Carried("kept['value']", before=f"origin = {{'value': {v.text}}}\nkept = origin.copy()"),
    ),
    Carrier(
        "dict.update",
        "an item that .update brings",
        lambda v: Carried("kept['value']", before=f"kept = {{}}\nkept.update({{'value': {v.text}}})"),
    ),
    Carrier(
        "{**d}",
        "an item of a dict made of another",
        lambda v: Carried("kept['value']", before=f"origin = {{'value': {v.text}}}\nkept = {{**origin, 'other': 0}}"),
    ),
    Carrier("dict(v=…)", "an item of what dict makes", lambda v: Carried("kept['value']", before=f"kept = dict(value={v.text})")),
    Carrier(
        "nested dict",
        "an item of an item",
        lambda v: Carried("kept['outer']['value']", before=f"kept = {{'outer': {{'value': {v.text}}}}}"),
    ),
    Carrier(
        "dict.items()",
        "given by a loop over items",
        lambda v: Carried("carried", around=f"for entry, carried in {{'value': {v.text}}}.items():\n    pass"),
    ),
    Carrier("list append", "an item that was appended", lambda v: Carried("kept[0]", before=f"kept = []\nkept.append({v.text})")),
    Carrier(
        "comprehension",
        "an item of a comprehension",
        lambda v: Carried("kept[0]", before=f"kept = [each for each in [{v.text}]]"),
    ),
    Carrier(
        "deque",
        "taken out of a deque",
        lambda v: Carried("kept.popleft()", before=f"kept = deque()\nkept.append({v.text})", top="from collections import deque"),
    ),
    Carrier("for x in [v]", "the item of a loop", lambda v: Carried("carried", around=f"for carried in [{v.text}]:\n    pass")),
    Carrier("zip", "from zip", lambda v: Carried("carried", around=f"for carried, other in zip([{v.text}], [0]):\n    pass")),
    Carrier(
        "enumerate",
        "from enumerate",
        lambda v: Carried("carried", around=f"for number, carried in enumerate([{v.text}]):\n    pass"),
    ),
    Carrier(
        "chain",
        "from itertools.chain",
        lambda v: Carried(
            "carried", around=f"for carried in chain([{v.text}], []):\n    pass", top="from itertools import chain"
        ),
    ),
    # ---- objects
    Carrier(
        "attribute",
        "an attribute that is set from outside",
        lambda v: Carried("holder.value", before=f"holder = Holder()\nholder.value = {v.text}", top=EMPTY),
    ),
    Carrier(
        "constructor",
        "an attribute that the constructor sets",
        lambda v: Carried("holder.value", before=f"holder = Holder({v.text})", top=HOLDER),
    ),
    Carrier(
        "super().__init__",
        "an attribute that the base class's constructor sets",
        lambda v: Carried(
            "holder.value",
            before=f"holder = Closer({v.text})",
            top=f"{HOLDER}class Closer(Holder):\n    def __init__(self, value):\n        super().__init__(value)\n",
        ),
    ),
    Carrier(
        "property",
        "what a property returns",
        lambda v: Carried(
            "holder.value",
            before=f"holder = Holder({v.text})",
            top=_holder("@property\ndef value(self):\n    return self.kept\n"),
        ),
    ),
    Carrier(
        "cached_property",
        "what a cached property returns",
        lambda v: Carried(
            "holder.value",
            before=f"holder = Holder({v.text})",
            top="from functools import cached_property\n" + _holder("@cached_property\ndef value(self):\n    return self.kept\n"),
        ),
    ),
    Carrier(
        "method",
        "what a method returns",
        lambda v: Carried(
            "holder.get()", before=f"holder = Holder({v.text})", top=_holder("def get(self):\n    return self.kept\n")
        ),
    ),
    Carrier(
        "staticmethod",
        "through a static method",
        lambda v: Carried(
            f"Giver.give({v.text})", top="class Giver:\n    @staticmethod\n    def give(value):\n        return value\n"
        ),
    ),
    Carrier(
        "classmethod",
        "an attribute of what a class method makes",
        lambda v: Carried(
            "holder.value",
            before=f"holder = Holder.of({v.text})",
            top=f"{HOLDER}\n    @classmethod\n    def of(cls, value):\n        return cls(value)\n",
        ),
    ),
    Carrier("class attribute", "an attribute of a class", _class_attribute),
    Carrier(
        "SimpleNamespace",
        "an attribute of a SimpleNamespace",
        lambda v: Carried(
            "holder.value", before=f"holder = SimpleNamespace(value={v.text})", top="from types import SimpleNamespace"
        ),
    ),
    Carrier(
        "dataclass",
        "a field of a dataclass",
        lambda v: Carried(
            "holder.value",
            before=f"holder = Carried({v.text})",
            top="from dataclasses import dataclass\n@dataclass\nclass Carried:\n    value: object\n",
        ),
    ),
    Carrier("default_factory", "what a dataclass's default_factory makes, or a dict of its that is filled", _factory),
    Carrier(
        "namedtuple",
        "a field of a namedtuple",
        lambda v: Carried(
            "holder.value",
            before=f"holder = Couple({v.text}, 0)",
            top="from collections import namedtuple\nCouple = namedtuple('Couple', ['value', 'other'])\n",
        ),
    ),
    Carrier(
        "own container",
        "through __setitem__ and __getitem__ of a class of the project",
        lambda v: Carried(
            "kept['value']",
            before=f"kept = Table()\nkept['value'] = {v.text}",
            top=(
                "class Table:\n    def __init__(self):\n        self.rows = {}\n\n    def __setitem__(self, key, value):\n"
                "        self.rows[key] = value\n\n    def __getitem__(self, key):\n        return self.rows[key]\n"
            ),
        ),
    ),
    Carrier("getattr", "getattr with a constant name", lambda v: Carried(f"getattr(Holder({v.text}), 'value')", top=HOLDER)),
    Carrier(
        "setattr",
        "setattr with a constant name",
        lambda v: Carried("holder.value", before=f"holder = Holder()\nsetattr(holder, 'value', {v.text})", top=EMPTY),
    ),
    Carrier(
        "attrgetter",
        "operator.attrgetter",
        lambda v: Carried(f"attrgetter('value')(Holder({v.text}))", top=f"from operator import attrgetter\n{HOLDER}"),
    ),
    Carrier(
        "list of objects",
        "an attribute of the objects in a list",
        lambda v: Carried("holder.value", around=f"for holder in [Holder({v.text})]:\n    pass", top=HOLDER),
    ),
    # ---- statements and operators
    Carrier("name", "a local name", lambda v: Carried("carried", before=f"carried = {v.text}")),
    Carrier("walrus", "what := binds", lambda v: Carried("carried", before=f"kept = (carried := {v.text})")),
    Carrier(
        "conditional expression",
        "an arm of a conditional expression",
        lambda v: Carried("carried", before=f"chosen = None\ncarried = {v.text} if chosen is None else chosen"),
    ),
    Carrier("or", "an operand of or", lambda v: Carried("carried", before=f"chosen = None\ncarried = chosen or {v.text}")),
    Carrier(
        "try", "bound in a try", lambda v: Carried("carried", before=f"try:\n    carried = {v.text}\nexcept KeyError:\n    raise")
    ),
    Carrier(
        "with … as",
        "bound by a with",
        lambda v: Carried(
            "carried",
            around=f"with holding({v.text}) as carried:\n    pass",
            top="from contextlib import contextmanager\n@contextmanager\ndef holding(value):\n    yield value\n",
        ),
    ),
    Carrier(
        "match", "captured by a case", lambda v: Carried("carried", around=f"match {v.text}:\n    case carried:\n        pass")
    ),
    # ---- other files
    Carrier("import", "imported, or handed through a function of another file", _imported),
    Carrier(
        "re-export", "imported from a package whose __init__ imports it, or so the function that hands it through", _re_exported
    ),
    Carrier("configuration", "an item of a dict that another file's function makes", _configuration),
    Carrier("base class elsewhere", "an attribute of a base class in another file", _base_elsewhere),
    Carrier(
        "match parts",
        "captured in an item and an attribute by a case",
        lambda v: Carried(
            "carried", around=f"match [Holder({v.text}), 0]:\n    case [Holder(value=carried), *_]:\n        pass", top=HOLDER
        ),
    ),
    # ---- what is known of libraries
    Carrier(
        "heapq",
        "taken out of a heap",
        lambda v: Carried(
            "heapq.heappop(kept)[1]", before=f"kept = []\nheapq.heappush(kept, (0, {v.text}))", top="import heapq\n"
        ),
    ),
    Carrier(
        "queue",
        "taken out of a queue",
        lambda v: Carried("kept.get()", before=f"kept = Queue()\nkept.put({v.text})", top="from queue import Queue\n"),
    ),
    Carrier(
        "enter_context",
        "entered by an ExitStack",
        lambda v: Carried(
            "carried",
            around=f"with ExitStack() as entered_here:\n    carried = entered_here.enter_context(holding({v.text}))\n    pass",
            top="from contextlib import ExitStack, contextmanager\n@contextmanager\ndef holding(value):\n    yield value\n",
        ),
    ),
    Carrier("cast", "through typing.cast", lambda v: Carried(f"cast(object, {v.text})", top="from typing import cast\n")),
    Carrier(
        "_replace",
        "a field that _replace sets",
        lambda v: Carried(
            "holder.value",
            before=f"holder = Couple(None, 0)._replace(value={v.text})",
            top="from typing import NamedTuple\nclass Couple(NamedTuple):\n    value: object\n    other: int\n",
        ),
    ),
    # ---- what changes in place, and parts
    Carrier("slice", "an item of a slice", lambda v: Carried("kept[1:][0]", before=f"kept = [0, {v.text}]")),
    Carrier("*rest", "an item of what a star takes", lambda v: Carried("carried[0]", before=f"other, *carried = [0, {v.text}]")),
    Carrier("+=", "an item that += adds", lambda v: Carried("kept[1]", before=f"kept = [0]\nkept += [{v.text}]")),
    Carrier(
        "|=", "an item that |= adds", lambda v: Carried("kept['value']", before=f"kept = {{}}\nkept |= {{'value': {v.text}}}")
    ),
    Carrier(
        "set by a method",
        "an attribute that a method sets",
        lambda v: Carried(
            "holder.value",
            before=f"holder = Holder()\nholder.put({v.text})",
            top="class Holder:\n    def __init__(self):\n        self.value = None\n\n"
            "    def put(self, value):\n        self.value = value\n",
        ),
    ),
    Carrier(
        "__getattr__",
        "an attribute that __getattr__ reads of another object",
        lambda v: Carried(
            "holder.value",
            before=f"holder = Proxy(Holder({v.text}))",
            top=f"{HOLDER}\nclass Proxy:\n    def __init__(self, inner):\n        self.inner = inner\n\n"
            "    def __getattr__(self, name):\n        return getattr(self.inner, name)\n",
        ),
    ),
    Carrier(
        "protocol",
        "what a method of an object returns of which a protocol is known",
        lambda v: Carried(
            f"handed(Holder({v.text}))",
            top="from typing import Protocol\nclass Gives(Protocol):\n    def give(self): ...\n\n"
            f"{HOLDER}\n    def give(self):\n        return self.value\n\n"
            "def handed(value: Gives):\n    return value.give()\n",
        ),
    ),
    Carrier(
        "twelve helpers deep",
        "through twelve functions, each of which gives it to the next",
        lambda v: Carried(
            f"deep1({v.text})",
            top="".join(f"def deep{number}(value):\n    return deep{number + 1}(value)\n\n" for number in range(1, 12))
            + "def deep12(value):\n    return value\n",
        ),
    ),
    Carrier(
        "either",
        "one of two that are alike",
        lambda v: Carried("carried", before=f"carried = ({v.text}) if id(0) else ({v.text})"),
    ),
    Carrier(
        "setattr of keywords",
        "an attribute of each keyword, set in a loop",
        lambda v: Carried(
            f"Keeping(value={v.text}).value",
            top="class Keeping:\n    def __init__(self, **options):\n        for name, each in options.items():\n"
            "            setattr(self, name, each)\n",
        ),
    ),
    Carrier(
        "__dict__.update",
        "an attribute of each keyword, by the object's dict",
        lambda v: Carried(
            f"Keeping(value={v.text}).value",
            top="class Keeping:\n    def __init__(self, **options):\n        self.__dict__.update(options)\n",
        ),
    ),
    Carrier(
        "table of the file",
        "put into a dict of the file by a function",
        lambda v: Carried(
            "KEPT['value']",
            before=f"put('value', {v.text})",
            top="KEPT = {}\ndef put(name, value):\n    KEPT[name] = value\n",
        ),
    ),
    Carrier(
        "key in dict",
        "an item, where there is one",
        lambda v: Carried(
            "carried", before=f"kept = {{'value': {v.text}}}\ncarried = kept['value'] if 'value' in kept else None"
        ),
    ),
    Carrier("list + list", "an item of two lists that are added", lambda v: Carried(f"([0] + [{v.text}])[1]")),
    Carrier(
        "while True",
        "bound in an endless loop that is left",
        lambda v: Carried("carried", before=f"while True:\n    carried = {v.text}\n    break"),
    ),
    Carrier(
        "until it works",
        "bound in a loop that tries again",
        lambda v: Carried(
            "carried",
            before=f"while True:\n    try:\n        carried = {v.text}\n        break\n    except OSError:\n        pass",
        ),
    ),
    Carrier(
        "own method of a constructor",
        "kept by a method of the class that the constructor of a base calls",
        lambda v: Carried(
            f"Keeping({v.text}).value",
            top="class Making:\n    def __init__(self, value):\n        self.keep(value)\n\n"
            "class Keeping(Making):\n    def keep(self, value):\n        self.value = value\n",
        ),
    ),
    Carrier(
        "None by default",
        "what a function is given instead of its default",
        lambda v: Carried(
            f"offered({v.text})",
            top="def offered(value=None):\n    if value is None:\n        value = {}.get('value')\n    return value\n",
        ),
    ),
    Carrier(
        "configuration object",
        "an attribute of each item of a dict, of an object that is made of a dict",
        lambda v: Carried(
            f"Settings({{'inner': {{'value': {v.text}}}}}).inner.value",
            top="class Settings:\n    def __init__(self, options):\n        for name, each in options.items():\n"
            "            setattr(self, name, Settings(each) if isinstance(each, dict) else each)\n",
        ),
    ),
    Carrier(
        "dict with attributes",
        "an attribute of a dict whose attributes are its items",
        lambda v: Carried(
            f"Settings(value={v.text}).value",
            top="class Settings(dict):\n    def __init__(self, *args, **options):\n"
            "        super().__init__(*args, **options)\n        self.__dict__ = self\n",
        ),
    ),
    Carrier(
        "keywords and more",
        "handed on with keywords to which a function adds some",
        lambda v: Carried(
            f"outer_call(given={v.text})",
            top="def inner_call(value=None, other=None):\n    return value\n\n"
            "def outer_call(given, **options):\n    options.setdefault('other', 0)\n    options['value'] = given\n"
            "    return inner_call(**options)\n",
        ),
    ),
    Carrier(
        "__iter__",
        "unpacked from an object that yields its parts",
        lambda v: Carried(
            "carried",
            before=f"carried, other = Holder({v.text})",
            top=f"{HOLDER}\n    def __iter__(self):\n        yield self.value\n        yield 0\n",
        ),
    ),
    Carrier(
        "registry object",
        "made by what was registered with an object",
        lambda v: Carried(
            f"REGISTRY.build('Holder', value={v.text}).value",
            top="class Registry:\n    def __init__(self):\n        self.table = {}\n\n"
            "    def register(self, kind):\n        self.table[kind.__name__] = kind\n        return kind\n\n"
            "    def build(self, name, **options):\n        return self.table[name](**options)\n\n"
            f"REGISTRY = Registry()\n\n@REGISTRY.register\n{HOLDER}",
        ),
    ),
    Carrier(
        "wrapper with fallback",
        "an attribute that __getattr__ reads of what is wrapped where the class above has none",
        lambda v: Carried(
            f"Proxy(Holder({v.text})).value",
            top=f"{HOLDER}\nclass Proxy:\n    def __init__(self, inner):\n        self.inner = inner\n\n"
            "    def __getattr__(self, name):\n        try:\n            return super().__getattr__(name)\n"
            "        except AttributeError:\n            return getattr(self.inner, name)\n",
        ),
    ),
    Carrier(
        "state in a loop",
        "an attribute of a state that each round of a loop makes of the last",
        lambda v: Carried(
            "state_kept.value",
            before=f"state_kept = Holder({v.text})\nfor turned in range(2):\n    state_kept = stepped(state_kept)",
            top=f"{HOLDER}\ndef stepped(held):\n    return Holder(held.value)\n",
        ),
    ),
    Carrier(
        "callbacks in turn",
        "given to each of some callbacks, which gives it to the next",
        lambda v: Carried(
            f"in_turn([Passing(), Passing()], 'on_value', {v.text})",
            top="class Passing:\n    def on_value(self, value):\n        return value\n\n"
            "def in_turn(callbacks, hook, value):\n    for each in callbacks:\n"
            "        value = getattr(each, hook)(value)\n    return value\n",
        ),
    ),
    Carrier(
        "mixin",
        "an attribute that the class beside a mixin sets, whose constructor calls super().__init__",
        lambda v: Carried(
            f"Both({v.text}).value",
            top="class Mixin:\n    def __init__(self, *args, **options):\n        super().__init__(*args, **options)\n\n"
            f"{HOLDER}\nclass Both(Mixin, Holder):\n    pass\n",
        ),
    ),
    Carrier(
        "**vars()",
        "handed on with all that an object keeps",
        lambda v: Carried(f"handed(**vars(Holder({v.text})))", top=f"{HOLDER}\n{HANDED}"),
    ),
)
"""All of them, in the order of the table's columns."""


def carry(program: Program, value: str, carrier: Carrier) -> Program:
    """The program (as it is left when this is called) with the marked values of one name carried; raises :class:`Unfit`."""
    new = program.copy()
    module = new.files[new.main]
    found = sites(new, value)
    if len(found) != 1:
        raise Unfit(f"{value} is marked {len(found)} times")
    part, call = found[0]
    made = carrier.make(value_of(part, call))
    _fresh(new, made)
    _replace(part.block[part.start], call, ast.parse(made.expr, mode="eval").body)
    statement = part.block[part.start]
    if made.around:
        around = statements_of(made.around)
        if isinstance(around[0], ast.For) and is_loose(statement, (ast.Break, ast.Continue)):
            raise Unfit("a way out of the loop around would be one out of the carrier's")
        _put_into(around, statement)
        part.replace(*around)
    if "nonlocal" in made.before and not part.functions:
        raise Unfit("nonlocal needs a function around")
    if made.before:
        part.block[part.start : part.start] = statements_of(made.before)
    if made.top:
        add_top(module, made.top, part.top if len(part.owners) > 1 else part.block[part.start])
    for path, text in made.files.items():
        new.files[path] = ast.parse(text)
    return new


def _fresh(program: Program, made: Carried) -> None:
    """Raises ValueError if a name that the carrier brings is in the program already."""
    brought = set(bound_in(ast.Module(statements_of(f"{made.before}\n{made.around}\n{made.top}"), [])))
    brought -= {
        name for each in statements_of(made.top) if isinstance(each, ast.Import | ast.ImportFrom) for name in imported_names(each)
    }
    there = {name for module in program.files.values() for name in all_names(module)}
    if brought & there or set(made.files) & set(program.files):
        raise ValueError(f"{sorted(brought & there)} is in the program already")


def sites(program: Program, value: str) -> list[tuple[Part, ast.Call]]:
    """Where values of a name are marked: the innermost statement, and the mark. Other marks of values are taken off."""
    found = []
    for owners, block in blocks(without_values(program.files[program.main], value)):
        for number, statement in enumerate(block):
            for node in _own(statement):
                if value_name(node) is not None:
                    assert isinstance(node, ast.Call)
                    found.append((Part(program.main, owners, block, number, number + 1), node))
    return found


def _own(statement: ast.stmt) -> list[ast.AST]:
    """The nodes of a statement without those of statements in it."""
    todo: list[ast.AST] = [statement]
    found: list[ast.AST] = []
    while todo:
        node = todo.pop()
        found.append(node)
        todo += [
            each for each in ast.iter_child_nodes(node) if not isinstance(each, ast.stmt | ast.excepthandler | ast.match_case)
        ]
    return found


def value_of(part: Part, call: ast.Call) -> Value:
    """What there is to know of a marked value; raises :class:`Unfit` if it is made of what only exists inside its expression."""
    node = call.args[0]
    module = part.module
    names = loaded(node)
    local = {name for each in part.functions for name in bound_in(each)}
    imports = {
        name: each for each in module.body if isinstance(each, ast.Import | ast.ImportFrom) for name in imported_names(each)
    }
    constants = {
        target.id: each
        for each in module.body
        if isinstance(each, ast.Assign)
        for target in each.targets
        if isinstance(target, ast.Name) and target.id not in declared_global(module)
        if not any(isinstance(below, ast.Call) for below in ast.walk(each.value))
    }
    known = {*local, *bound_in(module), *dir(builtins), "__file__"}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise Unfit(f"{unknown[0]} is bound inside the expression")
    free = [name for name in names if name in local]
    from_top = [name for name in names if name not in local and name not in imports and name in bound_in(module)]
    others = [name for name in from_top if name not in constants]
    if not part.functions:
        free += others
        others = []
    closed = not free and not others
    makes = any(isinstance(below, ast.Call | ast.Await | ast.Lambda) for below in ast.walk(node))
    basis = dict.fromkeys(ast.unparse(imports[name]) for name in _needed(names, constants) if name in imports)
    basis |= dict.fromkeys(ast.unparse(constants[name]) for name in _needed(names, constants) if name in constants)
    inner = Renamed({name: outside(name) for name in free}).visit(ast.parse(ast.unparse(node), mode="eval"))
    return Value(
        text=f"({ast.unparse(node)})",
        inner=f"({ast.unparse(inner)})",
        names=tuple(free),
        closed=closed,
        constant=closed and not makes,
        basis="".join(f"{each}\n" for each in basis),
    )


def _needed(names: Sequence[str], constants: dict[str, ast.Assign]) -> list[str]:
    """These names and those that the constants among them are made of, these first."""
    found: dict[str, None] = {}
    for name in names:
        if name in constants:
            found |= dict.fromkeys(_needed(loaded(constants[name].value), constants))
        found[name] = None
    return list(found)


class _Swap(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else super().visit(node)


def _replace(statement: ast.stmt, old: ast.AST, new: ast.AST) -> None:
    _Swap(old, new).visit(statement)


def _put_into(around: list[ast.stmt], statement: ast.stmt) -> None:
    """Put the statement where ``pass`` stands in others."""
    for _, block in blocks(ast.Module(body=around, type_ignores=[])):
        for number, each in enumerate(block):
            if isinstance(each, ast.Pass):
                block[number] = statement
                return
