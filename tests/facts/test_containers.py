"""Containers that are started: their options, their commands, their memory."""

from __future__ import annotations

import pytest

from trainlint.documents.document import Documents
from trainlint.jobs.containers import Running, running, starved
from trainlint.knowledge import load_knowledge
from trainlint.program.imports import ModuleFinder
from trainlint.program.program import Program


def program(text: str, name: str) -> Program:
    made = Program({}, ModuleFinder(set(), ["/p"]), load_knowledge({}))
    path = f"/p/{name}"
    made.documents = Documents({path: frozenset((b"docker", b"services", b"containers"))}, {path: text}.get)
    return made


def started(text: str, name: str = "run.sh") -> list[Running]:
    return list(running(program(text, name)))


@pytest.mark.parametrize(
    ("line", "image", "memory"),
    [
        ("docker run img python a.py", "img", False),
        ("docker run -it --rm --gpus all -v $PWD:/x -w /x --name=a img python a.py", "img", False),
        ("docker run -itd -v/data:/data -e A=1 -p 80:80 img python a.py", "img", False),
        ("sudo podman run --user $(id -u):$(id -g) img python a.py", "img", False),
        ("docker container run img python a.py", "img", False),
        ("docker run --ipc=host img python a.py", "img", True),
        ("docker run --ipc host img python a.py", "img", True),
        ("docker run --shm-size 8g img python a.py", "img", True),
        ("docker run --shm-size=$SIZE img python a.py", "img", True),
        ("docker run -v /dev/shm:/dev/shm img python a.py", "img", True),
        ("docker run --mount type=tmpfs,destination=/dev/shm img python a.py", "img", True),
        ("docker run --tmpfs=/dev/shm:size=8g img python a.py", "img", True),
    ],
)
def test_options(line: str, image: str, memory: bool) -> None:
    (found,) = started(line)
    assert found.image is not None
    assert (found.image.text, found.has_memory) == (image, memory)
    assert [word.text for word in found.words] == ["python", "a.py"]


@pytest.mark.parametrize(
    "line", ['docker run "$@" img python a.py', "docker run $ARGS img python a.py", "docker run ${OPTS[@]} img"]
)
def test_options_of_any_content(line: str) -> None:
    (found,) = started(line)
    assert found.has_memory is None


@pytest.mark.parametrize(
    "line", ["docker build .", "docker exec a python a.py", "docker", "echo docker run img", "docker compose run a"]
)
def test_what_starts_no_container(line: str) -> None:
    assert started(line) == []


def test_commands_of_a_shell() -> None:
    (found,) = started("docker run img bash -lc 'cd /x && exec python train.py --num-workers 4'")
    assert [command.name for command in found.commands()] == ["cd", "exec"]


COMPOSE = """\
x-gpu: &gpu
  shm_size: 8gb
services:
  a:
    image: img:${TAG:-1}
    entrypoint: [python]
    command: train.py --num_workers 4
  b:
    <<: *gpu
    command: python train.py
  c:
    tmpfs: [/dev/shm]
  d:
    extends: a
  e:
    volumes: [{type: bind, source: /dev/shm, target: /dev/shm}]
"""


def test_compose() -> None:
    found = started(COMPOSE, "compose.yaml")
    assert [each.has_memory for each in found] == [False, True, True, None, True]
    assert [word.text for word in found[0].words] == ["python", "train.py", "--num_workers", "4"]
    assert found[0].image is not None
    assert found[0].image.text is None


JOB = """\
kind: Job
spec:
  template:
    spec:
      containers:
        - name: a
          command: [sh, -c, "torchrun train.py --num-workers=2"]
        - name: b
          args: [train.py]
          volumeMounts: [{name: s, mountPath: /dev/shm}]
---
spec: {hostIPC: true, containers: [{image: i}]}
---
containers: 3
services: [a]
"""


def test_kubernetes() -> None:
    found = started(JOB, "job.yml")
    assert [(each.has_memory, each.spot.line) for each in found] == [(False, 7), (True, 9), (True, 12)]
    assert [each.workers for each in starved(program(JOB, "job.yml"))] == [2]


def test_fields_of_others() -> None:
    text = "shmSize: 8Gi\ncontainers: [{command: [python, train.py, --num-workers=8]}]\n"
    assert [each.has_memory for each in started(text, "job.yml")] == [True]


@pytest.mark.parametrize(
    ("command", "workers"),
    [
        ("python train.py --num_workers 8", [8]),
        ("torchrun main.py --workers=4", [4]),
        ("python -m tools.launch /x/train.py data.num_workers=4", [4]),
        ("accelerate launch run.py --dataloader_num_workers 2", [2]),
        ("python train.py --num_workers 8 --num_workers 0", []),
        ("python train.py --num_workers $N", []),
        ("python train.py --num_workers", []),
        ("python server.py --workers 4", []),
        ("gunicorn app:train --workers 4", []),
        ("python train.py", []),
        ("bash -c 'mount -o remount,size=8G /dev/shm && python train.py --num_workers 8'", []),
    ],
)
def test_workers_that_a_command_asks_for(command: str, workers: list[int]) -> None:
    assert [each.workers for each in starved(program(f"docker run img {command}", "a.sh"))] == workers
