"""Which calls communicate because a model is data-parallel or sharded: those marked ``# forward`` or ``# backward``."""

from __future__ import annotations

import ast
import textwrap

import pytest

from trainlint.domains.data_parallel.models import Parallel
from trainlint.ir.lower import lower
from trainlint.ir.sketch import CallStep
from trainlint.ir.walk import statements_of
from trainlint.knowledge import load_knowledge
from trainlint.program.contexts import calling_contexts
from trainlint.program.imports import ModuleFinder
from trainlint.program.program import Program

HEAD = """
import torch
import torch.nn.functional as F
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP, fully_shard
from torch.nn.parallel import DistributedDataParallel as DDP
from other import *

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

class Normed(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = stem()

def stem():
    return nn.Sequential(nn.Conv2d(3, 3, 1), nn.BatchNorm2d(3))
"""


def program(files: dict[str, str]) -> Program:
    modules = {path: lower(path, ast.parse(text), frozenset()) for path, text in files.items()}
    return Program(modules, ModuleFinder(set(modules), ["/project"]), load_knowledge())


def compared(source: str, other: str = "") -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """What the marks say, and what is found: (line, step)."""
    files = {"/project/file.py": HEAD + textwrap.dedent(source), "/project/other.py": textwrap.dedent(other)}
    made = program(files)
    found = set()
    for path, function in made.functions():
        lines = files[path].splitlines()
        for node in statements_of(function):
            if isinstance(node, CallStep):
                steps = {made.ask(Parallel).step(node.term, frame) for frame in calling_contexts(made, path, function)}
                found.update((lines[node.term.site.line - 1].partition("#")[0].strip(), step) for step in steps if step)
    marked = set()
    for text in files.values():
        for line in text.splitlines():
            code, _, marks = line.partition("#")
            marked.update((code.strip(), mark.strip()) for mark in marks.split(",") if mark.strip())
    return marked, found


CASES = {
    "plain models": """
        def f(x, y):
            model = Net()
            F.mse_loss(model(x), y).backward()
        """,
    "wrapped here": """
        def f(x, y):
            model = DDP(Net().cuda(), device_ids=[0])
            model.train()
            out = model(x)
            loss = F.mse_loss(out, y)
            loss.backward()  # backward
        """,
    "buffers are sent when gradients are recorded": """
        def f(x, loader):
            model = DDP(Normed())
            out = model(x)  # forward
            with torch.no_grad():
                return model(x)
        """,
    "buffers are not sent when told so": """
        def f(x, loader):
            model = DDP(Normed(), broadcast_buffers=False)
            return model(x)
        """,
    "wrapped under a condition": """
        def f(x, distributed):
            model = Net()
            if distributed:
                model = DDP(model)
            model(x).loss.backward()  # backward
        """,
    "kept in an attribute, wrapped in another method": """
        class Trainer:
            def __init__(self, model):
                self.model = model
                self.scaler = torch.amp.GradScaler()

            def prepare(self):
                self.model = DDP(self.model)

            def step(self, batch):
                self.loss = self.criterion(self.model(batch))
                self.scaler.scale(self.loss / 4).backward()  # backward

            def plain(self, batch):
                model = self.model.module if hasattr(self.model, "module") else self.model
                model(batch).sum().backward()
        """,
    "unwrapped": """
        def f(x):
            model = DDP(Net())
            model.module(x).sum().backward()
        """,
    "detached": """
        def f(x, other):
            model = DDP(Net())
            target = model(x).detach()
            other(x, target).backward()
        """,
    "no gradients": """
        @torch.no_grad()
        def f(x):
            model = FSDP(Net())
            return model(x)  # forward
        """,
    "not synchronized": """
        import contextlib
        def f(batches, last):
            model = DDP(Net())
            for batch in batches:
                with model.no_sync():
                    model(batch).sum().backward()
            with (model.no_sync() if last else contextlib.nullcontext()):
                model(batch).mean().backward()
        """,
    "sharded": """
        def f(x):
            model = FSDP(Net())
            model.eval()
            model.generate(x)  # forward
            model.module(x)  # forward
            model.forward(x)  # forward
            model.state_dict()
        """,
    "sharded in place, by a helper": """
        def apply(net):
            for layer in net.layers:
                fully_shard(layer)
            fully_shard(net)

        def f(x):
            model = Net()
            other = Net()
            apply(model)
            model(x)  # forward
            other(x)
        """,
    "an engine": """
        import deepspeed
        def f(args, x):
            engine, optimizer, _, _ = deepspeed.initialize(args=args, model=Net())
            loss = engine(x)
            engine.backward(loss)  # backward
            engine.step()  # backward
        """,
    "prepared": """
        from accelerate import Accelerator
        def f(net, optimizer, loader):
            accelerator = Accelerator()
            model, optimizer, loader = accelerator.prepare(net, torch.optim.SGD(net.parameters()), loader)
            for batch in loader:
                loss = model(batch)
                accelerator.backward(loss)  # backward
                optimizer.step()
                loss.backward()  # backward
        """,
    "a total of a loop": """
        def f(batches):
            model = DDP(Net())
            total = 0
            for batch in batches:
                total = total + model(batch).mean()
            total.backward()  # backward
        """,
    "horovod": """
        import horovod.torch as hvd
        def f(net):
            optimizer = hvd.DistributedOptimizer(torch.optim.SGD(net.parameters(), 0.1))
            optimizer.step()  # backward
        """,
    "a subclass": """
        class Wrapped(DDP):
            pass
        def f(x):
            model = Wrapped(Net())
            model(x).sum().backward()  # backward
        """,
    "compiled": """
        def f(x):
            model = torch.compile(FSDP(Net()))
            model(x)  # forward
        """,
    "a dictionary is no model": """
        def f(x):
            models = {"a": DDP(Net())}
            x.backward()
        """,
}


@pytest.mark.parametrize("name", CASES)
def test_steps(name: str) -> None:
    marked, found = compared(CASES[name])
    assert found == marked


OTHER = """
    from torch.nn.parallel import DistributedDataParallel

    def wrap(model, device):
        model = model.to(device)
        return DistributedDataParallel(model, device_ids=[device])

    def unwrap(model):
        if isinstance(model, DistributedDataParallel):
            return model.module
        return model

    def train(model, batches):
        for batch in batches:
            loss = model(batch).loss
            loss.backward()  # backward

    def plain(model, batch):
        model(batch).sum().backward()

    def build(model):
        return wrap(model, 0), model.parameters()
    """


def test_helpers_of_another_file() -> None:
    marked, found = compared(
        """
        def main(batches):
            model = wrap(Net(), 0)
            train(model, batches)
            plain(unwrap(model), batches[0])
            other, _ = build(Net())
            other(batches[0]).mean().backward()  # backward
        """,
        OTHER,
    )
    assert found == marked


def test_kinds() -> None:
    made = program({"/project/file.py": HEAD + "a = DDP(Net())\nb = FSDP(Net()).cuda()\nc = Net()\nd = a.module\ne = b.module\n"})
    module = made.modules["/project/file.py"]
    top = made.frame("/project/file.py", module.functions["<module>"])
    kinds = {name: set(made.ask(Parallel).kinds(module.names[name], top)) for name in "abcde"}
    assert kinds == {"a": {"ddp"}, "b": {"fsdp"}, "c": set(), "d": set(), "e": {"fsdp"}}
