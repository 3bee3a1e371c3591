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
