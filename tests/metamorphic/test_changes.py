"""Changes of which nothing may come: that they change nothing that runs, and that what is said after them is what is kept."""

from __future__ import annotations

import ast
import contextlib
import importlib
import runpy
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.metamorphic import changed
from tests.metamorphic.changes import CHANGES, NOWHERE, Change
from tests.metamorphic.drafts import Draft, Line, Origin, Program, drafts, read, text_of, write

BY_NAME = {each.name: each for each in CHANGES}

#: A program that does something of each kind, and tells `library`, a stand-in, what it does.
TRAIN = '''\
#!/usr/bin/env python
"""Trains.

In several lines.
"""
from __future__ import annotations

import torch.optim
import torch.optim as optim
from library import (
    Loader,
    happened,
)
from torch.optim import SGD

from model import Net, Plain as Simple
import losses

LIMIT = 3


class Meter:
    """Counts."""

    kind = "meter"

    def __init__(self, start=0, *, weight=1):
        self.total = start
        self.weight = weight

    def update(self, value):
        self.total += value * self.weight
        happened(f"meter {self.total:>4d} {self.kind!r} {{value}} {value}")

    @property
    def mean(self):
        return self.total / 2

    @staticmethod
    def reset(value: int) -> None: happened("reset", value)


def prepared_loader(loader, timer=None):
    for batch in loader:
        # what is skipped
        if batch == 5:
            continue
        yield batch


def lookup(rows, key):
    if not rows:
        return None
    # the first that fits
    for row in rows:
        if row == key:
            return row
        elif row > key:
            happened("past", row)
        else:
            happened("below", row)
    if key == 4:
        return None

    text = """several
lines"""
    return text


def grade(loss):
    if loss > 5:
        mark = "bad"
    elif (loss > 1 and
          loss < 4):  # in between
        # not so good
        mark = "fair"
    elif loss > 0:
        mark = "fine"
    else:
        # nothing
        mark = "good"
    if loss: return mark
    else:
        happened("perfect")
    return mark


def step(model, optimizer, batch, skip=False):
    """One step."""
    def closure():
        optimizer.zero_grad()
        loss = losses.squared(model(batch), target=1)
        loss.backward()
        return loss
    happened("step", optimizer.step(closure).value); happened("behind")
    values = [each for each in (1, 2) if each > skip]
    try:
        happened(losses.chosen["plain"](values[0]))
    except ValueError as error:
        happened(error)
    else:
        happened("no error")
    return closure


def main(epochs=2):
    net = Net(width=3)
    optimizer: object = torch.optim.SGD(net.parameters(), lr=0.1)
    other = optim.Adam(net.parameters())
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1).started(True)
    meter = Meter(weight=2)
    plain = Simple().to("cpu")
    third = SGD([], lr=LIMIT)
    self_made = Meter(1)
    for epoch in range(epochs):
        loader = Loader([1, 5, 2])
        for index, batch in enumerate(prepared_loader(loader=loader)):
            step(net, optimizer, batch=batch)
            meter.update(batch)
            happened(grade(loss=batch), lookup([1, 2, 3], batch), index)
        else:
            happened("epoch", epoch, plain(epoch))
        scheduler.step()
        while meter.total > 10:
            meter.total -= 10
            if meter.total < 3:
                break
        happened(f"mean {meter.mean} {other} {third} {self_made.total}", kind="epoch")
    Meter.reset(0)
    for last in ():
        happened("never", last)
    happened(losses.Ordinary()(3))
    return lookup([], 1), lookup([0], 0)


if __name__ == "__main__":
    happened(main(LIMIT))
'''
MODEL = '''\
"""What is trained."""
from library import Module, happened


class Net(Module):
    def __init__(self, width):
        super().__init__()
        self.width = width
        self.seen = 0

    def forward(self, x):
        self.seen += 1
        happened("forward", x, self.width, self.seen)
        return x * self.width


class Plain:
    def to(self, device):
        happened("to", device)
        return self

    def __call__(self, value):
        return -value
'''
LOSSES = """\
from library import Value
from model import Plain as Ordinary


def squared(output, target):
    return Value((output - target) ** 2)


def absolute(value):
    if value < 0:
        return -value
    return value


chosen = {"plain": absolute}
"""
#: A script whose work is not in a function.
SCRIPT = """\
from library import Loader, happened
from torch.optim import SGD
optimizer = SGD([], lr=1)
for batch in Loader([1, 2]):
    happened(batch)
    optimizer.zero_grad()
if optimizer:
    happened("there")
else:
    happened("none")
"""
PROGRAMS: dict[str, dict[str, str]] = {
    "train.py": {"train.py": TRAIN, "model.py": MODEL, "losses.py": LOSSES, "config.yaml": "lr: 1\n"},
    "script.py": {"script.py": SCRIPT},
}


