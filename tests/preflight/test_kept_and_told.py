"""What small programs keep and tell: each with the verdicts that a reader gives.

All of them are looked at in one run; each lies in a folder of its own.
"""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import JobData, as_data
from trainlint.app.preflight.run import preflight

#: A training with two places to fill in: what stands before it, and what each round ends with.
ROUNDS = """\
import argparse
import os
import torch
{before}
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
def train(args):
    for epoch in range(3):
        loss = net(torch.rand(8, 4)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        {round}
        optimizer.step()
    {after}
train(args)
"""

#: By name: what stands before the training, what it does in each round, what behind it, and what is so.
PROGRAMS: dict[str, tuple[str, str, str, dict[str, str]]] = {
    "counted by global": (
        """
        step = 0
        def count():
            global step
            step += 1
            torch.save({"net": net.state_dict(), "optimizer": optimizer.state_dict()}, f"net_{step}.pt")
        """,
        "count()",
        "",
        {"atomic": "not-needed", "pruned": "missing", "contents": "seen"},
    ),
    "last one behind the loop": (
        "",
        "torch.save(net.state_dict(), 'net%d.pt' % epoch)",
        "torch.save(net.state_dict(), 'net.pt')",
        {"atomic": "not-needed", "pruned": "missing"},
    ),
    "once before the loop, by the same function": (
        """
        def keep(state, path):
            torch.save(state, path)
        keep({"net": 1}, "first.pt")
        """,
        "keep(net.state_dict(), f'net_{epoch}.pt')",
        "",
        {"atomic": "not-needed", "pruned": "missing"},
    ),
    "written over in the loop": (
        "",
        "torch.save(net.state_dict(), 'net.pt')",
        "",
        {"atomic": "missing", "pruned": "not-needed", "frequency": "seen", "contents": "missing"},
    ),
    "what a probe saw": (
        """
        class Probe:
            def log_tensor(self, x):
                torch.save(x, self.tensors_folder / "x.pt")
        probe = Probe()
        """,
        "probe.log_tensor(loss)",
        "",
        {"saves": "missing", "frequency": "missing"},
    ),
    "what an evaluation found": (
        "evaluator = make()",
        "torch.save(evaluator.found['box'].eval, 'latest.pth')",
        "torch.save(net.state_dict(), 'net.pt')",
        {"saves": "seen", "frequency": "missing", "atomic": "not-needed"},
    ),
    "sharded, with a dict of its own": (
        """
        import torch.distributed.checkpoint as dcp
        from torch.distributed.checkpoint.state_dict import get_state_dict
        FOLDER = "{:010d}"
        class Saver:
            def state(self, net, optimizer):
                one, other = get_state_dict(net, optimizer)
                return {"model": one, "optim": other}
            def keep(self, step):
                dcp.save(self.state(net, optimizer), checkpoint_id=os.path.join("out", FOLDER.format(step)))
        saver = Saver()
        """,
        "saver.keep(epoch)",
        "",
        {"contents": "seen", "atomic": "not-needed", "pruned": "missing"},
    ),
    "only when an option says where": (
        "parser = argparse.ArgumentParser(); parser.add_argument('--out'); args = parser.parse_args()",
        "if args.out: torch.save(net.state_dict(), args.out)",
        "",
        {"saves": "unknown", "frequency": "unknown"},
    ),
    "told by a method with a name of its own": (
        "from tensorboard_logger import Logger\nlogger = Logger('out')",
        "logger.log_value('learning_rate', optimizer.param_groups[0]['lr'], epoch)",
        "",
        {"log-learning-rate": "seen", "log-loss": "missing"},
    ),
    "told by a function that is handed a dict": (
        """
        from torch.utils.tensorboard import SummaryWriter
        writer = SummaryWriter()
        def summarize(writer, step, scalars={}):
            for name, value in scalars.items():
                writer.add_scalar(name, value, step)
        """,
        """
        norm = torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        scalars = {"loss/total": loss, "grad_norm": norm}
        scalars.update({"images": 3})
        summarize(writer, epoch, scalars=scalars)
        """,
        "",
        {"log-loss": "seen", "log-gradient-norm": "seen", "log-learning-rate": "missing"},
    ),
    "handed to a function that does something else": (
        "def weigh(parts):\n    return sum(parts.values())",
        "total = weigh({'loss/one': loss, 'grad_norm': 0})",
        "",
        {"log-loss": "missing", "log-gradient-norm": "missing"},
    ),
    "other metrics under the name of a loss": (
        """
        class Logger:
            def __init__(self):
                self.running_loss = {}
            def push(self, metrics):
                for key in metrics:
                    if key not in self.running_loss:
                        self.running_loss[key] = 0.0
                    self.running_loss[key] += metrics[key]
                for key in self.running_loss:
                    self.writer.add_scalar(key, self.running_loss[key] / 100)
        logger = Logger()
        """,
        "logger.push({'epe': 1.0})",
        "",
        {"log-loss": "missing"},
    ),
    "something from elsewhere": (
        "import wandb\nfrom nowhere import collected",
        "wandb.log(collected(net))",
        "",
        {"log-loss": "unknown"},
    ),
    "metrics that are logged, one of them of the loss": (
        """
        import tensorflow as tf
        mean = tf.keras.metrics.Mean("train/loss")
        def tell(metrics, step):
            for metric in metrics:
                tf.summary.log(metric.name, metric.result(), step=step)
        """,
        "mean.update_state(loss)\ntell([mean], epoch)",
        "",
        {"log-loss": "seen"},
    ),
    "an accuracy alone": (
        "import wandb",
        "wandb.log({'accuracy': 0.5})",
        "",
        {"log-loss": "missing"},
    ),
    "a running loss": (
        "running_loss = {}",
        """
        running_loss['all'] = running_loss.get('all', 0) + loss.item()
        print(running_loss['all'] / 100)
        """,
        "",
        {"log-loss": "seen"},
    ),
    "dashes, warnings and headlines": (
        """
        print("static_loss_scale is old")
        print("%10s" * 2 % ("epoch", "box_loss"))
        """,
        """
        said = "loss %.3f" % 0.5
        print("-" * len(said))
        """,
        "",
        {"log-loss": "missing"},
    ),
    "options that are filled in": (
        "config_kwargs = {}",
        "config_kwargs.update({'optimizer.params.lr': 0.1})",
        "",
        {"log-learning-rate": "missing"},
    ),
    "only when an option says so": (
        "parser = argparse.ArgumentParser(); parser.add_argument('--verbose', action='store_true'); args = parser.parse_args()",
        "if args.verbose: print('loss', loss.item())",
        "",
        {"log-loss": "unknown"},
    ),
    "only on the first rank": (
        """
        parser = argparse.ArgumentParser()
        parser.add_argument('--local_rank', type=int, default=-1)
        args = parser.parse_args()
        """,
        "if args.local_rank == 0: print('loss', loss.item())",
        "",
        {"log-loss": "seen"},
    ),
    "a clip of its own that is handed None": (
        """
        def clip_grad_value_(parameters, clip_value, norm_type=2):
            total = 0
            for p in parameters:
                total += p.grad.norm(norm_type).item()
                if clip_value is not None:
                    p.grad.data.clamp_(min=-clip_value, max=clip_value)
            return total
        """,
        "norm = clip_grad_value_(net.parameters(), None)",
        "",
        {"clipping": "missing"},
    ),
    "a clip of its own that only measures": (
        "def clip_grad_norm(parameters, most):\n    return sum(p.grad.norm() for p in parameters)",
        "norm = clip_grad_norm(net.parameters(), 1.0)",
        "",
        {"clipping": "missing"},
    ),
    "a clip of its own": (
        """
        def clip_grad_norm(parameters, most):
            for p in parameters:
                p.grad *= most / p.grad.norm()
        """,
        "clip_grad_norm(net.parameters(), 1.0)",
        "",
        {"clipping": "seen"},
    ),
    "pictures that are clipped": (
        "import tensorflow as tf\nimage = tf.clip_by_value(load('a.png'), 0.0, 1.0)",
        "",
        "",
        {"clipping": "missing"},
    ),
    "gradients that are clipped one by one": (
        "import tensorflow as tf",
        "grads = [tf.clip_by_norm(grad, 1.0) for grad in net.grads]",
        "",
        {"clipping": "seen"},
    ),
    "what a checkpoint is made with": (
        "import tensorflow as tf\nkept = tf.train.Checkpoint(model=net, optimizer=optimizer)",
        "kept.save('out')",
        "",
        {"contents": "seen"},
    ),
    "an optimizer behind a test": (
        "from nowhere import settings\nfrom torch.distributed.fsdp import FullyShardedDataParallel as FSDP",
        """
        state = {"net": net.state_dict()}
        if settings.whole:
            state["optim"] = FSDP.optim_state_dict(net, optimizer)
        torch.save(state, "net.pt")
        """,
        "",
        {"contents": "unknown"},
    ),
    "bytes of a state": (
        "from flax import serialization\nopt_state = serialization.from_bytes(None, open('opt_state', 'rb').read())",
        "open('opt_state', 'wb').write(serialization.to_bytes(opt_state))",
        "",
        {"saves": "seen", "loads": "seen", "contents": "seen"},
    ),
    "how long a schedule lasts": (
        """
        class Annealing:
            def __init__(self, max_steps):
                self.max_steps = max_steps
            def rate(self, step):
                return 0.1 if step < self.max_steps else 0.0
        schedule = Annealing(max_steps=100)
        """,
        "schedule.rate(epoch)",
        "",
        {"dry-run": "missing"},
    ),
    "rounds of a solver": (
        "",
        "torch.svd_lowrank(net.weight, q=2, niter=4)",
        "",
        {"dry-run": "missing"},
    ),
    "how long an evaluation lasts": (
        """
        def evaluate(settings):
            for index in range(settings.steps):
                net(torch.rand(8, 4))
        """,
        "evaluate(args)",
        "",
        {"dry-run": "missing"},
    ),
    "steps that the loop counts to": (
        "from nowhere import settings",
        "if epoch >= settings.steps: break",
        "",
        {"dry-run": "seen"},
    ),
    "a bound of what only an option starts": (
        """
        parser = argparse.ArgumentParser()
        parser.add_argument('--warm', action='store_true')
        args = parser.parse_args()
        def warm(max_iters):
            for index in range(max_iters):
                net(torch.rand(8, 4)).mean().backward()
        if args.warm: warm(3)
        """,
        "",
        "",
        {"dry-run": "missing"},
    ),
    "a value of a configuration that ends the run": (
        "import json\nconfig = json.load(open('config.json'))",
        "if epoch >= config['training']['total_train_steps']: break",
        "",
        {"dry-run": "seen"},
    ),
}


