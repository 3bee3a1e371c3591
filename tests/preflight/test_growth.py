"""A checklist costs no more where values are made of one another again and again."""

from __future__ import annotations

import time
from pathlib import Path

from trainlint.app.preflight.run import preflight
from trainlint.config import Overrides, find_settings

LOOP = """\
import torch

net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in torch.utils.data.DataLoader([]):
    loss = torch.nn.functional.mse_loss(net(x), y)
    loss.backward()
    optimizer.step()
    first = x[0]
{doubled}
    print(first, [first, first])
"""


def test_values_that_share_their_parts(tmp_path: Path) -> None:
    # Each line has the text of the one before twice: at the end a thousand million times.
    doubled = "\n".join('    first = f"{first} {first}"' for _ in range(30))
    (tmp_path / "train.py").write_text(LOOP.format(doubled=doubled), encoding="utf-8")
    started = time.process_time()
    outcome = preflight([tmp_path], find_settings(tmp_path, Overrides(), isolated=True))
    assert len(outcome.checklists) == 1
    assert time.process_time() - started < 20


def test_functions_that_call_the_next_one_twice(tmp_path: Path) -> None:
    # On the way to the last one there are a thousand million ways.
    head = "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--amp', type=int, default=0)\n"
    calls = "".join(f"def f{n}(x):\n    return f{n + 1}(x + {n}) or f{n + 1}(x + {n + 100})\n" for n in range(30))
    asked = "args = parser.parse_args()\nif f0(args.amp):\n    torch.cuda.amp.autocast()\n"
    script = f"{head}{calls}def f30(x):\n    return x\n{asked}"
    (tmp_path / "train.py").write_text(
        LOOP.format(doubled="").replace("import torch\n", f"import torch\n{script}", 1), encoding="utf-8"
    )
    started = time.process_time()
    outcome = preflight([tmp_path], find_settings(tmp_path, Overrides(), isolated=True))
    assert len(outcome.checklists) == 1
    assert time.process_time() - started < 20