class Recorded:
    """Stand-ins that tell what is done with them."""

    def __init__(self) -> None:
        self.events: list[object] = []
        self.unknown: list[str] = []

    def modules(self) -> dict[str, types.ModuleType]:
        """What the programs import."""
        events = self.events

        class Module:
            def __call__(self, *given: object) -> object:
                return self.forward(*given)  # type: ignore[attr-defined]

            def parameters(self) -> list[int]:
                return [1]

        class Value:
            def __init__(self, value: int) -> None:
                self.value = value

            def backward(self) -> None:
                events.append(("backward", self.value))

        def optimizer(kind: str) -> type:
            def __init__(_: object, parameters: list[int], lr: float = 1) -> None:  # noqa: N807
                events.append((kind, tuple(parameters), lr))

            def step(_: object, closure: object = None) -> object:
                events.append((kind, "step"))
                return closure() if callable(closure) else None

            methods = {"__init__": __init__, "step": step, "__repr__": lambda _: kind}
            return type(kind, (), {**methods, "zero_grad": lambda _: events.append((kind, "zero_grad"))})

        class StepLR:
            def __init__(self, optimizer: object, size: int) -> None:
                events.append(("StepLR", repr(optimizer), size))

            def started(self, value: object) -> StepLR:
                events.append(("started", value))
                return self

            def step(self) -> None:
                events.append("scheduled")

        class Loader(list[int]):
            pass

        made = {name: types.ModuleType(name) for name in ("library", "torch", "torch.optim", "torch.optim.lr_scheduler", NOWHERE)}
        made["torch"].__path__ = []
        made["torch.optim"].__path__ = []
        made["torch"].optim = made["torch.optim"]
        made["torch.optim"].lr_scheduler = made["torch.optim.lr_scheduler"]
        made["torch.optim.lr_scheduler"].StepLR = StepLR
        made["torch.optim"].SGD = optimizer("SGD")
        made["torch.optim"].Adam = optimizer("Adam")
        library = {"Module": Module, "Value": Value, "Loader": Loader}
        library["happened"] = lambda *given, **more: events.append(repr((given, more)))
        made["library"].__dict__.update(library)
        made[NOWHERE].__getattr__ = self._elsewhere
        return made

    def _elsewhere(self, name: str) -> object:
        """What is unknown, and does nothing to what it is handed."""
        if name.startswith("__"):
            raise AttributeError(name)
        unknown = self.unknown

        class Anything:
            def __getattr__(self, asked: str) -> object:
                return asked if name == "chosen" else lambda *given: unknown.append(f"{name}.{asked}{given}")

            def __bool__(self) -> bool:
                return True

        def called(*given: object) -> object:
            unknown.append(name)
            return given[0] if given else False

        return called if name in ("skip", "prepare", "traced") else Anything()


@contextlib.contextmanager
def _importing(root: Path, recorded: Recorded) -> Iterator[None]:
    """Imports are of the stand-ins and of what is below a folder."""
    before, path = dict(sys.modules), list(sys.path)
    sys.modules.update(recorded.modules())
    sys.path.insert(0, str(root))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path[:] = path
        for name in set(sys.modules) - set(before):
            del sys.modules[name]
        sys.modules.update(before)


def ran(root: Path, start: str) -> Recorded:
    """What happens when a file below a folder is started."""
    recorded = Recorded()
    with _importing(root, recorded), pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "dont_write_bytecode", True)
        runpy.run_path(str(next(root.rglob(start))), run_name="__main__")
    return recorded


def program_of(texts: dict[str, str]) -> Program:
    return {
        name: tuple(Line(line, Origin(name, number)) for number, line in enumerate(text.split("\n"), 1))
        for name, text in texts.items()
    }


#: What has to be asked of what is unknown when the changed program runs: else nothing was shown of it.
ASKED = {
    "timer.step() at the end of loops": "timer.step()",
    "meter.update(1) at the head of loops": "meter.update(1,)",
    "callbacks.on_batch() in loops": "callbacks.on_batch()",
    "break at the head of loops": "skip",
    "continue at the head of loops": "skip",
    "x = prepare(x) under a test": "prepare",
    "unknown decorator": "traced",
    "try/finally in functions": "timer.stop()",
    "try/finally around loops": "timer.stop()",
}
NOTHING_TO_DO = {
    ("script.py", "unknown decorator"),
    ("script.py", "try/finally in functions"),
    ("script.py", "early return as else"),
    ("script.py", "unit tests beside"),
}


