"""Jobs that a framework's trainer runs: what callbacks do, what the trainer does by itself, what it does not."""

from __future__ import annotations

import pytest

from tests.preflight.programs import verdicts

#: A training of Transformers: what stands before its arguments, more of these, more of the trainer's.
HUGGING = """\
import random
import torch
from torch.utils.data import IterableDataset
from accelerate import Accelerator, InitProcessGroupKwargs
from transformers import AutoModelForCausalLM, Trainer, TrainerCallback, TrainingArguments

class Lines(IterableDataset):
    def __init__(self, path):
        self.path = path
    def __iter__(self):
        {order}
        yield from open(self.path)
{before}
model = AutoModelForCausalLM.from_pretrained("gpt2")
def make(path):
    return Lines(path), Lines("eval.txt")
def run(train, test):
    {early}
    arguments = TrainingArguments("out"{arguments})
    {late}
    trainer = Trainer(model=model, args=arguments, train_dataset={data}{trainer})
    {added}
    trainer.train()
one, other = make("train.txt")
run(one, other)
"""
SAVES = """
class Save(TrainerCallback):
    def on_save(self, args, state, control, **kwargs):
        {test}
            torch.save(kwargs["model"].state_dict(), "model.pt")
"""
LOADS = """
class Load(TrainerCallback):
    def on_train_end(self, args, state, control, **kwargs):
        kwargs["model"].load_state_dict(torch.load("model.pt"))
"""

CASES: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "iterable data that nothing shuffles": ({"data": "train"}, {"set-epoch": "missing"}),
    "iterable data that draw their order": ({"data": "train", "order": "random.shuffle([])"}, {"set-epoch": "unknown"}),
    "iterable data that are told the epoch": (
        {"data": "train", "order": "pass\n    def set_epoch(self, epoch):\n        self.epoch = epoch\n    def more(self):"},
        {"set-epoch": "seen"},
    ),
    "data of which nothing is known": ({"data": "load()"}, {"set-epoch": "not-needed"}),
    "a group that is started before": ({"early": "print(Accelerator().process_index)"}, {"timeout": "missing"}),
    "a group that is started before, elsewhere": (
        {"before": "def name():\n    return Accelerator().process_index", "early": "name()"},
        {"timeout": "missing"},
    ),
    "a group that is asked for afterwards": ({"late": "print(Accelerator().process_index)"}, {"timeout": "not-needed"}),
    "a group that is started before, with a timeout": (
        {"early": "Accelerator(kwargs_handlers=[InitProcessGroupKwargs(timeout=900)])"},
        {"timeout": "seen"},
    ),
    "callbacks that are handed over as classes": (
        {"before": SAVES.replace("{test}", "if True:") + LOADS, "trainer": ", callbacks=[Save, Load]"},
        {"rank-zero": "missing", "loads": "seen"},
    ),
    "callbacks that are added as classes": (
        {"before": LOADS, "added": "trainer.add_callback(Load)"},
        {"rank-zero": "not-needed", "loads": "seen"},
    ),
    "callbacks in a list that grows": (
        {"before": LOADS, "early": "hooks = []\n    hooks.append(Load)", "trainer": ", callbacks=hooks"},
        {"loads": "seen"},
    ),
    "a class that is only asked about": (
        {"before": LOADS, "added": "print(isinstance(trainer, Load))\n    trainer.remove_callback(Load)"},
        {"loads": "unknown"},
    ),
    "a callback of one rank": (
        {"before": SAVES.replace("{test}", "if state.is_world_process_zero:"), "trainer": ", callbacks=[Save()]"},
        {"rank-zero": "not-needed"},
    ),
    "a model that each rank saves behind the training": (
        {"added": "model.save_pretrained('last')"},
        {"rank-zero": "unknown"},
    ),
    "a tokenizer that is saved": ({"added": "tokenizer.save_pretrained('last')"}, {"rank-zero": "not-needed"}),
    "weights alone are saved": ({"arguments": ", save_only_model=True"}, {"contents": "missing"}),
    "all is saved": ({"arguments": ", save_only_model=False"}, {"contents": "not-needed"}),
    "the best one is loaded": ({"arguments": ", load_best_model_at_end=True"}, {"loads": "seen"}),
    "the best one is not loaded": ({"arguments": ", load_best_model_at_end=False"}, {"loads": "missing"}),
    "reports to Weights & Biases": ({"arguments": ", report_to=['tensorboard', 'wandb']"}, {"log-memory": "seen"}),
    "reports to TensorBoard": ({"arguments": ", report_to='tensorboard'"}, {"log-memory": "missing"}),
    "reports to nobody": ({"arguments": ", report_to='none'"}, {"log-memory": "missing"}),
    "reports to whatever is installed": ({"arguments": ", report_to='all'"}, {"log-memory": "unknown"}),
    "reports to whom an option says": ({"arguments": ", report_to=name"}, {"log-memory": "unknown"}),
}

