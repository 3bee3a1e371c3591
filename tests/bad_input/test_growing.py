"""Files beside the script that multiply: a few lines of them stand for more than any memory holds, or any time reads."""

from __future__ import annotations

import time
from pathlib import Path

import click.testing
import pytest

from trainlint.app.cli.main import main

#: Lists of lists: the last of them holds 9 to the 11th texts; and mappings that are merged twice, each into the next one.
_LISTS = "a0: &a0 [/dev/shm, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{number}: &a{number} [{', '.join([f'*a{number - 1}'] * 9)}]\n" for number in range(1, 12)
)
_MERGED = "m0: &m0 {k: *a11}\n" + "".join(
    f"m{number}: &m{number}\n  <<: [*m{number - 1}, *m{number - 1}]\n  v{number}: *m{number - 1}\n" for number in range(1, 25)
)
BOMB = _LISTS + _MERGED

FILES = {
    "conf/config.yaml": "lr: 1\nepochs: 3\nmodel: {_target_: train.main, parts: *m24}\nloader: *m24\n"
    "save_top_k: 1\nfilename: last\n",
    "compose.yaml": "services: {trainer: {image: x, command: python train.py, volumes: *a11, environment: *m24}}\n",
    "pod.yaml": "apiVersion: v1\nkind: Pod\nspec: {containers: [{command: [python, train.py], volumeMounts: *a11, env: *a11}]}\n",
    "accelerate.yaml": "distributed_type: DEEPSPEED\nnum_processes: 2\ndeepspeed_config: *m24\nfsdp_config: *m24\n",
    "ds.yaml": "train_batch_size: 4\nzero_optimization: *m24\nfp16: {enabled: true}\nbf16: *m24\n"
    "tensor_model_parallel_size: *a11\n",
    "environment.yml": "dependencies: *a11\nNCCL_DEBUG: *a11\nenv: *m24\n",
}

#: What a shell script, a container and a text for people may hold of the kind.
OTHERS = {
    "run.sh": "A=x\n" + "A+=$A\n" * 60 + "W=(a $A)\n" + "W+=(${W[@]} ${W[@]})\n" * 40 + "torchrun ${W[@]} train.py --lr $A\n",
    "Dockerfile": "FROM pytorch/pytorch:latest\nARG A=xx\n"
    + "ENV A=$A$A\n" * 60
    + "RUN pip install torch==$A\nCMD python train.py $A\n",
    "README.md": "```bash\n" + "torchrun train.py \\\n" * 20_000 + "```\n",
}

TRAIN = """\
import hydra
import torch
from torch.utils.data import DataLoader


@hydra.main(config_path="conf", config_name="config", version_base=None)
def main(cfg):
    model = hydra.utils.instantiate(cfg.model)
    loader = DataLoader(model.data(), num_workers=4, **cfg.loader)
    optimizer = torch.optim.SGD(model.parameters(), lr=cfg.lr)
    for epoch in range(cfg.epochs):
        for inputs in loader:
            optimizer.zero_grad()
            model(inputs).backward()
            optimizer.step()
    torch.save(model.state_dict(), "model.pt")


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("command", ["check", "preflight"])
def test_aliases_do_not_multiply_work(tmp_path: Path, name: str, command: str) -> None:
    beside = tmp_path / name
    beside.parent.mkdir(exist_ok=True)
    beside.write_text(BOMB + FILES[name])
    (tmp_path / "run.sh").write_text(f"accelerate launch --config_file {name} train.py\n")
    ends(tmp_path, command)


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("command", ["check", "preflight"])
def test_what_is_put_into_itself_does_not_multiply_work(tmp_path: Path, name: str, command: str) -> None:
    (tmp_path / name).write_text(OTHERS[name])
    ends(tmp_path, command)


def ends(tmp_path: Path, command: str) -> None:
    (tmp_path / "train.py").write_text(TRAIN)
    words = ["check", "--isolated", "--no-cache", "--select", "ALL"] if command == "check" else ["preflight"]
    started = time.process_time()
    done = click.testing.CliRunner().invoke(main, [*words, str(tmp_path)], prog_name="trainlint")
    assert done.exit_code == 1, done.output
    assert time.process_time() - started < 10