@pytest.mark.parametrize("change", CHANGES, ids=lambda each: each.name)
@pytest.mark.parametrize("start", PROGRAMS)
def test_a_changed_program_does_the_same(start: str, change: Change, tmp_path: Path) -> None:
    program = program_of(PROGRAMS[start])
    write(program, tmp_path / "before")
    made = change.make(program)
    if (start, change.name) in NOTHING_TO_DO:
        assert made is None
        return
    assert made is not None
    write(made, tmp_path / "after")
    if change.name == "in a subfolder":
        sys_path = tmp_path / "after" / "research" / "detector"
    else:
        sys_path = tmp_path / "after"
        assert made != program
    before, after = ran(tmp_path / "before", start), ran(sys_path, start)
    assert len(before.events) > 3
    assert after.events == before.events
    assert not before.unknown
    asked = ASKED.get(change.name)
    assert (asked in after.unknown) if asked else not after.unknown


@pytest.mark.parametrize("change", CHANGES, ids=lambda each: each.name)
def test_lines_keep_their_origin(change: Change) -> None:
    """Each line comes from one that stood in the program, no two from the same, and the words of it are still there."""
    program = program_of(PROGRAMS["train.py"])
    made = change.make(program)
    assert made is not None
    origins = [line.origin for lines in made.values() for line in lines if line.origin is not None]
    assert len(origins) == len(set(origins))
    assert {each for each in origins if program[each.path][each.line - 1].text.strip()} == {
        line.origin for lines in program.values() for line in lines if line.text.strip()
    }
    if not {"names", "constructor", "turned", "package"} & set(change.name.replace("/", " ").split()):
        moved = [(line, program[line.origin.path]) for lines in made.values() for line in lines if line.origin is not None]
        assert [line.text.strip() for line, _ in moved] == [was[line.origin.line - 1].text.strip() for line, was in moved]


def test_the_tests_that_are_added_run(tmp_path: Path) -> None:
    program = program_of(PROGRAMS["train.py"])
    made = BY_NAME["unit tests beside"].make(program)
    assert made is not None
    write(made, tmp_path)
    assert sorted(set(made) - set(program)) == ["tests/test_losses.py", "tests/test_model.py", "tests/test_train.py"]
    recorded = Recorded()
    with _importing(tmp_path, recorded):
        tests = runpy.run_path(str(tmp_path / "tests" / "test_model.py"))
        tests["test_net"]()
        tests["test_plain"]()
    assert any("forward" in str(each) for each in recorded.events)


def _names(tree: ast.AST) -> set[str]:
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    names |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    return names | {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}


@pytest.mark.parametrize("change", ["meaningless names", "misleading names"])
def test_names_say_nothing(change: str) -> None:
    program = program_of(PROGRAMS["train.py"])
    made = BY_NAME[change].make(program)
    assert made is not None
    left = {draft.path: _names(draft.tree) for draft in drafts(made)}
    own = {"epochs", "optimizer", "batch", "Meter", "Net", "grade", "main", "meter", "weight", "loss", "squared", "width"}
    assert own & set().union(*left.values()) == set()
    # What the framework calls, what a text asks for, what others bring.
    assert {"forward", "SGD", "happened", "torch", "range", "losses"} <= set().union(*left.values())
    shape = [type(node) for path in program if path.endswith(".py") for node in ast.walk(ast.parse(text_of(program[path])))]
    assert shape == [type(node) for path in made if path.endswith(".py") for node in ast.walk(ast.parse(text_of(made[path])))]
    if change == "misleading names":
        assert {"trainer", "helper", "interval"} <= set().union(*left.values())


def test_a_text_of_several_lines_is_not_moved() -> None:
    text = 'def f(x):\n    if x:\n        return 1\n    text = """a\n    b"""\n    return text\n'
    made = BY_NAME["early return as else"].make(program_of({"a.py": text}))
    assert made is None
    assert BY_NAME["try/finally in functions"].make(program_of({"a.py": text})) is None


def test_a_file_that_cannot_be_read_stays() -> None:
    program = program_of({"a.py": "def broken(:\n", "b.py": "for x in y:\r\n    x()\r\n", "c.yaml": "a: 1\n"})
    assert BY_NAME["timer.step() at the end of loops"].make(program) is None
    assert BY_NAME["meaningless names"].make(program) is None


