"""What one call of an installer is asked for: requirements, projects, conda environments, pip lines."""

from __future__ import annotations

import pytest

from trainlint.documents.document import Document
from trainlint.documents.orders import Order, orders
from trainlint.documents.project import read_project
from trainlint.finding import Spot


def read(text: str, name: str) -> list[Order]:
    return list(orders(Document(f"/p/{name}", text)))


def asked(order: Order) -> list[tuple[str, str]]:
    return [(each.name, str(each.versions)) for each in order.wanted]


PROJECT = """\
[project]
name = "x"
requires-python = ">=3.10"  # for unions
dependencies = ["Torch==2.1.0", 'numpy', "é", "torch_geometric>=2"]
[project.optional-dependencies]
old = ["torch==2.0.1"]
own = ["xformers"]
[tool.uv.sources]
xformers = {git = "https://example.org/x"}
"""


def test_a_project() -> None:
    base, old = read(PROJECT, "pyproject.toml")
    assert asked(base) == [("torch", "==2.1.0"), ("numpy", ""), ("torch-geometric", ">=2")]
    assert asked(old) == [("torch", "==2.0.1"), ("numpy", ""), ("torch-geometric", ">=2")]
    assert base.wanted[0].spot == Spot(4, 16, 4, 30)
    assert base.wanted[2].spot == Spot(4, 47, 4, 67)  # bytes: é takes two
    assert base.python is not None
    assert (str(base.python.versions), base.python.spot.line) == (">=3.10", 3)


@pytest.mark.parametrize(
    ("written", "versions"),
    [
        ('"2.1.0"', "==2.1.0"),
        ('"^2.1"', "<3,>=2.1"),
        ('"^0.4.2"', "<0.5,>=0.4.2"),
        ('"^0.0.3"', "<0.0.4,>=0.0.3"),
        ('"~2.1.0"', "<2.2,>=2.1.0"),
        ('"~2"', "<3,>=2"),
        ('">=2.0,<2.2"', "<2.2,>=2.0"),
        ('"*"', ""),
        ('"^2.0 || ^1.0"', None),
        ('{git = "https://example.org/torch"}', None),
    ],
)
def test_the_versions_of_poetry(written: str, versions: str | None) -> None:
    project = read_project(f'[tool.poetry.dependencies]\npython = "^3.9"\ntorch = {written}\n')
    assert project is not None
    found = [str(each.versions) for each in project.groups[""]]
    assert found == ([] if versions is None else [versions])
    assert str(project.python) == "<4,>=3.9"


@pytest.mark.parametrize("text", ["[project", "a = 1\na = 2", "[project]\ndependencies = 3\nrequires-python = 3", ""])
def test_what_is_no_project_asks_for_nothing(text: str) -> None:
    assert [order.wanted for order in read(text, "pyproject.toml") if order.wanted] == []


def test_a_conda_environment() -> None:
    text = (
        "name: x\ndependencies:\n  - python=3.11\n  - pytorch::pytorch=2.1.0=py3.11_cuda11.8\n  - torchvision==0.16\n  - a|b\n"
        "  - pip:\n    - --index-url https://example.org/simple\n    - jax==0.4.30\n"
    )
    conda, pip = read(text, "environment.yml")
    assert (asked(conda), conda.is_loose, conda.python) == ([("torch", "==2.1.0.*"), ("torchvision", "==0.16")], True, None)
    assert (asked(pip), pip.index) == ([("jax", "==0.4.30")], "https://example.org/simple")
    assert pip.python is not None
    assert str(pip.python.versions) == "==3.11.*"


@pytest.mark.parametrize(
    "text", ["dependencies: torch", "dependencies:\n  - [a]\n  - {pip: torch}\n  - 3", "x: {{ y }}\ndependencies: []"]
)
def test_other_yaml_asks_for_nothing(text: str) -> None:
    assert [order.wanted for order in read(text, "a.yaml") if order.wanted] == []


@pytest.mark.parametrize(
    ("line", "index"),
    [
        ("pip install torch", None),
        ("pip install torch -i https://i.example", "https://i.example"),
        ("pip install --index-url=https://i.example torch", "https://i.example"),
        ("pip install torch --index-url https://i.example --extra-index-url https://e.example", None),
        ("pip install torch --index-url https://i.example -f https://e.example", None),
        ('pip install torch --index-url https://i.example "$MORE"', None),
        ("PIP_EXTRA_INDEX_URL=$X pip install torch --index-url https://i.example", None),
    ],
)
def test_where_it_is_looked_for(line: str, index: str | None) -> None:
    (order,) = read(line, "a.sh")
    assert order.index == index
    assert order.package("torch") is not None


