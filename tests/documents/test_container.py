"""Dockerfiles and requirements: images, variables, what is installed."""

from __future__ import annotations

import pytest

from trainlint.documents.container import Container, read_container
from trainlint.documents.document import Document, kind_of
from trainlint.documents.requirements import read_requirements
from trainlint.finding import Spot

DOCKERFILE = """\
ARG V=24.05
FROM nvcr.io/nvidia/pytorch:${V}-py3 AS base
FROM pytorch/pytorch
FROM base@sha256:12
FROM python:$UNKNOWN
ENV A=1 B="x y"
ENV C d
RUN pip install torch==2.1.0+cu118 \\
    # the build of CUDA 11.8
    'numpy>1' && \\
    python3 -m pip install --no-cache-dir tqdm
RUN ["pip", "install", "einops==0.7"]
RUN <<EOF
uv pip install accelerate
EOF
"""


def container(text: str) -> Container:
    read = read_container(text.encode())
    assert read is not None
    return read


def test_images() -> None:
    assert [(each.name, each.tag, each.digest, each.alias) for each in container(DOCKERFILE).images] == [
        ("nvcr.io/nvidia/pytorch", "24.05-py3", "", "base"),
        ("pytorch/pytorch", "", "", ""),
        ("base", "", "sha256:12", ""),
        ("", "", "", ""),
    ]


def test_variables() -> None:
    found = [(each.name, each.value, each.is_argument) for each in container(DOCKERFILE).variables]
    assert found == [("V", "24.05", True), ("A", "1", False), ("B", "x y", False), ("C", "d", False)]


def test_what_is_installed_and_where() -> None:
    wanted = Document("/x/Dockerfile", DOCKERFILE).wanted
    assert [(each.name, str(each.versions), each.local) for each in wanted] == [
        ("torch", "==2.1.0+cu118", "cu118"),
        ("numpy", ">1", ""),
        ("tqdm", "", ""),
        ("einops", "==0.7", ""),
        ("accelerate", "", ""),
    ]
    assert [each.spot for each in wanted][:2] == [Spot(8, 16, 8, 34), Spot(10, 4, 10, 13)]


def test_what_has_no_image_is_no_dockerfile() -> None:
    assert read_container(b"hello\nworld\n") is None


def test_requirements_files() -> None:
    text = (
        "# all\ntorch==2.1 --hash=sha256:1  # why\n-r more.txt\n  numpy >= 1 ; python_version<'3.9'\n"
        "git+https://a/b\n\nnot a thing\n./x\n"
    )
    found = read_requirements(text)
    assert [(each.name, str(each.versions), each.marker) for each in found] == [
        ("torch", "==2.1", ""),
        ("numpy", ">=1", 'python_version < "3.9"'),
    ]
    assert [each.spot for each in found] == [Spot(2, 0, 2, 10), Spot(4, 2, 4, 35)]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("ds.json", "json"),
        ("A.YAML", "yaml"),
        ("job.slurm", "shell"),
        ("Dockerfile", "container"),
        ("Dockerfile.gpu", "container"),
        ("train.Dockerfile", "container"),
        ("Dockerfile.py", None),
        ("requirements-gpu.txt", "requirements"),
        ("dev_requirements.txt", "requirements"),
        ("readme.txt", None),
        ("train.py", None),
        ("Makefile", None),
        (".json", None),
        ("no_suffix", None),
    ],
)
def test_kinds(name: str, kind: str | None) -> None:
    assert kind_of(name) == kind