def test_names_that_are_taken_are_not_taken_again() -> None:
    made = BY_NAME["timer.step() at the end of loops"].make(program_of({"a.py": "timer = 1\nfor x in y:\n    x(timer)\n"}))
    assert made is not None
    assert text_of(made["a.py"]).startswith("from elsewhere import timer as own_timer\ntimer = 1\n")


def test_bytes_survive(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xff\r\n\x00")
    write(read(tmp_path), tmp_path / "again")
    assert (tmp_path / "again" / "a.txt").read_bytes() == b"\xff\r\n\x00"


def test_edits_are_by_the_places_of_the_text_as_it_was() -> None:
    draft = Draft("a.py", program_of({"a.py": "é = f(1)\ng(é, 2)"})["a.py"])
    call = draft.tree.body[0].value  # type: ignore[attr-defined]
    draft.replace(1, draft.start(call)[1], draft.end(call)[1], "h()")
    draft.replace(1, 0, 1, "x")
    draft.before(2, "if x:", 2, -1)
    draft.indent(2, 2)
    assert text_of(draft.finished()) == "x = h()\nif x:\n    g(é, 2)"


# -- what is kept ---------------------------------------------------------------------------------------------------------------

SAMPLE = {name: number for number, name in enumerate(changed.programs()[:: 3 * changed.TURNS])}
QUICK = [way for way in changed.WAYS if way.turns == 1]  # the others start processes
SHARES = 5
EIGHTH = 8


@pytest.mark.parametrize("name", SAMPLE)
def test_what_changes_do_to_what_is_said_is_what_is_kept(name: str) -> None:
    """For each of these programs a fifth of the changes, in turn: all of them together."""
    given = {name: changed.outcomes(name, QUICK[SAMPLE[name] % SHARES :: SHARES], changed.kept_before(name))}
    for way in given[name]:
        now, kept = changed.total(way, given), changed.kept()[way]
        for kind in ("lost", "new", "real"):
            mine = [each for each in getattr(kept, kind) if each.startswith(f"{name}: ")]
            assert getattr(now, kind) == mine, f"{way}: read the difference; if it is right: python -m tests.metamorphic.changed"


@pytest.mark.heavy
@pytest.mark.parametrize("number", range(len(changed.WAYS)), ids=lambda each: changed.WAYS[each].name)
def test_what_a_change_does_is_what_is_kept(number: int) -> None:
    """Each is made to an eighth of the programs, in turn: ``python -m tests.metamorphic.changed`` makes it to all of them."""
    way = changed.WAYS[number]
    names = changed.programs()[number % EIGHTH :: EIGHTH] if way.turns == 1 else changed.programs()
    made = {name: changed.outcomes(name, [way], changed.kept_before(name)) for name in names}
    now, kept = changed.total(way.name, made), changed.kept()[way.name]
    for kind in ("lost", "new", "real"):
        mine = [each for each in getattr(kept, kind) if each.partition(": ")[0] in names]
        assert getattr(now, kind) == mine, "read the difference; if it is right: python -m tests.metamorphic.changed"


def test_every_change_is_made_to_many_programs() -> None:
    """Also that they parse is in what is kept: else TL001 were new."""
    assert {name for name, kept in changed.kept().items() if kept.programs <= 10} == set()
    assert not [line for kept in changed.kept().values() for line in (*kept.new, *kept.real) if " TL001" in line]


def test_the_page_is_what_is_kept() -> None:
    assert changed.PAGE.read_text(encoding="utf-8") == changed.page(changed.kept())


def test_what_no_longer_stands_behind_a_return_is_reported_as_what_it_is_now() -> None:
    """TL102 may only be lost where TL101 is new: the reason in ``real.toml`` does not look at lines."""
    real = changed.kept()["early return as else"].real
    lost = {line.removesuffix(" TL102 lost") for line in real if line.endswith(" TL102 lost")}
    assert len(lost) > 50
    assert lost <= {line.removesuffix(" TL101 new") for line in real if line.endswith(" TL101 new")}


def test_no_reason_is_left_of_a_change_that_is_gone() -> None:
    lines = [(way, *changed.parts(line)) for way, kept in changed.kept().items() for line in kept.real]
    idle = [
        (each.reason, program)
        for each in changed.reals()
        for program in each.programs
        if not any(each._replace(programs=(program,)).covers(*line) for line in lines)
    ]
    assert idle == []
