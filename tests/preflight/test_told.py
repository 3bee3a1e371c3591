"""What counts as told, and what only looks like it: each small program with the verdicts that a reader gives."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import pytest

from trainlint.cli.run import Request
from trainlint.cli.settings import settings_for
from trainlint.preflight.as_data import JobData, as_data
from trainlint.preflight.run import preflight

#: A training with two places to fill in: what stands before it, and what each round does.
ROUNDS = """\
import torch
{before}
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
def train(config):
    for epoch in range(3):
        loss = net(torch.rand(8, 4)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        {round}
train({{"lr": 0.1, "rounds": 3}})
"""

#: By name: what stands before the training, what each round does, and what is so.
PROGRAMS: dict[str, tuple[str, str, dict[str, str]]] = {
    "the scale of a loss": ("scaler = 1", "print(f'lg_loss_scale {scaler}')", {"log-loss": "missing"}),
    "the scale, and the loss": ("scaler = 1", "print('loss_scale', scaler, 'loss', loss)", {"log-loss": "seen"}),
    "how the rate decays": ("style = input()", "print('learning rate decay style', style)", {"log-learning-rate": "missing"}),
    "rates with numbers": (
        "from torch.utils.tensorboard import SummaryWriter\nwriter = SummaryWriter()",
        """
        for tag, value in zip(['x/lr0', 'x/lr1'], [group['lr'] for group in optimizer.param_groups]):
            writer.add_scalar(tag, value, epoch)
        """,
        {"log-learning-rate": "seen"},
    ),
    "a configuration that is pickled": (
        """
        import pickle
        def send(thing):
            with open('thing', 'wb') as file:
                pickle.dump(thing, file)
        """,
        "send(config)",
        {"log-learning-rate": "missing"},
    ),
    "a logarithm": ("import math", "net.weight.data *= math.log(1 + loss.item())", {"log-loss": "missing"}),
    "an object with the word in its class": (
        """
        class ScalerWithGradNorm:
            pass
        def tell(scaler):
            print('the scaler is', scaler)
        """,
        "tell(ScalerWithGradNorm())",
        {"log-gradient-norm": "missing"},
    ),
    "handed on and printed": (
        """
        def tell(name, value):
            print(name, value)
        """,
        "tell('lr', optimizer.param_groups[0]['lr'])",
        {"log-learning-rate": "seen"},
    ),
}


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, JobData]:
    """By the name of its program each checklist."""
    top = tmp_path_factory.mktemp("programs")
    for number, (before, each_round, _) in enumerate(PROGRAMS.values()):
        folder = top / str(number)
        folder.mkdir()
        (folder / ".git").mkdir()
        source = ROUNDS.replace("{{", "{").replace("}}", "}").replace("{before}", dedent(before).strip())
        source = source.replace("{round}", indent(dedent(each_round).strip(), " " * 8).strip())
        (folder / "train.py").write_text(source, encoding="utf-8")
    report = as_data(preflight([top], settings_for(Request(paths=(str(top),), isolated=True))))
    names = list(PROGRAMS)
    return {names[int(Path(job["script"]).parent.name)]: job for job in report["jobs"]}


@pytest.mark.parametrize("name", PROGRAMS)
def test_verdicts_are_those_of_a_reader(name: str, jobs: dict[str, JobData]) -> None:
    wanted = PROGRAMS[name][2]
    lines = {line["name"]: line for line in jobs[name]["lines"]}
    assert {item: lines[item]["verdict"] for item in wanted} == wanted, {item: lines[item]["why"] for item in wanted}
