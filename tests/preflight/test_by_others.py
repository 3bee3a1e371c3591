"""What methods of unknown libraries do that are named after it: they save states, make loaders, seed, run behind a test alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.preflight.programs import verdicts
from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import as_data
from trainlint.app.preflight.run import preflight

#: A training on several ranks: what stands before it, and what each round ends with.
PROGRAM = """\
import os
from pathlib import Path
import torch
import torch.distributed as dist
import tools
from tools import ml, when, unless
{before}
dist.init_process_group("nccl")
net = ml.wrapped(torch.nn.Linear(4, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
def train(batches):
    {made}
    for step, batch in enumerate(batches):
        loss = net(batch).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        {after}
train([torch.rand(8, 4)])
"""

KEEP = """
def keep(net, folder):
    more = {"optimizer.pth": optimizer.state_dict(), "step.pth": 3}
    net.save_to_folder(folder, more)
"""
LINK = """
def keep(net, step):
    folder = Path("out") / f"checkpoint_{step}"
    folder.mkdir()
    torch.save(net.state_dict(), folder / "net.pt")
    last = folder.parent / "last_checkpoint"
    %s
"""

CASES: dict[str, tuple[tuple[str, str, str], dict[str, str]]] = {
    "states are handed to a method that saves": (
        (KEEP, "", "keep(net, f'out/{batch.name}')"),
        {
            "saves": "seen",
            "contents": "seen",
            "frequency": "seen",
            "pruned": "unknown",
            "atomic": "unknown",
            "rank-zero": "unknown",
        },
    ),
    "what is computed from a state is none": (
        ("def show(net): tools.save_image(tools.drawn(net.state_dict()), 'net.png')", "", "show(net)"),
        {"saves": "missing", "contents": "not-needed"},
    ),
    "a function of the project that only calls itself a save": (
        ("def save_numbers(state): print(len(state))", "", "save_numbers(net.state_dict())"),
        {"saves": "missing"},
    ),
    "behind a test that a decorator is handed": (
        (KEEP, "global keep\n    keep = when(lambda: dist.get_rank() == 0)(keep)", "keep(net, 'out')"),
        {"rank-zero": "seen", "frequency": "seen"},
    ),
    "such a decorator above the function": (
        (f"@when(lambda: dist.get_rank() == 0){KEEP}", "", "keep(net, 'out')"),
        {"rank-zero": "seen", "frequency": "seen"},
    ),
    "a test that keeps it from running": (
        (f"@unless(lambda: dist.get_rank() == 0){KEEP}", "", "keep(net, 'out')"),
        {"rank-zero": "unknown", "frequency": "seen"},
    ),
    "a decorator that is handed something else": (
        (KEEP, "global keep\n    keep = when(lambda: net is not None)(keep)", "keep(net, 'out')"),
        {"rank-zero": "unknown", "frequency": "seen"},
    ),
    "a loader that a library makes": (
        ("", "batches = ml.prepare_dataloader(batches, num_workers=4)", ""),
        {"workers": "seen", "pinned": "unknown", "set-epoch": "unknown"},
    ),
    "workers of something else": (
        ("", "tools.prepare_pool(num_workers=4)", ""),
        {"pinned": "not-needed", "set-epoch": "not-needed"},
    ),
    "a function of a library that seeds something": (("", "tools.seed(3)", ""), {"seeds": "unknown"}),
    "the same where Python's is seeded, too": (("import random\nrandom.seed(3)", "tools.seed(3)", ""), {"seeds": "unknown"}),
    "and where all are": (("torch.manual_seed(3)", "tools.seed(3)", ""), {"seeds": "seen"}),
    "an environment is seeded": (
        ("import gymnasium", "env = gymnasium.make('Ant')\n    env.seed(3)", ""),
        {"seeds": "missing"},
    ),
    "an object of a library is seeded": (("", "tools.World().seed(3)", ""), {"seeds": "missing"}),
    "PyTorch draws another seed": (("", "torch.seed()", ""), {"seeds": "missing"}),
    "a link is made again": (
        (LINK % "if last.is_symlink(): last.unlink()\n    last.symlink_to(folder)", "", "keep(net, step)"),
        {"pruned": "missing"},
    ),
    "a link is made again by a function": (
        (LINK % "if os.path.islink(last): os.unlink(last)\n    os.symlink(folder, last)", "", "keep(net, step)"),
        {"pruned": "missing"},
    ),
    "a checkpoint is removed": (
        (
            LINK % "(folder.parent / f'checkpoint_{step - 1}' / 'net.pt').unlink()\n    last.symlink_to(folder)",
            "",
            "keep(net, step)",
        ),
        {"pruned": "seen"},
    ),
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """By the name of its program what each line says."""
    sources = {
        name: PROGRAM.replace("{before}", before.lstrip("\n"))
        .replace("{made}", made or "pass")
        .replace("{after}", after or "pass")
        for name, ((before, made, after), _) in CASES.items()
    }
    return verdicts(tmp_path_factory.mktemp("programs"), sources)


@pytest.mark.parametrize("name", CASES)
def test_verdicts_are_those_of_a_reader(name: str, found: dict[str, dict[str, str]]) -> None:
    wanted = CASES[name][1]
    assert {item: found[name][item] for item in wanted} == wanted


def test_a_function_that_is_scripted_is_no_model_but_it_is_compiled(tmp_path: Path) -> None:
    before = "@torch.jit.script\ndef snake(x):\n    return x + torch.sin(x)"
    for name, source in {"scripted": before, "plain": before.partition("\n")[2]}.items():
        (tmp_path / name / ".git").mkdir(parents=True)
        text = PROGRAM.replace("{before}", source).replace("{made}", "pass").replace("{after}", "snake(loss)")
        (tmp_path / name / "train.py").write_text(text, encoding="utf-8")
    report = as_data(preflight([tmp_path], settings_for(Request(paths=(str(tmp_path),), isolated=True))))
    plain, scripted = (
        next(line for line in job["lines"] if line["name"] == "compile")
        for job in sorted(report["jobs"], key=lambda each: each["script"])
    )
    assert (plain["verdict"], plain["why"]) == ("missing", "Nothing is compiled.")
    assert (scripted["verdict"], scripted["why"]) == ("missing", "Single functions are compiled, and the model is not.")
    assert [each["row"] for each in scripted["evidence"]] == [7]
