"""Options, configurations and launch lines: what they are unless somebody says them, what lines say, how commands spell them."""

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
    for step, (x, y) in enumerate(torch.utils.data.DataLoader(data, num_workers={workers})):
        {inside}
        with torch.autocast("cuda", enabled={amp}):
            loss = torch.nn.functional.mse_loss(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    {after}
"""
ARGPARSE = """
import argparse
import torch

parser = argparse.ArgumentParser()
{options}
args = parser.parse_args()
"""


def loop(workers: str = "2", inside: str = "pass", amp: str = "True", after: str = "pass") -> str:
    return LOOP.format(workers=workers, inside=inside, amp=amp, after=after)


def parsed(*options: str) -> str:
    return ARGPARSE.format(options="\n".join(f"parser.add_argument({option})" for option in options))


@pytest.fixture
def looked(tmp_path: Path):  # type: ignore[no-untyped-def]
    def look(script: str = "train.py", **files: str) -> dict[str, CheckedLine]:
        (tmp_path / ".git").mkdir(exist_ok=True)
        for name, text in files.items():
            path = tmp_path / f"{name.replace('__', '/')}.{'sh' if name.endswith('run') else 'py'}"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(text), encoding="utf-8")
        target = tmp_path / script
        (job,) = as_data(preflight([target], settings_for(Request(paths=(str(target),), isolated=True))))["jobs"]
        return {line["name"]: line for line in job["lines"]}

    return look


FIELDS = """
from dataclasses import dataclass, field


@dataclass
class Distributed:
    compile: bool = False
    clip: float = field(default=-1.0)


@dataclass
class Config:
    distributed: Distributed = field(default_factory=Distributed)
    amp: bool = False
    seed: int = 3
    max_steps: int = field(default=1000, metadata={"help": "steps"})
"""
READS = """
torch.manual_seed(cfg.seed) if cfg.seed else None
if cfg.seed:
    torch.manual_seed(cfg.seed)
model = torch.nn.Linear(2, 2)
if cfg.distributed.compile:
    model = torch.compile(model)
if cfg.distributed.clip > 0:
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
"""


@pytest.mark.parametrize(
    ("parser", "compiles", "bounds"),
    [
        (
            "from transformers import HfArgumentParser\n(cfg,) = HfArgumentParser(Config).parse_args_into_dataclasses()",
            "--compile",
            "--max_steps 10",
        ),
        (
            (
                "from transformers import HfArgumentParser\n\nclass Own(HfArgumentParser):\n    pass\n\n"
                "(cfg,) = Own((Config,)).parse_args_into_dataclasses()"
            ),
            "--compile",
            "--max_steps 10",
        ),
        (
            "from omegaconf import OmegaConf\ncfg = OmegaConf.merge(OmegaConf.structured(Config()), OmegaConf.from_cli())",
            "distributed.compile",
            "max_steps=10",
        ),
        ("import tyro\ncfg = tyro.cli(Config)", "--distributed.compile", "--max-steps 10"),
        ("import draccus\ncfg = draccus.parse(Config)", "--distributed.compile", "--max_steps 10"),
        ("import simple_parsing\ncfg = simple_parsing.parse(Config)", "--compile", "--max_steps 10"),
    ],
)
def test_fields_of_a_class_that_is_parsed_are_options(looked, parser: str, compiles: str, bounds: str) -> None:  # type: ignore[no-untyped-def]
    found = looked(config=FIELDS, train=f"import torch\nfrom config import Config\n{parser}\n{READS}{loop(amp='cfg.amp')}")
    assert found["compile"]["verdict"] == found["clipping"]["verdict"] == found["mixed-precision"]["verdict"] == "unknown"
    assert f"only with {compiles}, which is off" in found["compile"]["why"]
    assert found["seeds"]["verdict"] == "seen"
    assert found["first-steps"]["command"] == f"python train.py {bounds}"


def test_fields_of_a_class_that_a_decorator_hands_over_are_options(looked) -> None:  # type: ignore[no-untyped-def]
    body = textwrap.indent(READS + loop(amp="cfg.amp"), "    ")
    script = (
        f"import torch\nimport draccus\nfrom config import Config\n\n@draccus.wrap()\ndef main(cfg: Config):\n{body}\n\nmain()\n"
    )
    found = looked(config=FIELDS, train=script)
    assert found["compile"]["verdict"] == found["clipping"]["verdict"] == "unknown"
    assert found["seeds"]["verdict"] == "seen"


def test_fields_of_a_class_that_nobody_parses_are_no_options(looked) -> None:  # type: ignore[no-untyped-def]
    found = looked(config=FIELDS, train=f"import torch\nfrom config import Config\ncfg = Config()\n{loop()}")
    assert "--max_steps" not in found["first-steps"]["command"]


@pytest.mark.parametrize(
    ("lines", "workers", "precision"),
    [
        (
            "python train.py --num-workers 8 --engine ddp --amp\npython train.py --num-workers 4 --engine ddp --amp\n",
            "seen",
            "seen",
        ),
        ("n=8\npython train.py --num-workers ${n} --engine plain\n", "seen", "unknown"),
        ("n=8\n. tools/parse_options.sh || exit 1\npython train.py --num-workers ${n}\n", "seen", "unknown"),
        ("n=8\nn=0\n. tools/parse_options.sh || exit 1\npython train.py --num-workers ${n}\n", "unknown", "unknown"),
        ("python train.py --num-workers 0 --engine plain\n", "unknown", "unknown"),
        ("python train.py --num-workers $1\n", "unknown", "unknown"),
    ],
)
def test_what_all_launch_lines_say_decides(looked, lines: str, workers: str, precision: str) -> None:  # type: ignore[no-untyped-def]
    options = parsed(
        "'--num-workers', type=int, default=0",
        "'--engine', choices=['plain', 'ddp'], default='plain'",
        "'--amp', action='store_true'",
    )
    found = looked(train=f"{options}\n{loop(workers='args.num_workers', amp='args.amp')}", run=lines)
    assert found["workers"]["verdict"] == workers
    assert found["mixed-precision"]["verdict"] == precision


def test_an_option_that_launch_lines_set_to_something_else_is_off(looked) -> None:  # type: ignore[no-untyped-def]
    options = parsed("'--engine', default='ddp'")
    script = f"{options}\nif args.engine in ('ddp', 'fsdp'):\n    torch.manual_seed(3)\n{loop()}"
    assert looked(train=script, run="python train.py --engine plain\n")["seeds"]["verdict"] == "unknown"


def test_a_save_that_needs_an_option_is_not_regular(looked) -> None:  # type: ignore[no-untyped-def]
    save = "args.save and None\n    if args.save:\n        torch.save(net.state_dict(), f'{epoch}.pt')"
    found = looked(train=f"{parsed(repr('--save'))}\n{loop(after=save)}")
    assert found["saves"]["verdict"] == found["frequency"]["verdict"] == "unknown"


def test_defaults_of_another_script_are_not_its_own(looked) -> None:  # type: ignore[no-untyped-def]
    other = "import argparse\nimport shared\nparser = argparse.ArgumentParser()\nparser.set_defaults(amp=True)\n"
    script = f"import shared\n{parsed(repr('--amp') + ', action=' + repr('store_true'))}\n{loop(amp='args.amp')}"
    assert looked(train=script, other=other, shared="x = 1\n")["mixed-precision"]["verdict"] == "unknown"


# -- what bounds the run, and how the command says it ------------------------------------------------------------------


def test_options_are_spelled_as_they_are_declared(looked) -> None:  # type: ignore[no-untyped-def]
    stop = "if step >= args.total_steps:\n            break"
    found = looked(train=f"{parsed(repr('--total-steps') + ', type=int')}\n{loop(inside=stop)}")
    assert found["first-steps"]["command"] == "python train.py --total-steps 10"
    assert found["dry-run"]["why"] == "--total-steps bounds the run."


def test_a_count_of_refinements_bounds_nothing(looked) -> None:  # type: ignore[no-untyped-def]
    both = parsed("'--iters', type=int, default=12", "'--num_steps', type=int")
    refine = "for _ in range(min(12, args.iters)):\n            net(x)\n        if step >= args.num_steps:\n            break"
    assert looked(train=f"{both}\n{loop(inside=refine)}")["first-steps"]["command"] == "python train.py --num_steps 10"


def test_the_steps_of_a_validation_bound_nothing(looked) -> None:  # type: ignore[no-untyped-def]
    config = """
    from dataclasses import dataclass, field

    @dataclass
    class Validation:
        max_steps: int = 3

    @dataclass
    class Config:
        validation: Validation = field(default_factory=Validation)
        steps: int = 100
    """
    stop = "if step >= cfg.steps:\n            break"
    script = (
        "import torch\nfrom omegaconf import OmegaConf\nfrom config import Config\n"
        f"cfg = OmegaConf.structured(Config)\n{loop(inside=stop)}"
    )
    assert looked(config=config, train=script)["first-steps"]["command"] == "python train.py steps=10"


def test_a_count_of_refinements_alone_is_no_dry_run(looked) -> None:  # type: ignore[no-untyped-def]
    found = looked(train=f"{parsed(repr('--iters') + ', type=int')}\n{loop(inside='net(x, args.iters)')}")
    assert found["dry-run"]["verdict"] == "missing"


def test_a_loose_name_that_ends_the_loop_is_one(looked) -> None:  # type: ignore[no-untyped-def]
    stop = "if step >= args.iters:\n            break"
    found = looked(train=f"{parsed(repr('--iters') + ', type=int')}\n{loop(inside=stop)}")
    assert found["first-steps"]["command"] == "python train.py --iters 10"


def test_a_key_of_a_configuration_that_ends_the_loop_bounds_the_run(looked) -> None:  # type: ignore[no-untyped-def]
    stop = "if step >= config['training']['total_train_steps']:\n            break"
    found = looked(train=f"import json\nimport torch\nconfig = json.load(open('c.json'))\n{loop(inside=stop)}")
    assert found["dry-run"]["verdict"] == "seen"
    assert found["dry-run"]["why"] == "`total_train_steps` bounds the run."


def test_the_steps_of_a_schedule_end_nothing(looked) -> None:  # type: ignore[no-untyped-def]
    rates = """
    class Warmup:
        def __init__(self, max_steps):
            self.max_steps = max_steps

        def rate(self, step):
            if step > self.max_steps:
                return 0.1
            return 1.0
    """
    found = looked(rates=rates, train=f"import torch\nfrom rates import Warmup\nwarm = Warmup(10)\nwarm.rate(3)\n{loop()}")
    assert found["dry-run"]["verdict"] == "missing"


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        (
            "accelerate launch train.py --lr 1\n",
            "accelerate launch train.py --data DATA --max_steps 10  # its other arguments: run.sh:1",
        ),
        ("torchrun --nproc_per_node=8 train.py\n", "torchrun train.py --data DATA --max_steps 10"),
        ("deepspeed train.py\n", "deepspeed train.py --data DATA --max_steps 10"),
        ("python -m train\n", "python -m train --data DATA --max_steps 10"),
        ("python train.py\n", "python train.py --data DATA --max_steps 10"),
    ],
)
def test_commands_have_the_launcher_of_the_launch_lines(looked, line: str, wanted: str) -> None:  # type: ignore[no-untyped-def]
    options = parsed("'--max_steps', type=int", "'--data', required=True", "'--lr', type=float")
    assert looked(train=f"{options}\nlimit = args.max_steps\n{loop()}", run=line)["first-steps"]["command"] == wanted


def test_commands_without_launch_lines_have_the_launcher_that_the_code_wants(looked) -> None:  # type: ignore[no-untyped-def]
    script = f"import torch\nimport torch.distributed as dist\nimport lib.data\ndist.init_process_group('nccl')\n{loop()}"
    found = looked("apps/main/train.py", apps__main__train=script, lib__data="x = 1\n", lib____init__="")
    assert found["first-steps"]["command"] == "torchrun -m apps.main.train, stopped after ten steps"
    assert found["launch"]["command"] == "torchrun --nproc_per_node=2 -m apps.main.train"
    assert found["communication"]["command"] == "NCCL_DEBUG=INFO torchrun --nproc_per_node=2 -m apps.main.train"


# -- configurations of yacs ---------------------------------------------------------------------------------------------

NODES = """
from yacs.config import CfgNode as CN

_C = CN()
_C.DATA = CN()
_C.DATA.NUM_WORKERS = 8
_C.TRAIN = CN()
_C.TRAIN.CHECKPOINT = False
_C.TRAIN.AMP = False


def get_config():
    return _C.clone()
"""


def test_defaults_of_a_yacs_configuration_are_those_of_options(looked) -> None:  # type: ignore[no-untyped-def]
    script = (
        "import torch\nfrom torch.utils.checkpoint import checkpoint\nfrom config import get_config\nconfig = get_config()\n"
        "if config.TRAIN.CHECKPOINT:\n    checkpoint(print, 1)\n"
        f"{loop(workers='config.DATA.NUM_WORKERS', amp='config.TRAIN.AMP')}"
    )
    found = looked(config=NODES, train=script)
    assert found["workers"]["verdict"] == "seen"
    assert found["mixed-precision"]["verdict"] == found["gradient-checkpointing"]["verdict"] == "unknown"
    assert "only with TRAIN.CHECKPOINT, which is off" in found["gradient-checkpointing"]["why"]


def test_the_rounds_of_a_preparation_bound_nothing(looked) -> None:  # type: ignore[no-untyped-def]
    prepare = """
    def estimate(model, batches, max_iters=8):
        model.train()
        for number, batch in enumerate(batches):
            if number >= max_iters:
                break
            model(batch).sum().backward()
    """
    found = looked(
        prepare=prepare, train=f"import torch\nfrom prepare import estimate\nestimate(torch.nn.Linear(2, 2), [])\n{loop()}"
    )
    assert found["dry-run"]["verdict"] == "missing"


def test_what_needs_an_option_that_the_script_asks_for_is_seen(looked) -> None:  # type: ignore[no-untyped-def]
    body = textwrap.indent(f"assert base, 'which one?'\ntorch.manual_seed(3)\n{loop(amp='amp')}", "    ")
    script = f"import fire\nimport torch\n\ndef train(base: str = '', amp: bool = False):\n{body}\n\nfire.Fire(train)\n"
    found = looked(train=script)
    assert found["seeds"]["verdict"] == found["workers"]["verdict"] == "seen"
    assert found["mixed-precision"]["verdict"] == "unknown"
    assert found["first-steps"]["command"] == "python train.py --base BASE, stopped after ten steps"


def test_an_option_that_is_passed_on_by_another_name_decides(looked) -> None:  # type: ignore[no-untyped-def]
    runner = """
    import torch

    class Runner:
        def __init__(self, net, scripted=False):
            self.net = torch.jit.script(net) if scripted else net
            if scripted:
                self.net = torch.compile(net)
    """
    options = parsed("'--jit', default='no', choices=['no', 'script']")
    script = f"from runner import Runner\n{options}\nRunner(torch.nn.Linear(2, 2), scripted=args.jit == 'script')\n{loop()}"
    found = looked(runner=runner, train=script)
    assert found["compile"]["verdict"] == "unknown"
    assert "only with --jit, which is off" in found["compile"]["why"]
    assert looked(runner=runner, train=script, run="python train.py --jit script\n")["compile"]["verdict"] == "seen"


def test_a_parameter_that_a_function_hands_to_itself_is_not_followed_for_ever(looked) -> None:  # type: ignore[no-untyped-def]
    again = "def again(flag, n=3):\n    if flag:\n        torch.manual_seed(n)\n    again(flag, n)\n"
    script = f"import torch\n\n{again}\nagain(1)\n{loop()}"
    assert looked(train=script)["seeds"]["verdict"] == "seen"


@pytest.mark.parametrize(
    ("more", "bounded", "seeded"),
    [
        ("", "missing", "missing"),
        ("print(args)", "missing", "missing"),
        ("start(vars(args))", "seen", "unknown"),
        ("from timm.optim import create_optimizer\ncreate_optimizer(args, net)", "seen", "unknown"),
        ("def own(args):\n    print(args.max_steps)\nown(args)", "seen", "missing"),
    ],
)
def test_an_option_that_nothing_reads_does_nothing(looked, more: str, bounded: str, seeded: str) -> None:  # type: ignore[no-untyped-def]
    options = parsed(
        "'--max_steps', type=int", "'--global-seed', type=int, default=0", "'--lr', type=float", "'--decay', type=float"
    )
    lines = looked(train=f"{options}\nprint(args.lr, args.decay)\n{loop()}\n{more}\n")
    assert (lines["dry-run"]["verdict"], lines["seeds"]["verdict"]) == (bounded, seeded)
