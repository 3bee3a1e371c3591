"""What is logged under names that say it, and what only looks as if it were."""

from __future__ import annotations

import pytest

from tests.preflight.programs import verdicts

PROGRAM = """\
import logging
import time
import torch
from torch.utils.data import DataLoader
logger = logging.getLogger()
{before}
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in DataLoader([]):
    optimizer.zero_grad()
    value = torch.nn.functional.mse_loss(net(x), y)
    value.backward()
    optimizer.step()
    {log}
"""
METERS = """\
class Meters(dict):
    def get_filtered_meter(self, word):
        return {key: each for key, each in self.items() if word in key}
meters = Meters()
"""
MESSAGE = """\
def write(number, found):
    message = "step %d: " % number
    for key, each in found.items():
        message += "%s: %.3f " % (key, each)
    print(message)
def latest_losses():
    return {"pixels": 0.0, "features": 0.0}
"""
LATER = (
    "{0}_meter = meters.get_filtered_meter('{0}')\n"
    "    text = ', '.join(['{{}}: {{}}'.format(k, v) for k, v in {0}_meter.items()])"
)

CASES: dict[str, tuple[dict[str, str], str, str]] = {
    "meters of a name": (
        {"before": METERS, "log": LATER.format("loss") + "\n    logger.info('{}, {}'.format(1, text))"},
        "log-loss",
        "seen",
    ),
    "meters of another name": (
        {"before": METERS, "log": LATER.format("time") + "\n    logger.info('{}, {}'.format(1, text))"},
        "log-loss",
        "missing",
    ),
    "a headline with a date": (
        {"before": "print('=== Training Loss (%s) ===' % time.strftime('%c'))", "log": ""},
        "log-loss",
        "missing",
    ),
    "a text with the loss": ({"before": "", "log": "print('Training Loss (%s)' % value.item())"}, "log-loss", "seen"),
    "what gradients are taken of": ({"before": "import wandb", "log": "wandb.log({'mse': value.item()})"}, "log-loss", "seen"),
    "what none are taken of": (
        {"before": "import wandb", "log": "wandb.log({'distance': (net(x) - y).abs().mean().item()})"},
        "log-loss",
        "missing",
    ),
    "a text that a loop puts together": ({"before": MESSAGE, "log": "write(1, latest_losses())"}, "log-loss", "seen"),
    "a list of names": (
        {
            "before": "def draw(folder, keys):\n    for key in keys:\n        print(folder, key)\n",
            "log": "draw('out', ['loss', 'accuracy'] + [f'{part}_loss' for part in ('a', 'b')])",
        },
        "log-loss",
        "missing",
    ),
    "what a model gives": (
        {
            "before": (
                "class Net(torch.nn.Module):\n    def forward(self, x):\n        out = self.inner(x)\n"
                "        out['loss'] = out['logits'].mean()\n        return out\nother = Net()"
            ),
            "log": "other(x)",
        },
        "log-loss",
        "missing",
    ),
    "a warning about an option": (
        {"before": "rate = 2.0\nif rate > 1:\n    logger.warning(f'the learning rate is high: lr={rate}')", "log": ""},
        "log-learning-rate",
        "missing",
    ),
    "a warning in the training": (
        {"before": "", "log": "logger.warning(f'lr={optimizer.param_groups[0][\"lr\"]}')"},
        "log-learning-rate",
        "seen",
    ),
    "the schedule's name": (
        {"before": "lr_scheduler = 'cosine'\nprint('the lr_scheduler is used:', lr_scheduler)", "log": ""},
        "log-learning-rate",
        "missing",
    ),
    "a group of parameters": (
        {"before": "", "log": "for pg in optimizer.param_groups:\n        pg['lr'] = 0.1"},
        "log-learning-rate",
        "missing",
    ),
    "a dict of which nobody knows, and no norm": (
        {"before": "import wandb, others", "log": "wandb.log(others.measure())"},
        "log-gradient-norm",
        "missing",
    ),
    "a dict of somebody else's step": (
        {"before": "import wandb, others", "log": "wandb.log(others.train_step(net, optimizer, x))"},
        "log-gradient-norm",
        "unknown",
    ),
    "a dict of which nobody knows, and a norm": (
        {
            "before": "import wandb, others",
            "log": "torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)\n    wandb.log(others.measure())",
        },
        "log-gradient-norm",
        "unknown",
    ),
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    sources = {name: PROGRAM.format(**parts) for name, (parts, _, _) in CASES.items()}
    return verdicts(tmp_path_factory.mktemp("logged_by_name"), sources)


@pytest.mark.parametrize("case", list(CASES))
def test_verdicts_are_the_right_ones(case: str, found: dict[str, dict[str, str]]) -> None:
    _, name, verdict = CASES[case]
    assert found[case][name] == verdict