#: A whole program: Lightning's trainer runs the loop.
LIGHTNING = """\
import lightning as L
from lightning.pytorch.callbacks import ModelCheckpoint

class Net(L.LightningModule):
    def training_step(self, batch, index):
        return self(batch).mean()

L.Trainer(callbacks=[ModelCheckpoint(save_top_k={most})]).fit(Net())
"""


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, JobData]:
    """By the name of its program each checklist."""
    top = tmp_path_factory.mktemp("programs")
    for number, (before, each_round, behind, _) in enumerate(PROGRAMS.values()):
        folder = top / str(number)
        folder.mkdir()
        (folder / ".git").mkdir()
        source = ROUNDS.replace("{before}", dedent(before).strip())
        source = source.replace("{round}", indent(dedent(each_round).strip(), " " * 8).strip()).replace("{after}", behind)
        (folder / "train.py").write_text(source, encoding="utf-8")
    for most in (-1, 3):
        folder = top / f"lightning{most}"
        folder.mkdir()
        (folder / ".git").mkdir()
        (folder / "train.py").write_text(LIGHTNING.replace("{most}", str(most)), encoding="utf-8")
    report = as_data(preflight([top], settings_for(Request(paths=(str(top),), isolated=True))))
    names = list(PROGRAMS)
    folders = [(Path(job["script"]).parent.name, job) for job in report["jobs"]]
    return {names[int(folder)] if folder.isdigit() else folder: job for folder, job in folders}


@pytest.mark.parametrize("name", PROGRAMS)
def test_verdicts_are_those_of_a_reader(name: str, jobs: dict[str, JobData]) -> None:
    wanted = PROGRAMS[name][3]
    lines = {line["name"]: line for line in jobs[name]["lines"]}
    assert {item: lines[item]["verdict"] for item in wanted} == wanted, {item: lines[item]["why"] for item in wanted}


def test_lightning_removes_nothing_when_it_is_told_to_keep_all(jobs: dict[str, JobData]) -> None:
    verdicts = [
        next(line["verdict"] for line in jobs[f"lightning{most}"]["lines"] if line["name"] == "pruned") for most in (-1, 3)
    ]
    assert verdicts == ["missing", "seen"]