def test_the_index_of_a_requirements_file() -> None:
    (only,) = read("--index-url https://i.example\ntorch\n", "requirements.txt")
    (more,) = read("-i https://i.example\n--find-links https://e.example\n-c c.txt\ntorch\n", "requirements.txt")
    assert (only.index, only.is_constrained) == ("https://i.example", False)
    assert (more.index, more.is_constrained) == (None, True)


def test_files_and_flags_of_a_call() -> None:
    (order,) = read("pip install --no-deps -r requirements.txt -r more.txt -c c.txt\n", "a.sh")
    assert (order.files, order.is_alone, order.is_constrained) == (("requirements.txt", "more.txt"), True, True)
    assert read("pip download torch\necho install\n", "a.sh") == []


def test_what_is_asked_for_twice_or_sometimes_is_not_one_package() -> None:
    (order,) = read('torch==1.0\ntorch==2.0\njax==1; sys_platform == "linux"\n', "requirements.txt")
    assert order.package("torch") is None
    assert order.package("jax") is None


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "conda install -y pytorch==2.1.0 torchvision==0.16.0 -c pytorch -c nvidia",
            [("torch", "==2.1.0"), ("torchvision", "==0.16.0")],
        ),
        ("conda create --name torch python=3.10 pytorch", [("python", "==3.10.*"), ("torch", "")]),
        ("mamba install -n base -c conda-forge --file more.txt jax=0.4", [("jax", "==0.4.*")]),
    ],
)
def test_lines_of_conda(line: str, expected: list[tuple[str, str]]) -> None:
    (order,) = read(line, "a.sh")
    assert (asked(order), order.is_loose) == (expected, True)


def test_other_lines_of_conda() -> None:
    assert read("conda activate pytorch\nconda run -n a python train.py\nconda env create -f torch.yml\n", "a.sh") == []


POETRY = """\
[[package]]
name = "torch"
version = "2.2.2"
description = "é"
optional = false
python-versions = ">=3.8.0"

[[package]]
name = "own"
version = "1"
[package.source]
type = "git"
url = "https://example.org"

[[package]]
name = "triton"
version = "2.2.0"
markers = "platform_system == \\"Linux\\""

[metadata]
lock-version = "2.1"
python-versions = ">=3.10,<3.12"
"""

UV = """\
version = 1
requires-python = ">=3.13"

[[package]]
name = "torch"
version = "2.6.0+cu124"
source = { registry = "https://download.pytorch.org/whl/cu124" }
dependencies = [
    { name = "numpy" },
]

[[package]]
name = "mine"
version = "0.1"
source = { editable = "." }
"""

PIPENV = """\
{
  "_meta": {"requires": {"python_version": "3.12"}},
  "default": {
    "torch": {"hashes": [], "markers": "python_version >= '3.8'", "version": "==2.1.0"},
    "triton": {"markers": "platform_system == 'Linux'", "version": "==2.1.0"}
  }
}
"""


@pytest.mark.parametrize(
    ("text", "name", "expected", "line", "python"),
    [
        (POETRY, "poetry.lock", [("torch", "==2.2.2"), ("triton", "==2.2.0")], 3, "<3.12,>=3.10"),
        (UV, "uv.lock", [("torch", "==2.6.0+cu124")], 6, ">=3.13"),
        (PIPENV, "Pipfile.lock", [("torch", "==2.1.0"), ("triton", "==2.1.0")], 4, "==3.12.*"),
    ],
)
def test_locks(text: str, name: str, expected: list[tuple[str, str]], line: int, python: str) -> None:
    (order,) = read(text, name)
    assert asked(order) == expected
    assert order.wanted[0].spot.line == line
    assert order.package("triton") is None
    assert order.python is not None
    assert str(order.python.versions) == python


@pytest.mark.parametrize("text", ["", "[[package", "package = 3", "[[package]]\nname = 3", "[]", "{}", '{"default": 3}'])
@pytest.mark.parametrize("name", ["poetry.lock", "Pipfile.lock"])
def test_what_is_no_lock_asks_for_nothing(text: str, name: str) -> None:
    (order,) = read(text, name)
    assert order.wanted == ()
