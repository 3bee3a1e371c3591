"""What tests and values come to where nobody says anything: variables of the environment, flags of absl, helpers, devices."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import CheckedLine, as_data
from trainlint.app.preflight.run import preflight

LOOP = """
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
data = torch.utils.data.TensorDataset(torch.rand(8, 4), torch.rand(8, 2))
for epoch in range(3):
    for x, y in torch.utils.data.DataLoader(data, num_workers={workers}, pin_memory={pinned}):
        loss = torch.nn.functional.mse_loss(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""


def loop(workers: str = "2", pinned: str = "True") -> str:
    return LOOP.format(workers=workers, pinned=pinned)


def loop_and(last: str) -> str:
    return loop() + f"    {last}\n"


@pytest.fixture
def looked(tmp_path: Path):  # type: ignore[no-untyped-def]
    def look(script: str = "train.py", **files: str) -> dict[str, CheckedLine]:
        (tmp_path / ".git").mkdir(exist_ok=True)
        for name, text in files.items():
            stem, _, ending = name.rpartition("_")
            path = tmp_path / f"{stem}.{ending}"
            path.write_text(textwrap.dedent(text), encoding="utf-8")
        target = tmp_path / script
        (job,) = as_data(preflight([target], settings_for(Request(paths=(str(target),), isolated=True))))["jobs"]
        return {line["name"]: line for line in job["lines"]}

    return look


@pytest.mark.parametrize(
    ("test", "verdict"),
    [
        ("os.environ.get('SEEDED')", "unknown"),
        ("os.getenv('SEEDED', '0') in ('1', 'true')", "unknown"),
        ("os.getenv('SEEDED', 'no').lower() == 'yes'", "unknown"),
        ("int(os.environ.get('SEEDED', 0))", "unknown"),
        ("'SEEDED' in os.environ", "unknown"),
        ("bool(int(os.environ.get('SEEDED', '1')))", "seen"),
        ("os.getenv('SEEDED', 'yes') == 'yes'", "seen"),
        ("'LOCAL_RANK' in os.environ", "seen"),  # a launcher sets it
        ("int(os.environ.get('RANK', -1)) != -1", "seen"),
    ],
)
def test_a_variable_of_the_environment_is_off_unless_it_is_set(looked, test: str, verdict: str) -> None:  # type: ignore[no-untyped-def]
    found = looked(train_py=f"import os\nimport torch\nif {test}:\n    torch.manual_seed(3)\n{loop()}")
    assert found["seeds"]["verdict"] == verdict
    assert ("`SEEDED` in the environment" in found["seeds"]["why"]) is (verdict == "unknown")


def test_a_variable_that_the_job_or_a_launch_line_sets_is_not_off(looked) -> None:  # type: ignore[no-untyped-def]
    script = f"import os\nimport torch\nif os.environ.get('SEEDED'):\n    torch.manual_seed(3)\n{loop()}"
    assert looked(train_py=script, run_sh="SEEDED=1 python train.py\n")["seeds"]["verdict"] == "seen"
    own = script.replace("import torch\n", "import torch\nos.environ['SEEDED'] = '1'\n")
    assert looked(train_py=own, run_sh="python train.py\n")["seeds"]["verdict"] == "seen"


def test_a_helper_is_asked_with_what_it_is_passed(looked) -> None:  # type: ignore[no-untyped-def]
    helper = "import os\n\ndef is_set(name, otherwise='0'):\n    return os.getenv(name, otherwise).lower() in ['1', 'true']\n"
    script = "import torch\nfrom helper import is_set\nif is_set({}):\n    torch.manual_seed(3)\n" + loop()
    assert looked(helper_py=helper, train_py=script.format("'SEEDED'"))["seeds"]["verdict"] == "unknown"
    assert looked(helper_py=helper, train_py=script.format("'SEEDED', '1'"))["seeds"]["verdict"] == "seen"
    kept = script.replace(
        "if is_set({}):",
        "class Run:\n    def __init__(self):\n        self.seeded = is_set('SEEDED')\n\n"
        "    def begin(self):\n        if self.seeded:\n            torch.manual_seed(3)\n\nRun().begin()\nif False:",
    )
    assert (
        looked(helper_py=helper, train_py=kept.replace("if False:\n    torch.manual_seed(3)\n", ""))["seeds"]["verdict"]
        == "unknown"
    )


@pytest.mark.parametrize(
    ("declared", "verdict"),
    [
        ("flags.DEFINE_integer('seed', None, 'a seed')", "unknown"),
        ("flags.DEFINE_integer('seed', 3, 'a seed')", "seen"),
        ("flags.DEFINE_integer('seed', None, 'a seed', required=True)", "seen"),
        ("flags.DEFINE_integer('seed', None, 'a seed')\n    flags.mark_flag_as_required('seed')", "seen"),
    ],
)
def test_flags_of_absl_have_their_defaults(looked, declared: str, verdict: str) -> None:  # type: ignore[no-untyped-def]
    script = (
        "import torch\nfrom absl import app, flags\n\nFLAGS = flags.FLAGS\n\ndef define():\n"
        f"    {declared}\n\ndef main(_):\n    if FLAGS.seed:\n        torch.manual_seed(FLAGS.seed)\n"
        f"{textwrap.indent(loop(), '    ')}\n\ndefine()\napp.run(main)\n"
    )
    assert looked(train_py=script)["seeds"]["verdict"] == verdict


PARSER = "import argparse\nimport torch\nparser = argparse.ArgumentParser()\n{}\nargs = parser.parse_args()\n"


def test_a_number_is_what_it_is_made_from(looked) -> None:  # type: ignore[no-untyped-def]
    options = PARSER.format("parser.add_argument('--threads', default=0, type=int)\nparser.add_argument('--most', default='4')")
    assert looked(train_py=options + loop("int(args.threads)"))["workers"]["verdict"] == "unknown"
    assert looked(train_py=options + loop("int(args.most)"))["workers"]["verdict"] == "seen"


def test_a_device_is_no_text(looked) -> None:  # type: ignore[no-untyped-def]
    script = "import torch\n\ndef start():\n    return 0, torch.device('cuda')\n\nrank, device = start()\n"
    assert looked(train_py=script + loop(pinned="device == 'cuda'"))["pinned"]["verdict"] == "missing"
    assert looked(train_py=script + loop(pinned="device.type == 'cuda'"))["pinned"]["verdict"] == "seen"
    text = script.replace("torch.device('cuda')", "'cuda'")
    assert looked(train_py=text + loop(pinned="device == 'cuda'"))["pinned"]["verdict"] == "seen"


def test_the_option_that_is_named_is_the_innermost(looked) -> None:  # type: ignore[no-untyped-def]
    options = PARSER.format("parser.add_argument('--every', type=int)\nparser.add_argument('--keep', type=int)")
    behind = "if args.every is not None:\n    if args.keep is not None:\n        torch.manual_seed(3)\n"
    assert "only with --keep" in looked(train_py=options + behind + loop())["seeds"]["why"]


def test_a_function_that_returns_nothing_unless_an_option_is_said(looked) -> None:  # type: ignore[no-untyped-def]
    options = PARSER.format("parser.add_argument('--keep', type=int{})")
    behind = (
        "def seed_of(given, step):\n    if given.keep is None:\n        return None\n    found = step - given.keep\n"
        "    return found\n\nseed = seed_of(args, 8)\nif seed is not None:\n    torch.manual_seed(seed)\n"
    )
    assert "only with --keep" in looked(train_py=options.format("") + behind + loop())["seeds"]["why"]
    assert looked(train_py=options.format(", default=4") + behind + loop())["seeds"]["verdict"] == "seen"


def test_attributes_that_experiments_begin_with_off(looked) -> None:  # type: ignore[no-untyped-def]
    base = "class BaseExp:\n    def __init__(self):\n        self.seed = {}\n"
    script = (
        "import importlib\nimport sys\nimport torch\nimport base\n\ndef main(exp):\n    if exp.seed is not None:\n"
        f"        torch.manual_seed(exp.seed)\n{textwrap.indent(loop(), '    ')}\n\n"
        "main(importlib.import_module(sys.argv[1]).Exp())\n"
    )
    found = looked(base_py=base.format("None"), train_py=script)["seeds"]
    assert found["verdict"] == "unknown"
    assert "a value for `seed`" in found["why"]
    assert looked(base_py=base.format("7"), train_py=script)["seeds"]["verdict"] == "seen"


def test_a_configuration_that_a_factory_fills(looked) -> None:  # type: ignore[no-untyped-def]
    base = "class Config:\n    pass\n\ndef default_config():\n    h = Config()\n    h.seed = {}\n    h.rate = 0.1\n    return h\n"
    script = (
        "import torch\nfrom base import default_config\nconfig = default_config()\nif config.seed:\n    torch.manual_seed(3)\n"
    )
    script += loop()
    assert looked(base_py=base.format("None"), train_py=script)["seeds"]["verdict"] == "unknown"
    assert looked(base_py=base.format("7"), train_py=script)["seeds"]["verdict"] == "seen"


AMP = PARSER.format("parser.add_argument('--fp16', action='store_true')") + loop().replace(
    "        loss =", "        with torch.autocast('cuda', enabled=args.fp16):\n            out = net(x)\n        loss ="
)


@pytest.mark.parametrize(
    ("lines", "verdict"),
    [
        ("python train.py --fp16\npython train.py --fp16\n", "seen"),
        ("python train.py --fp16\npython train.py\n", "unknown"),
        ('python train.py --fp16\npython train.py "$2"\n', "seen"),  # what its caller says
    ],
)
def test_a_launch_line_alone_says_nothing_for_the_others(looked, lines: str, verdict: str) -> None:  # type: ignore[no-untyped-def]
    assert looked(train_py=AMP, run_sh=lines)["mixed-precision"]["verdict"] == verdict


def test_a_timeout_that_an_option_decides(looked) -> None:  # type: ignore[no-untyped-def]
    options = PARSER.format("parser.add_argument('--patience', type=int{})").replace(
        "import torch\n", "import torch\nfrom datetime import timedelta\n"
    )
    group = "torch.distributed.init_process_group('nccl', timeout=timedelta(minutes=args.patience) if args.patience else None)\n"
    lines = {"run_sh": "torchrun --nproc-per-node 2 train.py\n"}
    found = looked(train_py=options.format("") + group + loop(), **lines)["timeout"]
    assert found["verdict"] == "unknown"
    assert "only with --patience" in found["why"]
    assert looked(train_py=options.format(", default=90") + group + loop(), **lines)["timeout"]["verdict"] == "seen"


@pytest.mark.parametrize(("default", "frequency"), [("-1", "unknown"), ("500", "seen")])
def test_a_save_in_the_last_round_alone(looked, default: str, frequency: str) -> None:  # type: ignore[no-untyped-def]
    options = PARSER.format(
        f"parser.add_argument('--every', type=int, default={default})\nparser.add_argument('--steps', type=int)"
    )
    script = (
        "net = torch.nn.Linear(4, 2)\noptimizer = torch.optim.SGD(net.parameters(), lr=0.1)\nstep = 0\nwhile True:\n"
        "    is_last = step == args.steps\n    if is_last or (step > 0 and args.every > 0 and step % args.every == 0):\n"
        "        torch.save({'model': net.state_dict(), 'optimizer': optimizer.state_dict()}, f'{step}.pt')\n"
        "    if is_last:\n        break\n    net(torch.rand(2, 4)).sum().backward()\n    optimizer.step()\n    step += 1\n"
    )
    found = looked(train_py=options + script)
    assert (found["saves"]["verdict"], found["frequency"]["verdict"]) == ("seen", frequency)
    assert ("unless --every is given" in found["frequency"]["why"]) is (default == "-1")


#: A scaler of the project's own, as many have it: what it is called with says whether it clips.
SCALER = """
import torch
class Scaler:
    def __init__(self):
        self.scaler = torch.cuda.amp.GradScaler()
    def __call__(self, loss, optimizer, clip_grad=None, parameters=None):
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(optimizer)
        if clip_grad is not None:
            torch.nn.utils.clip_grad_norm_(parameters, clip_grad)
        self.scaler.step(optimizer)
        self.scaler.update()
"""
SCALED = """
import torch
from scaler import Scaler
def train(net, optimizer, data, scale):
    for batch in data:
        loss = net(batch).sum()
        optimizer.zero_grad()
        scale(loss, optimizer, parameters=net.parameters(){given})
def main():
    net = torch.nn.Linear(4, 2)
    train(net, torch.optim.SGD(net.parameters(), lr=0.1), [torch.rand(8, 4)], Scaler())
main()
"""


@pytest.mark.parametrize(("given", "verdict"), [("", "missing"), (", clip_grad=1.0", "seen")])
def test_what_an_object_is_called_with_says_what_it_does(looked, given: str, verdict: str) -> None:  # type: ignore[no-untyped-def]
    # another script calls it in another way
    other = SCALED.replace("{given}", ", clip_grad=3.0").replace("main()\n", "if __name__ == '__main__':\n    main()\n")
    found = looked(scaler_py=SCALER, train_py=SCALED.replace("{given}", given), finetune_py=other)
    assert found["clipping"]["verdict"] == verdict, found["clipping"]


#: A loop of the project's own in the place of a trainer's, which takes the trainer's loaders and steps.
OWN_LOOP = """
import torch
from transformers import HfArgumentParser, Trainer, TrainingArguments
class Own(Trainer):
    def train(self):
        loader = self.get_train_dataloader()
        self.create_optimizer_and_scheduler(num_training_steps=100)
        for epoch in range(3):
            for inputs in loader:
                loss = self.training_step(self.model, inputs)
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
                self.lr_scheduler.step()
                self.model.zero_grad()
            torch.save({"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict()}, "last.pt")
def main():
    (args,) = HfArgumentParser((TrainingArguments,)).parse_args_into_dataclasses()
    trainer = Own(model=torch.nn.Linear(4, 2), args=args, train_dataset=torch.rand(8, 4))
    trainer.{asked}()
main()
"""


def test_a_loop_in_the_place_of_a_trainers_is_the_projects_own(looked) -> None:  # type: ignore[no-untyped-def]
    found = looked(train_py=OWN_LOOP.replace("{asked}", "train"))
    wanted = {"clipping": "seen", "workers": "unknown", "pinned": "not-needed", "contents": "seen", "atomic": "missing"}
    assert {name: found[name]["verdict"] for name in wanted} == wanted


#: A class that a library's loop trains with, and a script that has the library make the trainer by a name.
REGISTERED = """
from dassl.engine import TRAINER_REGISTRY, TrainerX
@TRAINER_REGISTRY.register()
class Prompted({base}):
    def forward_backward(self, batch):
        loss = self.model(batch).sum()
        self.optim.zero_grad()
        loss.backward()
        self.optim.step()
"""
BUILDS = """
from dassl.config import get_cfg_default
from dassl.engine import build_trainer
import own
trainer = build_trainer(get_cfg_default())
trainer.{asked}()
"""


def test_what_a_library_makes_by_a_name_trains_with_the_projects_class(looked) -> None:  # type: ignore[no-untyped-def]
    found = looked(own_py=REGISTERED.replace("{base}", "TrainerX"), train_py=BUILDS.replace("{asked}", "train"))
    assert {found[name]["verdict"] for name in ("workers", "clipping", "saves", "log-loss")} == {"unknown"}


@pytest.mark.parametrize(("source", "base"), [(OWN_LOOP, ""), (BUILDS, "TrainerX"), (BUILDS, "object")])
def test_a_trainer_that_is_only_made_trains_nothing(tmp_path: Path, source: str, base: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "own.py").write_text(REGISTERED.replace("{base}", base or "TrainerX"), encoding="utf-8")
    asked = "train" if base == "object" else "test"  # of a class that is none of the library's nothing is run
    (tmp_path / "train.py").write_text(source.replace("{asked}", asked), encoding="utf-8")
    assert not as_data(preflight([tmp_path], settings_for(Request(paths=(str(tmp_path),), isolated=True))))["jobs"]


#: Saves and loads by functions that are not there, which are handed the optimizer.
UNSEEN = """
import torch
import vendored.misc as misc
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net.load_state_dict(torch.load("pretrained.pt"))
misc.load_model(net, optimizer=optimizer)
def save_model(epoch, name):
    misc.save_model(net, optimizer=optimizer, epoch=epoch, name=name)
for epoch in range(9):
    for batch in [torch.rand(8, 4)]:
        optimizer.zero_grad()
        net(batch).sum().backward()
        optimizer.step()
    save_model(epoch - 1, "last")
torch.save({"model": net.state_dict()}, "final.pt")
"""


def test_what_is_not_seen_to_be_saved_is_not_missing(looked) -> None:  # type: ignore[no-untyped-def]
    found = looked(train_py=UNSEEN)
    said = {name: (found[name]["verdict"], found[name]["why"]) for name in ("contents", "pruned", "atomic", "resumes")}
    assert {verdict for verdict, _ in said.values()} == {"unknown"}, said


def test_a_template_may_be_joined_to_a_folder(looked) -> None:  # type: ignore[no-untyped-def]
    loop = loop_and("torch.save(net.state_dict(), name.format(epoch=f'{epoch + 1}'))")
    found = looked(train_py=f"import os, torch\nname = os.path.join('out', 'net' + '-ep{{epoch}}.pt')\n{loop}")
    assert found["pruned"]["verdict"] == "missing"


def test_a_name_may_come_out_of_all_of_a_library(looked) -> None:  # type: ignore[no-untyped-def]
    starred = "import torch\nfrom {} import *\nrandom_seed(42)\n"
    assert looked(train_py=starred.format("timm.utils") + loop())["seeds"]["verdict"] == "seen"
    own = {"own_py": "import torch\ndef helper(): pass\n"}
    assert looked(train_py=starred.format("own") + loop(), **own)["seeds"]["verdict"] == "missing"


def test_what_is_said_of_an_option_or_an_object_logs_nothing(looked) -> None:  # type: ignore[no-untyped-def]
    source = """
    import argparse, logging, torch
    class Rated:
        def __init__(self, params, lr):
            self.inner, self.rate = torch.optim.SGD(params, lr=lr), lr
        def get_lr(self):
            return self.rate
        def zero_grad(self):
            self.inner.zero_grad()
        def step(self):
            self.inner.step()
    def train(net, optimizer, logger):
        for batch in [torch.rand(8, 4)]:
            loss = net(batch).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            logger.info(f"loss {loss.item()} {optimizer.get_lr()}")
    parser = argparse.ArgumentParser()
    parser.add_argument("--loss", default="l2")
    parser.add_argument("--test_loss", default="")
    parser.add_argument("--learning_rate", type=float, default=0.1)
    args = parser.parse_args()
    print(f"loss = {args.test_loss or args.loss}")
    net = torch.nn.Linear(4, 2)
    for epoch in range(3):
        train(net, Rated(net.parameters(), lr=args.learning_rate), logging.getLogger())
    """
    found = looked(train_py=source)
    for name in ("log-loss", "log-learning-rate"):
        assert found[name]["verdict"] == "seen"
        assert [each["row"] for each in found[name]["evidence"]] == [18]


def test_a_line_that_evaluates_does_not_start_the_training(looked) -> None:  # type: ignore[no-untyped-def]
    shown = "```\npython train.py --eval-only data=x\n```\n```\npython train.py --seed 1\n```\n"
    found = looked(train_py="import torch\n" + loop(), README_md=shown)
    assert [each["row"] for each in found["launch"]["evidence"]] == [5]
