"""What a project's own files say of the versions it runs with."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainlint.config.project_files import declared_versions, mentions, requirement_stamps, specifiers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("torch>=2.0", [">=2.0"]),
        ("torch >= 1.7.1, < 2.5  # as tested", [">=1.7.1,<2.5"]),
        ("torch==1.12.1+cu113", ["==1.12.1"]),
        ("torch[opt]~=2.4", ["~=2.4"]),
        ("# torch>=1.0", []),
        ("torch", []),
        ("torch @ https://download/torch-1.13.1.whl", []),
        ("pytorch-lightning>=1.5", []),
        ("torchvision>=0.10", []),
        ("lightning-torch>=0.10", []),
        ('install_requires=["numpy", "torch>=1.10", "torchaudio==0.9"]', [">=1.10"]),
        ('dependencies = ["torch (>=2.4,<3)"]', [">=2.4,<3"]),
        ('torch = "^1.10"', [">=1.10,<2"]),
        ('torch = { version = ">=2.1", source = "pytorch" }', [">=2.1"]),
        ("  - pytorch=1.13", ["==1.13.*"]),
        ("  - pytorch::pytorch=2.5.*", ["==2.5.*"]),
        ("torch>=two", []),
    ],
)
def test_formats(text: str, expected: list[str]) -> None:
    assert list(specifiers("torch", text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Requires PyTorch (>= 1.7)", [">=1.7"]),
        ("* [PyTorch](https://pytorch.org/) 1.7+", [">=1.7"]),
        ("**PyTorch 1.4.0** or later is needed, pytorch v1.4.0 or later", ["==1.4.0", ">=1.4.0"]),
        ("![](https://img.shields.io/badge/PyTorch-1.7-orange)", ["==1.7"]),
        ("FROM pytorch/pytorch:1.7.1-cuda11.0-cudnn8-devel", ["==1.7.1"]),
        ("pip install torch==1.6.0+cu101 torchvision==0.7.0", ["==1.6.0"]),
        ("torch < 2.0", ["<2.0"]),
        ("V100 (32G): CUDA 10.1 + PyTorch 1.6.0 + torchvision 0.7.0", ["==1.6.0"]),
        ("FROM nvcr.io/nvidia/pytorch:23.07-py3", ["23.07"]),
        ("Please first install PyTorch (we use 1.7.0) and apex; PyTorch install 1.6", ["==1.7.0", "==1.6"]),
        ("PyTorch Lightning 1.5, pytorch-lightning==1.6, PyTorch with CUDA 11.1. 3.5 times faster", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert list(mentions("torch", text)) == expected


def test_nearest_folder_that_says_something(tmp_path: Path) -> None:
    inner = tmp_path / "tools" / "train"
    inner.mkdir(parents=True)
    (tmp_path / "requirements.txt").write_text("torch>=2.4\n", encoding="utf-8")
    (tmp_path / "setup.py").write_text('setup(install_requires=["torch>=1.8"])\n', encoding="utf-8")
    (inner / "requirements.txt").write_text("numpy\n", encoding="utf-8")
    assert declared_versions("torch", str(inner), str(tmp_path)) == (">=2.4", ">=1.8")
    (inner / "requirements.txt").write_text("torch==2.6\nnumpy\n", encoding="utf-8")
    assert declared_versions("torch", str(inner), str(tmp_path)) == ("==2.6",)
    assert declared_versions("torch", str(tmp_path / "tools"), str(tmp_path / "tools")) == ()


def test_a_repository_ends_the_search(tmp_path: Path) -> None:
    inner = tmp_path / "third_party" / "model"
    inner.mkdir(parents=True)
    (tmp_path / "requirements.txt").write_text("torch>=2.4\n", encoding="utf-8")
    assert declared_versions("torch", str(inner), str(tmp_path)) == (">=2.4",)
    (inner / ".git").mkdir()
    assert declared_versions("torch", str(inner), str(tmp_path)) == ()


def test_state_changes_with_the_file(tmp_path: Path) -> None:
    before = requirement_stamps([str(tmp_path)])
    (tmp_path / "pyproject.toml").write_text('dependencies = ["torch>=2"]\n', encoding="utf-8")
    assert before == []
    assert [Path(name).name for name, _, _ in requirement_stamps([str(tmp_path)])] == ["pyproject.toml"]
