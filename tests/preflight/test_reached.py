"""What a job reaches, and what a line says of it: small programs, all of them looked at in one run."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import as_data
from trainlint.app.preflight.run import preflight

#: How each program ends: one loop that trains ``net`` on ``loader``.
LOOP = """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        loss = torch.nn.functional.mse_loss(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""
#: How each begins.
HEAD = """\
import torch
from torch.utils.data import DataLoader, TensorDataset

net = torch.nn.Linear(4, 2)
data = TensorDataset(torch.rand(8, 4), torch.rand(8, 2))
loader = DataLoader(data)
"""
MADE = "from torch.utils.data import DataLoader\n\ndef make(data):\n    return DataLoader(data, num_workers=4)\n"
JAX = """\
import jax
import optax

def step(params, batch):
    grads = jax.grad(print)(params, batch)
    return optax.apply_updates(params, grads), grads

params = {}
for batch in range(3):
    params, grads = step(params, batch)
"""

#: For each case its files (``train.py`` is the script: HEAD, what stands here, LOOP) and the verdicts that are right.
CASES: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "so many workers as another precision has bits": (
        {
            "train.py": (
                "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--workers', type=int, default=32)\n"
                "args = parser.parse_args()\nloader = DataLoader(data, num_workers=args.workers)\n"
            )
        },
        {"workers": "seen"},
    ),
    "a scaler without anything that is narrow": (
        {"train.py": "scaler = torch.amp.GradScaler('cuda')\n"},
        {"mixed-precision": "missing"},
    ),
    "a bound of the gradients is not their norm": (
        {"train.py": "bound = 1.0\nclip_grad = bound\nprint(f'clip {clip_grad}')\n"},
        {"log-gradient-norm": "missing"},
    ),
    "what is copied into another model is not loaded": (
        {"train.py": "twin = torch.nn.Linear(4, 2)\ntwin.load_state_dict(net.state_dict())\n"},
        {"loads": "missing"},
    ),
    "published weights are not what was saved": (
        {"train.py": "state = torch.hub.load_state_dict_from_url('https://example.org/net.pth')\nnet.load_state_dict(state)\n"},
        {"loads": "missing", "resumes": "missing"},
    ),
    "what a model had itself is not loaded": (
        {
            "train.py": (
                "import copy\nbest = None\nfor number in range(3):\n    best = copy.deepcopy(net.state_dict())\n"
                "net.load_state_dict(best)\n"
            )
        },
        {"loads": "missing"},
    ),
    "XLA that is only tried": (
        {"train.py": "try:\n    import torch_xla\nexcept ImportError:\n    pass\n"},
        {"compile": "missing", "pinned": "missing"},
    ),
    "XLA that has to be there": (
        {"train.py": "import torch_xla\n"},
        {"compile": "not-needed", "pinned": "not-needed"},
    ),
    "a number of digits is no precision": (
        {"train.py": "torch.set_printoptions(precision=5)\n"},
        {"mixed-precision": "missing"},
    ),
    "a dtype that a name picks": (
        {
            "train.py": (
                "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--dtype')\n"
                "args = parser.parse_args()\nkinds = {'half': torch.float16, 'full': torch.float32}\n"
                "torch.set_default_dtype(kinds[args.dtype])\n"
            )
        },
        {"mixed-precision": "unknown"},
    ),
    "old files that only a parameter removes which no call gives": (
        {
            "train.py": (
                "import os\ndef save(number, keep=False):\n    torch.save(net.state_dict(), f'net{number}.pt')\n"
                "    if keep:\n        os.remove(f'net{number - 1}.pt')\nfor number in range(3):\n    save(number)\n"
            )
        },
        {"pruned": "missing"},
    ),
    "an optimizer that no call hands to what saves": (
        {
            "train.py": (
                "def save(number, optimizer=None):\n    torch.save(net.state_dict(), f'net{number}.pt')\n"
                "    if optimizer is not None:\n        torch.save({'optimizer': optimizer.state_dict()}, f'state{number}.pt')\n"
                "for number in range(3):\n    save(number)\n"
            )
        },
        {"contents": "missing"},
    ),
    "a model that an option names, with a default": (
        {
            "train.py": (
                "import argparse\nimport importlib\nparser = argparse.ArgumentParser()\n"
                "parser.add_argument('--model', default='small')\nargs = parser.parse_args()\n"
                "net = importlib.import_module(args.model).Net()\n"
            ),
            "small.py": "import torch\n\nclass Net(torch.nn.Module):\n    pass\n",
        },
        {"compile": "missing", "clipping": "missing"},
    ),
    "a model that one of some modules has": (
        {
            "train.py": (
                "import argparse\nimport importlib\nparser = argparse.ArgumentParser()\nparser.add_argument('--model')\n"
                "args = parser.parse_args()\n\ndef find(name, modules):\n    for each in modules:\n"
                "        found = getattr(importlib.import_module(each), name, None)\n        if found is not None:\n"
                "            return found\n\nnet = find(args.model, modules=['small'])()\nimport small\n"
            ),
            "small.py": "import torch\n\nclass Net(torch.nn.Module):\n    pass\n",
        },
        {"compile": "missing", "clipping": "missing"},
    ),
    "a rate that is set, and not logged": (
        {
            "train.py": (
                "optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
                "for number, x in enumerate(optimizer.param_groups):\n    x['lr'] = 0.2 * number\n"
            )
        },
        {"log-learning-rate": "missing"},
    ),
    "a group that is told its timeout later": (
        {
            "train.py": (
                "from accelerate import Accelerator, InitProcessGroupKwargs\nimport datetime\n"
                "handler = InitProcessGroupKwargs()\nhandler.timeout = datetime.timedelta(hours=2)\n"
                "accelerator = Accelerator(kwargs_handlers=[handler])\n"
            )
        },
        {"timeout": "seen"},
    ),
    "only Python is seeded": (
        {"train.py": "import random\nrandom.seed(1)\n"},
        {"seeds": "missing"},
    ),
    "Python and PyTorch are seeded": (
        {"train.py": "import random\nrandom.seed(1)\ntorch.manual_seed(1)\n"},
        {"seeds": "seen"},
    ),
    "a handler for a key that was pressed": (
        {"train.py": "import signal\nsignal.signal(signal.SIGINT, print)\n"},
        {"preemption": "missing"},
    ),
    "a handler for the end of the machine": (
        {"train.py": "import signal\nsignal.signal(signal.SIGTERM, print)\n"},
        {"preemption": "seen"},
    ),
    "data that are shared out by rank": (
        {
            "train.py": (
                "import torch.distributed as dist\ndist.init_process_group('gloo')\n"
                "class Own(torch.utils.data.Dataset):\n    def __init__(self, paths, shard, num_shards):\n"
                "        self.paths = paths[shard::num_shards]\n"
                "loader = DataLoader(Own([], shard=dist.get_rank(), num_shards=dist.get_world_size()), shuffle=True)\n"
            )
        },
        {"set-epoch": "seen"},
    ),
    "a finding behind an option that is off": (
        {
            "train.py": (
                "import argparse\nimport torch.distributed as dist\ndist.init_process_group('gloo')\n"
                "parser = argparse.ArgumentParser()\nparser.add_argument('--export', action='store_true')\n"
                "args = parser.parse_args()\n"
                "if args.export:\n    torch.save(net.state_dict(), 'last.pt')\n"
                "if dist.get_rank() == 0:\n    torch.save(net.state_dict(), 'net.pt')\n"
            )
        },
        {"rank-zero": "seen"},
    ),
    "an option that the loop compares its steps with": (
        {
            "train.py": (
                "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--anneal', type=int, default=0)\n"
                "args = parser.parse_args()\nstep = 0\nwhile step < args.anneal:\n    net(torch.rand(1, 4)).sum().backward()\n"
                "    step += 1\n"
            )
        },
        {"dry-run": "seen"},
    ),
    "an option that something else is compared with": (
        {
            "train.py": (
                "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--patience', type=float)\n"
                "args = parser.parse_args()\nworst = 9.0\nwhile worst > args.patience:\n"
                "    net(torch.rand(1, 4)).sum().backward()\n"
                "    worst -= 1\n"
            )
        },
        {"dry-run": "missing"},
    ),
    "a checkpoint that is in the way of the next one": (
        {
            "train.py": (
                "import os\nimport shutil\ndef keep(folder):\n    if os.path.exists(folder):\n        shutil.rmtree(folder)\n"
                "    os.makedirs(folder)\n    torch.save(net.state_dict(), f'{folder}/net.pt')\n"
                "for epoch in range(9):\n    keep(f'checkpoint_{epoch}')\n"
            )
        },
        {"pruned": "missing"},
    ),
    "an old checkpoint that goes": (
        {
            "train.py": (
                "import shutil\ndef keep(epoch):\n    torch.save(net.state_dict(), f'checkpoint_{epoch}.pt')\n"
                "    shutil.rmtree(f'checkpoint_{epoch - 3}.pt')\nfor epoch in range(9):\n    keep(epoch)\n"
            )
        },
        {"pruned": "seen"},
    ),
    "what a configuration hands to a trainer": (
        {"train.py": "import json\nown = json.load(open('c.json'))\nprint(dict(gradient_checkpointing=own['memory']))\n"},
        {"gradient-checkpointing": "unknown"},
    ),
    "a text of many parts, one of which is worked out at length": (
        {
            "train.py": (
                "def tell(step, rate, x):\n"
                + "    x = x * rate + x\n" * 9
                + "    print(f'step {step} loss: {x} scaled {x / 2} again {x / 3} rate {rate}')\n"
                + "for step in range(3):\n    tell(step, 0.1, step)\n"
            )
        },
        {"log-loss": "seen"},
    ),
    "a bound of something else than gradients": (
        {"train.py": "words = torch.nn.Embedding(9, 4, max_norm=1.0)\n"},
        {"clipping": "missing"},
    ),
    "data that are kept in a file": (
        {"train.py": "pairs = torch.load('train_pairs.pt', weights_only=True)\n"},
        {"loads": "missing"},
    ),
    "a whole model that is kept in a file": (
        {"train.py": "net = torch.load('model.pt', weights_only=False)\n"},
        {"loads": "seen"},
    ),
    "states that a function takes up by its keywords": (
        {
            "train.py": (
                "def restart(path, **parts):\n    saved = torch.load(path, weights_only=True)\n"
                "    for name, part in parts.items():\n        part.load_state_dict(saved[name])\n"
                "optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\nrestart('c.pt', net=net, optimizer=optimizer)\n"
            )
        },
        {"resumes": "seen"},
    ),
    "the states of several optimizers": (
        {
            "train.py": (
                "optimizers = [torch.optim.SGD(net.parameters(), lr=0.1)]\n"
                "for number, each in enumerate(optimizers):\n"
                "    each.load_state_dict(torch.load(f'{number}.pt', weights_only=True))\n"
            )
        },
        {"resumes": "seen"},
    ),
    "weights that a function takes up by its keywords": (
        {
            "train.py": (
                "def restart(path, **parts):\n    saved = torch.load(path, weights_only=True)\n"
                "    for name, part in parts.items():\n        part.load_state_dict(saved[name])\n"
                "restart('c.pt', net=net)\n"
            )
        },
        {"resumes": "missing"},
    ),
    "a folder that the script adds to sys.path": (
        {
            "train.py": "import sys\nsys.path.append('core')\nfrom made import make\nloader = make(data)\n",
            "core/made.py": MADE,
        },
        {"workers": "seen"},
    ),
    "a folder that a file beside the script adds": (
        {
            "tools/train.py": "import _init_paths\nfrom made import make\nloader = make(data)\n",
            "tools/_init_paths.py": (
                "import os.path as osp\nimport sys\n\ndef add_path(path):\n    if path not in sys.path:\n"
                "        sys.path.insert(0, path)\n\nthis_dir = osp.dirname(__file__)\n"
                "lib_path = osp.join(this_dir, '..', 'lib')\nadd_path(lib_path)\n"
            ),
            "lib/made.py": MADE,
        },
        {"workers": "seen"},
    ),
    "a folder found from the parents of the script": (
        {
            "a/b/train.py": (
                "import sys\nfrom pathlib import Path\nROOT = Path(__file__).resolve().parents[2]\n"
                "sys.path.append(str(ROOT / 'lib'))\nfrom made import make\nloader = make(data)\n"
            ),
            "lib/made.py": MADE,
        },
        {"workers": "seen"},
    ),
    "a folder that is only known when it runs": (
        {
            "train.py": "import os, sys\nsys.path.append(os.environ['CORE'])\nfrom made import make\nloader = make(data)\n",
            "core/made.py": MADE,
        },
        {"workers": "missing"},
    ),
    "a function within a function that is defined with an option": (
        {
            "train.py": (
                "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--seed', type=int)\n"
                "def main():\n    args = parser.parse_args()\n    if args.seed is not None:\n        print(args.seed)\n\n"
                "        def init(number):\n            torch.manual_seed(args.seed + number)\n\n    else:\n\n"
                "        def init(number):\n            print(number)\n\n    loader = DataLoader(data, worker_init_fn=init)\n"
                "main()\n"
            )
        },
        {"seeds": "unknown"},
    ),
    "a function within a function that is defined where an option is not said": (
        {
            "train.py": (
                "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--seed', type=int)\n"
                "def main():\n    args = parser.parse_args()\n    if args.seed is not None:\n\n"
                "        def init(number):\n            print(number)\n\n    else:\n        print(2)\n\n"
                "        def init(number):\n            torch.manual_seed(number)\n\n"
                "    loader = DataLoader(data, worker_init_fn=init)\n"
                "main()\n"
            )
        },
        {"seeds": "seen"},
    ),
    "a function within a function that nobody uses": (
        {"train.py": "def main():\n    def init():\n        torch.manual_seed(1)\n    print(1)\nmain()\n"},
        {"seeds": "missing"},
    ),
    "functions within functions that are called, handed on, kept": (
        {
            "train.py": (
                "def main():\n    def init():\n        torch.manual_seed(1)\n    def stop(*_):\n        net.bfloat16()\n"
                "    def smaller():\n        torch.nn.utils.clip_grad_norm_(net.parameters(), 1)\n"
                "    init()\n    net.register_forward_hook(stop)\n    return {'a': smaller}\nmain()\n"
            )
        },
        {"seeds": "seen", "mixed-precision": "seen", "clipping": "seen"},
    ),
    "an example in the repository of a framework": (
        {
            "examples/train.py": (
                "from accelerate import Accelerator\naccelerator = Accelerator()\n"
                "net, loader = accelerator.prepare(net, loader)\nfor epoch in range(3):\n"
                "    accelerator.save_state(f'e{epoch}')\n"
            ),
            "src/accelerate/__init__.py": "from .accelerator import Accelerator\n",
            "src/accelerate/accelerator.py": (
                "import torch\nimport torch_xla\nfrom torch.utils.data import DataLoader\n\nclass Accelerator:\n"
                "    def prepare(self, *given):\n        torch.compile(given[0])\n"
                "        torch.nn.utils.clip_grad_norm_(given[0].parameters(), 1)\n        return given\n"
                "    def save_state(self, folder):\n        torch.save(self, folder)\n"
            ),
        },
        {"compile": "missing", "clipping": "missing", "pinned": "missing", "contents": "seen", "set-epoch": "not-needed"},
    ),
    "an example in the repository of what it is made with": (
        {
            "examples/train.py": (
                "import jax\nfrom flax.training import checkpoints\nprint(jax.value_and_grad(print))\n"
                "state = checkpoints.restore_checkpoint('here', None)\n"
            ),
            "flax/__init__.py": "",
            "flax/training/__init__.py": "",
            "flax/training/checkpoints.py": "def restore_checkpoint(folder, target):\n    return open(folder).read()\n",
        },
        {"loads": "seen", "resumes": "seen"},
    ),
    "a script that is only saved is an export": (
        {
            "train.py": (
                "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--jit', action='store_true')\n"
                "def export():\n    script = torch.jit.script(net)\n    script.save('net.zip')\nexport()\n"
            )
        },
        {"compile": "missing"},
    ),
    "a compiler that an object may have switched off": (
        {
            "train.py": (
                "import json\nclass Maker:\n    def __init__(self, compiles):\n        self.compiles = compiles\n"
                "    def make(self, net):\n        return torch.compile(net, disable=not self.compiles)\n"
                "net = Maker(json.load(open('c.json'))['compile']).make(net)\n"
            )
        },
        {"compile": "unknown"},
    ),
    "graphs of another library around a job": (
        {
            "train.py": "from export import FORMATS\nprint(FORMATS)\n",
            "export.py": (
                "import torch\nimport tensorflow as tf\nFORMATS = []\n\nclass Exporter(torch.utils.data.Dataset):\n"
                "    def run(self, net):\n        tf.function(lambda x: net(x))\n        return torch.jit.trace(net, 1)\n"
            ),
        },
        {"compile": "missing"},
    ),
    "a compiler that is off without a GPU": (
        {"train.py": "net = torch.compile(net, disable=not torch.cuda.is_available())\n"},
        {"compile": "seen"},
    ),
    "a traced model that trains": ({"train.py": "net = torch.jit.trace(net, torch.rand(1, 4))\n"}, {"compile": "seen"}),
    "a compiled function that only another job calls": (
        {
            "train.py": "from steps import clipped\nclipped()\n",
            "steps.py": "import torch\n\ndef clipped():\n    pass\n\n@torch.compile\ndef entropy(x):\n    return x\n",
            "other.py": "from steps import entropy\nentropy(1)\n",
        },
        {"compile": "missing"},
    ),
    "a model turned into bfloat16 where the GPU has it": (
        {
            "train.py": (
                "dtype = torch.bfloat16 if torch.cuda.is_available() and torch.cuda.is_bf16_supported() else torch.float32\n"
                "net.to(dtype).to('cuda')\n"
            )
        },
        {"mixed-precision": "seen"},
    ),
    "a model turned into float32, a batch into float16": (
        {"train.py": "net.to(torch.float32)\nx = torch.rand(3).to(torch.float16)\ntorch.set_default_dtype(torch.float64)\n"},
        {"mixed-precision": "missing"},
    ),
    "a model that is loaded in bfloat16": (
        {"train.py": "from transformers import AutoModel\nnet = AutoModel.from_pretrained('x', dtype=torch.bfloat16)\n"},
        {"mixed-precision": "seen"},
    ),
    "loaders that only tests make": (
        {
            "train.py": "import json\nfrom made import make\nloader = make(data, json.load(open('c.json'))['workers'])\n",
            "made.py": (
                "from torch.utils.data import DataLoader\n\ndef make(data, workers):\n"
                "    return DataLoader(data, num_workers=workers)\n"
            ),
            "tests/test_made.py": "from made import make\n\ndef test_it():\n    assert make([], 1)\n",
        },
        {"workers": "unknown"},
    ),
    "a sampler that is told the epoch and not to shuffle": (
        {
            "train.py": (
                "from torch.utils.data.distributed import DistributedSampler\ntorch.distributed.init_process_group('nccl')\n"
                "sampler = DistributedSampler(data, shuffle=False)\nloader = DataLoader(data, sampler=sampler)\n"
                "for epoch in range(3):\n    sampler.set_epoch(epoch)\n"
            )
        },
        {"set-epoch": "missing"},
    ),
    "samplers that are told the epoch, one of which shuffles": (
        {
            "train.py": (
                "from torch.utils.data.distributed import DistributedSampler\ntorch.distributed.init_process_group('nccl')\n"
                "sampler = DistributedSampler(data)\nloader = DataLoader(data, sampler=sampler)\n"
                "other = DataLoader(data, sampler=DistributedSampler(data, shuffle=False))\n"
                "for epoch in range(3):\n    sampler.set_epoch(epoch)\n"
            )
        },
        {"set-epoch": "seen"},
    ),
    "a sampler of the project that knows the ranks": (
        {
            "train.py": (
                "from torch.utils.data.sampler import BatchSampler\ntorch.distributed.init_process_group('nccl')\n"
                "class Shared(BatchSampler):\n    def __init__(self, sampler, rank, world_size):\n"
                "        super().__init__(sampler, 4, False)\n        self.rank = rank\n"
                "rank = torch.distributed.get_rank()\nworld_size = torch.distributed.get_world_size()\n"
                "shared = Shared(torch.utils.data.SequentialSampler(data), rank, world_size)\n"
                "loader = DataLoader(data, batch_sampler=shared)\n"
            )
        },
        {"set-epoch": "seen"},
    ),
    "a sampler of the project that does not": (
        {
            "train.py": (
                "from torch.utils.data.sampler import BatchSampler\ntorch.distributed.init_process_group('nccl')\n"
                "class Own(BatchSampler):\n    pass\n"
                "loader = DataLoader(data, batch_sampler=Own(torch.utils.data.SequentialSampler(data), 4, False))\n"
            )
        },
        {"set-epoch": "unknown"},
    ),
    "pipes of data that are shared by rank and shuffled": (
        {
            "train.py": (
                "from torch.utils.data.datapipes.iter import IterableWrapper\ntorch.distributed.init_process_group('nccl')\n"
                "loader = DataLoader(IterableWrapper(data).shuffle().sharding_filter())\n"
            )
        },
        {"set-epoch": "seen"},
    ),
    "precision that a configuration switches, which is not there": (
        {
            "train.py": (
                "import json\nfrom types import SimpleNamespace\nhps = SimpleNamespace(**json.load(open('c.json')))\n"
                "with torch.autocast('cuda', enabled=hps.train.fp16_run):\n    pass\n"
            )
        },
        {"mixed-precision": "unknown"},
    ),
    "precision and workers of a configuration in Python": (
        {
            "train.py": (
                "from config import get_config\nconfig = get_config()\n"
                "loader = DataLoader(data, num_workers=config.DATA.NUM_WORKERS)\n"
                "with torch.autocast('cuda', enabled=config.AMP_ENABLE):\n    pass\n"
            ),
            "config.py": (
                "from yacs.config import CfgNode as CN\n_C = CN()\n_C.DATA = CN()\n_C.DATA.NUM_WORKERS = 8\n"
                "_C.AMP_ENABLE = True\n\n"
                "def get_config():\n    return _C.clone()\n"
            ),
        },
        {"mixed-precision": "seen", "workers": "seen"},
    ),
    "hosts of JAX that do not do the same": (
        {"train.py": JAX + "if jax.process_index() == 0:\n    print(grads)\n"},
        {"topology": "unknown", "launch": "unknown", "communication": "unknown", "set-epoch": "not-needed"},
    ),
    "a host of JAX that says which it is": (
        {"train.py": JAX + "print(jax.process_index(), grads)\n"},
        {"topology": "not-needed", "launch": "not-needed", "communication": "not-needed"},
    ),
    "how exactly JAX multiplies": (
        {"train.py": "import jax\nprint(dict(precision=jax.lax.Precision.HIGHEST))\n"},
        {"mixed-precision": "missing"},
    ),
    "a dtype that layers of Flax are handed": (
        {
            "train.py": JAX
            + "from flax import linen as nn\n\nclass Net(nn.Module):\n    dtype: str = 'float32'\n\n"
            + "    def __call__(self, x):\n        return nn.Dense(8, dtype=self.dtype)(x)\n"
        },
        {"mixed-precision": "unknown"},
    ),
    "a dtype of an array is no precision of layers": (
        {"train.py": JAX + "import jax.numpy as jnp\nprint(jnp.zeros(3, dtype=jnp.float32))\n"},
        {"mixed-precision": "missing"},
    ),
    "states that JAX's own serialization reads": (
        {
            "train.py": JAX
            + "from jax.experimental.array_serialization import serialization as array_serial\n"
            + "print(array_serial.run_deserialization(1, 2))\n"
        },
        {"loads": "seen"},
    ),
    "what the project saves besides a trainer": (
        {
            "lit/train_it.py": (
                "import lightning as L\nimport torch\nfrom torch.utils.data import DataLoader\n\nclass Net(L.LightningModule):\n"
                "    def __init__(self):\n        super().__init__()\n        self.net = torch.nn.Linear(4, 2)\n"
                "    def training_step(self, batch, index):\n        return self.net(batch).sum()\n"
                "    def configure_optimizers(self):\n        return torch.optim.SGD(self.parameters(), lr=0.1)\n"
                "    def on_save_checkpoint(self, checkpoint):\n        torch.save(self.net.state_dict(), 'net.pt')\n\n"
                "L.Trainer(devices=2).fit(Net(), DataLoader(torch.rand(8, 4)))\n"
            )
        },
        {"rank-zero": "missing", "set-epoch": "not-needed"},
    ),
    "what a project saves when its trainer is done": (
        {
            "lit/train_it.py": (
                "import lightning as L\nimport torch\nfrom torch.utils.data import DataLoader\n\nclass Net(L.LightningModule):\n"
                "    def training_step(self, batch, index):\n        return batch.sum()\n\n"
                "    @L.pytorch.utilities.rank_zero_only\n"
                "    def on_save_checkpoint(self, checkpoint):\n        torch.save(checkpoint, 'more.pt')\n\n"
                "net = Net()\nL.Trainer(devices=2).fit(net, DataLoader(torch.rand(8, 4)))\n"
                "torch.save(net.state_dict(), 'net.pt')\n"
            )
        },
        {"rank-zero": "unknown"},
    ),
    "a trainer that saves alone": (
        {
            "lit/train_it.py": (
                "import lightning as L\nimport torch\nfrom torch.utils.data import DataLoader\n\nclass Net(L.LightningModule):\n"
                "    def training_step(self, batch, index):\n        torch.save(batch, 'first_batch.pt')\n"
                "        return batch.sum()\n\n"
                "L.Trainer(devices=2).fit(Net(), DataLoader(torch.rand(8, 4)))\n"
            )
        },
        {"rank-zero": "not-needed"},
    ),
    "what a configuration that is not there is asked about": (
        {
            "train.py": (
                "import json\nconfig = json.load(open('c.json'))\nif config['training']['seed'] is not None:\n"
                "    torch.manual_seed(config['training']['seed'])\n"
                "if config['model']['gradient_checkpointing']:\n    net.gradient_checkpointing_enable()\n"
                "if config['training']['steps'] > 3:\n    net.bfloat16()\n"
            )
        },
        {"seeds": "unknown", "gradient-checkpointing": "unknown", "mixed-precision": "seen"},
    ),
    "seeds from a configuration, and seeds without": (
        {
            "train.py": (
                "import json\nconfig = json.load(open('c.json'))\nif config['seed'] is not None:\n"
                "    torch.manual_seed(config['seed'])\nelse:\n    print('none')\n\n"
                "def seed():\n    torch.cuda.manual_seed(1)\nseed()\n"
            )
        },
        {"seeds": "seen"},
    ),
    "DataParallel on all GPUs of one process": (
        {"train.py": "net = torch.nn.DataParallel(net)\n"},
        {"topology": "unknown", "launch": "not-needed"},
    ),
    "DataParallel with an option": (
        {
            "train.py": (
                "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--multi', action='store_true')\n"
                "args = parser.parse_args()\nif args.multi:\n    net = torch.nn.DataParallel(net)\n"
            )
        },
        {"topology": "not-needed"},
    ),
    "what a with statement enters": (
        {
            "train.py": (
                "import signal\nclass Handler:\n    def __enter__(self):\n        signal.signal(signal.SIGTERM, print)\n"
                "    def __exit__(self, *_):\n        pass\nwith Handler():\n    print(1)\n"
            )
        },
        {"preemption": "seen"},
    ),
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """For each case the verdicts of its lines."""
    folder = tmp_path_factory.mktemp("cases")
    names = {f"case{number}": name for number, name in enumerate(CASES)}
    for place, name in names.items():
        for path, text in CASES[name][0].items():
            file = folder / place / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text if file.name != "train.py" or text.startswith(JAX) else HEAD + text + LOOP, encoding="utf-8")
        (folder / place / ".git").mkdir()
    report = as_data(preflight([folder], settings_for(Request(paths=(str(folder),), isolated=True))))
    verdicts: dict[str, dict[str, str]] = {}
    for job in report["jobs"]:
        place = Path(job["script"]).relative_to(folder).parts[0]
        if Path(job["script"]).name.startswith("train"):
            verdicts[names[place]] = {line["name"]: line["verdict"] for line in job["lines"]}
    return verdicts


@pytest.mark.parametrize("case", CASES)
def test_verdicts_are_the_right_ones(case: str, found: dict[str, dict[str, str]]) -> None:
    wanted = CASES[case][1]
    assert {name: found[case][name] for name in wanted} == wanted