#: A loop of the project's own with hooks: what stands before it, how it makes its hooks, how it calls them.
HOOKED = """\
import torch

class Save:
    def before_epoch(self, trainer):
        pass
    def after_epoch(self, trainer):
        torch.save(trainer.net.state_dict(), f"net{trainer.epoch}.pt")
    def after_train(self, trainer):
        pass
class Tell:
    def after_epoch(self, trainer):
        print("loss", trainer.loss)
    def after_train(self, trainer):
        torch.save(trainer.net.state_dict(), "last.pt")
class Trainer:
    def __init__(self, hooks):
        self.net = torch.nn.Linear(4, 2)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.hooks = []
        for hook in hooks:
            self.hooks.append(hook)
    def call(self, name):
        for hook in self.hooks:
            if hasattr(hook, name):
                getattr(hook, name)(self)
    def train(self):
        for self.epoch in range(3):
            self.loss = self.net(torch.rand(8, 4)).square().mean()
            self.optimizer.zero_grad()
            self.loss.backward()
            self.optimizer.step()
            {round}
        {behind}
Trainer([{hooks}]).train()
"""
BY_LOOP = "for hook in self.hooks:\n                hook.after_epoch(self)"

HOOKS: dict[str, tuple[tuple[str, str, str], dict[str, str]]] = {
    "hooks that a loop calls": ((BY_LOOP, "", "Save(), Tell()"), {"saves": "seen", "frequency": "seen", "log-loss": "seen"}),
    "hooks that are not made": ((BY_LOOP, "", "Tell()"), {"saves": "unknown", "log-loss": "seen"}),
    "hooks that are called by their names": (
        ("self.call('after_epoch')", "", "Save(), Tell()"),
        {"saves": "seen", "frequency": "seen", "log-loss": "seen"},
    ),
    "hooks behind the training": (
        ("", "for hook in self.hooks:\n            hook.after_train(self)", "Save(), Tell()"),
        {"saves": "seen", "frequency": "missing", "log-loss": "missing"},
    ),
}

#: A training of Lightning with a method of its own; what calls that.
LIGHTNING = """\
import lightning as L
import torch

class Net(L.LightningModule):
    def training_step(self, batch, index):
        return self(batch).mean()
    def export_model(self, path):
        torch.save({"state_dict": self.state_dict()}, path)
    def on_train_epoch_end(self):
        {hook}

net = Net()
L.Trainer(max_epochs=3).fit(net)
{behind}
"""
LIGHTNINGS: dict[str, tuple[tuple[str, str], dict[str, str]]] = {
    "a method that nobody calls": (("pass", ""), {"rank-zero": "not-needed"}),
    "a method that a hook calls": (("self.export_model('net.pt')", ""), {"rank-zero": "unknown"}),
    "a method that the script calls": (("pass", "net.export_model('net.pt')"), {"rank-zero": "unknown"}),
    "a method that is called by its name": (("getattr(self, self.how)('net.pt')", ""), {"rank-zero": "unknown"}),
    "a hook that saves": (("torch.save(self.state_dict(), 'net.pt')", ""), {"rank-zero": "missing"}),
}

#: A training of Composer with some arguments.
COMPOSER = """\
import composer
from composer.utils import dist

def main(model, data, folder):
    trainer = composer.Trainer(model=model, train_dataloader=data, max_duration="2ep"{arguments})
    trainer.fit()
main(load(), DataLoader(load(), sampler=dist.get_sampler(load())), "out")
"""
COMPOSERS: dict[str, tuple[str, dict[str, str]]] = {
    "a folder": (
        ", save_folder='out', seed=17",
        {
            "saves": "seen",
            "frequency": "not-needed",
            "pruned": "missing",
            "contents": "not-needed",
            "timeout": "not-needed",
            "seeds": "seen",
            "set-epoch": "seen",
        },
    ),
    "a few are kept": (
        ", save_folder='out', save_num_checkpoints_to_keep=3, dist_timeout=900",
        {"pruned": "seen", "timeout": "seen"},
    ),
    "weights alone": (", save_folder='out', save_weights_only=True", {"contents": "missing", "seeds": "missing"}),
    "callbacks that log": (
        ", callbacks=[composer.callbacks.LRMonitor(), composer.callbacks.OptimizerMonitor()]",
        {"log-learning-rate": "seen", "log-gradient-norm": "seen", "log-memory": "missing"},
    ),
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """For each case the verdicts of its lines."""
    sources: dict[str, str] = {}
    for case, (parts, _) in CASES.items():
        text = HUGGING
        for name in ("before", "arguments", "trainer"):
            text = text.replace("{" + name + "}", parts.get(name, ""))
        for name in ("order", "early", "late", "added"):
            text = text.replace("{" + name + "}", parts.get(name, "pass"))
        sources[case] = text.replace("{data}", parts.get("data", "[]"))
    for case, ((each_round, behind, hooks), _) in HOOKS.items():
        text = HOOKED.replace("{round}", each_round or "pass").replace("{behind}", behind).replace("{hooks}", hooks)
        sources[case] = text
    for case, ((hook, behind), _) in LIGHTNINGS.items():
        sources[case] = LIGHTNING.replace("{hook}", hook).replace("{behind}", behind)
    for case, (arguments, _) in COMPOSERS.items():
        sources[case] = COMPOSER.replace("{arguments}", arguments)
    return verdicts(tmp_path_factory.mktemp("trainers"), sources)


@pytest.mark.parametrize("case", [*CASES, *HOOKS, *LIGHTNINGS, *COMPOSERS])
def test_verdicts_are_the_right_ones(case: str, found: dict[str, dict[str, str]]) -> None:
    wanted = {**CASES, **HOOKS, **LIGHTNINGS, **COMPOSERS}[case][1]
    assert {name: found[case][name] for name in wanted} == wanted
