"""What counts as told, and what only looks like it: each small program with the verdicts that a reader gives."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import JobData, as_data
from trainlint.app.preflight.run import preflight

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
    "told when a constant says so": (
        "import wandb\nwandb_log = False\nif wandb_log:\n    wandb.init()",
        "if wandb_log:\n            wandb.log({'loss': loss, 'lr': optimizer.param_groups[0]['lr']})",
        {"log-loss": "unknown", "log-learning-rate": "unknown", "log-memory": "unknown"},
    ),
    "told when a constant that is on says so": (
        "import wandb\nwandb_log = True",
        "if wandb_log:\n            wandb.log({'loss': loss})",
        {"log-loss": "seen"},
    ),
    "a method that logs, of an object that is not known": (
        """
        import logging
        class Metrics:
            def measure(self, name, value):
                logging.info(f'{name} = {value}')
        metrics = {'m': Metrics()}
        """,
        """
        metrics['m'].measure('loss', loss)
        metrics['m'].measure('lr', optimizer.param_groups[0]['lr'])
        """,
        {"log-loss": "seen", "log-learning-rate": "seen"},
    ),
    "a method that only counts": (
        """
        class Metrics:
            def measure(self, name, value):
                self.count = value
        metrics = {'m': Metrics()}
        """,
        "metrics['m'].measure('loss', loss)",
        {"log-loss": "missing"},
    ),
    "a text that grows": (
        "def rate(optimizer):\n    return optimizer.param_groups[0]['lr']",
        """
        line = '<{:d}, lr:{:.3e}> '.format(epoch, rate(optimizer))
        for key, value in {'a': 1}.items():
            line += '{}: {} '.format(key, value)
        print(line)
        """,
        {"log-learning-rate": "seen"},
    ),
    "a headline that grows": (
        "",
        """
        line = 'epoch and lr: '
        for key in range(3):
            line += '{} '.format(key)
        print(line)
        """,
        {"log-learning-rate": "missing"},
    ),
    "what a rate is multiplied by": (
        "lr_mul = 2",
        "print(f'Multiply the learning rate by {lr_mul}')",
        {"log-learning-rate": "missing"},
    ),
    "the rate, and what it is multiplied by": (
        "lr_mul = 2",
        "print('lr', optimizer.param_groups[0]['lr'], 'lr_mul', lr_mul)",
        {"log-learning-rate": "seen"},
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


def test_a_constant_that_is_off_is_named(jobs: dict[str, JobData]) -> None:
    (why,) = [line["why"] for line in jobs["told when a constant says so"]["lines"] if line["name"] == "log-loss"]
    assert "`wandb_log = True`" in why


@pytest.mark.parametrize("name", PROGRAMS)
def test_verdicts_are_those_of_a_reader(name: str, jobs: dict[str, JobData]) -> None:
    wanted = PROGRAMS[name][2]
    lines = {line["name"]: line for line in jobs[name]["lines"]}
    assert {item: lines[item]["verdict"] for item in wanted} == wanted, {item: lines[item]["why"] for item in wanted}


#: A project in two files: what trains, and what judges the model.
JUDGED = """\
import torch
from judging import evaluate, make_test_loader
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
data = {data}
def train():
    for epoch in range(3):
        for batch in data:
            loss = net(batch).square().mean()
            loss.backward()
            optimizer.step()
            {told}
        evaluate(net, make_test_loader())
train()
"""
JUDGING = """\
import torch
def make_test_loader():
    return torch.utils.data.DataLoader(torch.rand(8, 4), num_workers=2, pin_memory=True)
def evaluate(net, loader):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        for batch in loader:
            loss = net(batch).mean()
            print("loss", loss)
"""


@pytest.mark.parametrize(
    ("data", "told", "wanted"),
    [
        ("[torch.rand(8, 4)]", "pass", {"mixed-precision": "missing", "log-loss": "unknown", "workers": "unknown"}),
        (
            "torch.utils.data.DataLoader(torch.rand(8, 4))",
            "print('loss', loss)",
            {"mixed-precision": "missing", "log-loss": "seen", "workers": "missing", "pinned": "missing"},
        ),
    ],
)
def test_what_judges_the_model_says_nothing_of_the_training(tmp_path: Path, data: str, told: str, wanted: dict[str, str]) -> None:
    (tmp_path / ".git").mkdir()
    source = JUDGED.replace("{data}", data).replace("{told}", told)
    (tmp_path / "train.py").write_text(source, encoding="utf-8")
    (tmp_path / "judging.py").write_text(JUDGING, encoding="utf-8")
    report = as_data(preflight([tmp_path], settings_for(Request(paths=(str(tmp_path),), isolated=True))))
    (job,) = [each for each in report["jobs"] if each["script"].endswith("train.py")]
    lines = {line["name"]: line for line in job["lines"]}
    assert {item: lines[item]["verdict"] for item in wanted} == wanted, {item: lines[item]["why"] for item in wanted}
    if wanted["log-loss"] == "seen":
        assert lines["log-loss"]["evidence"][0]["path"].endswith("train.py")
