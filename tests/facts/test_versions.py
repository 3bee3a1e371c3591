"""Releases that fit together: the table, specifiers, and what cannot work."""

from __future__ import annotations

import re

import pytest
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from trainlint.documents.document import Documents
from trainlint.jobs.version_compatibility import (
    Releases,
    allowed_pythons,
    allows_newer,
    allows_older,
    clashes,
    overlap,
    settled_releases,
)
from trainlint.jobs.version_pinning import unpinned
from trainlint.knowledge import load_knowledge
from trainlint.program.imports import ModuleFinder
from trainlint.program.program import Program

KNOWLEDGE = load_knowledge({})
RELEASES = Releases(KNOWLEDGE.tables)


def program(files: dict[str, str], scripts: tuple[str, ...] = ()) -> Program:
    made = Program({}, ModuleFinder({f"/p/{name}" for name in scripts}, ["/p"]), KNOWLEDGE)
    words = frozenset((b"torch", b"requirements", b"project"))
    texts = {f"/p/{name}": text for name, text in files.items()}
    made.documents = Documents(dict.fromkeys(texts, words), texts.get)
    return made


def wrong(text: str, name: str = "requirements.txt") -> list[int]:
    return [each.spot.line for each in clashes(program({name: text}))]


# -- the table ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["torchvision", "torchaudio"])
def test_a_companion_asks_for_a_release_of_torch(name: str) -> None:
    for release, (pin,) in RELEASES.of(name).items():
        exact = re.fullmatch(r"==([\d.]+)", pin)
        if exact is not None and Version(exact[1]) >= Version("1.7"):
            assert exact[1] in RELEASES.of("torch"), release


def test_every_release_since_2_0_has_its_rows() -> None:
    recent = [release for release in RELEASES.of("torch") if Version(release) >= Version("2.0")]
    assert len(recent) >= 28
    for release in recent:
        assert release in RELEASES.of("triton")
        cuda = RELEASES.of("bundled")[release][0]
        assert cuda.partition(".")[0] in RELEASES.of("drivers")
        builds = RELEASES.of("cuda").get(release)
        assert builds is None or f"cu{cuda.replace('.', '')}" in builds, release


def test_the_pythons_of_a_release_have_no_gap() -> None:
    for name in ("torch", "jaxlib"):
        for release, minors in RELEASES.of(name).items():
            numbers = [int(minor.removeprefix("3.")) for minor in minors]
            assert numbers == list(range(numbers[0], numbers[-1] + 1)), (name, release)


# -- specifiers --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("versions", "releases"),
    [
        ("==2.1.0", ["2.1.0"]),
        ("==2.1.0+cu118", ["2.1.0"]),
        ("==2.2.*", ["2.2.0", "2.2.1", "2.2.2"]),
        ("~=2.3.0", ["2.3.0", "2.3.1"]),
        (">=2.0,<2.1", ["2.0.0", "2.0.1"]),
        (">=2.0", None),
        ("<2.1", None),
        ("!=2.0.0", None),
        ("==2.0.7", None),
        ("==2.9.0.dev20250801", None),
        ("", None),
    ],
)
def test_which_releases_are_left(versions: str, releases: list[str] | None) -> None:
    found = settled_releases(SpecifierSet(versions), RELEASES.of("torch"))
    assert (None if found is None else list(found)) == releases


def test_older_and_newer_ones() -> None:
    table = RELEASES.of("torch")
    assert allows_newer(SpecifierSet(">=2.0"), table)
    assert allows_newer(SpecifierSet("!=2.0"), table)
    assert not allows_newer(SpecifierSet(">=2.0,<2.4"), table)
    assert allows_older(SpecifierSet("<2.4"), table)
    assert allows_older(SpecifierSet(">=1.2"), table)
    assert not allows_older(SpecifierSet(">=1.7,<2"), table)


def test_pythons() -> None:
    assert allowed_pythons(SpecifierSet("==3.13.*")) == ["3.13"]
    assert allowed_pythons(SpecifierSet(">=3.10.4,<3.12")) == ["3.10", "3.11"]
    assert allowed_pythons(SpecifierSet(">=3.14"))[0] == "3.14"
    assert allowed_pythons(SpecifierSet("<3")) == []


def test_overlap() -> None:
    assert overlap(SpecifierSet(">=3"), SpecifierSet("==3.1.0"))
    assert overlap(SpecifierSet(">0.4.29,<0.5"), SpecifierSet(">=0.4.30,<=0.4.31"))
    assert not overlap(SpecifierSet("<3"), SpecifierSet("==3.1.0"))
    assert not overlap(SpecifierSet("==0.4.30"), SpecifierSet(">=0.4.34,<=0.4.35"))


# -- what cannot work --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["torch==2.3.0", "torchvision==0.16.0"], [2]),
        (["torch==2.3.0", "torchvision==0.18.0", "torchaudio==2.2.0"], [3]),
        (["torch>=2.5", "torchvision==0.14.1"], [2]),
        (["torch==2.1.0", "torchvision>=0.17"], [2]),
        (["torch==2.0.1", "torchvision~=0.16.0"], [2]),
        (["torch>=2.5", "torchvision>=0.14"], []),
        (["torch>=2.14", "torchvision==0.29.2"], []),
        (["torch==2.0.0", "torchvision==0.29.2"], [2]),
        (["torch==2.15.0", "torchvision>=0.29"], []),
        (["torch==2.16.0", "torchvision==0.25.0"], []),
        (["torch==2.4.0", "torchvision==0.99.0"], []),
        (["torch==1.4.0", "torchvision==0.5.0"], []),
        (["torch", "torchvision==0.16.0"], []),
        (["torch<2.3", "torchvision==0.16.0"], []),
        (["torch==2.11.0", "torchaudio==2.11.0"], []),
        (["torch==2.3.0", "torchaudio==2.11.0"], []),
        (["jax==0.4.35", "jaxlib==0.4.30"], [2]),
        (["jax[cuda12]==0.7.0", "jaxlib<0.7"], [2]),
        (["jax==0.5.2", "jaxlib==0.5.1"], []),
        (["jax==0.4.20", "jaxlib==0.4.30"], []),
        (["torch==2.8.0", "triton==3.3.1"], [2]),
        (["torch==2.8.0", "triton>=3"], []),
        (["torch==2.3.0", "triton==3.0.0"], []),  # from Python 3.12 on none is asked for
        (["torch==2.2.0", "numpy==2.0.1"], [2]),
        (["torch>=2.0,<2.3", "numpy>=2"], [2]),
        (["torch==2.2.0", "numpy>=1.26"], []),
        (["torch==2.3.0", "numpy==2.0.1"], []),
        (["torch==2.8.0+cu118"], [1]),
        (["torch==2.6.0+cu121"], [1]),
        (["--extra-index-url https://download.pytorch.org/whl/cu121", "torch==2.6.0+cu121"], [2]),
        (["--extra-index-url https://wheels.example/simple", "torch==2.6.0+cu121"], []),
        (["torch==2.13.0+cu118"], []),
        (["torch==2.4.0+cpu"], []),
        (["torch==2.6.0+metax3.0.0.3", "torchvision==0.15.1+metax3.0.0.3"], []),
        (["torch==2.1.0+rocm5.6", "torchvision==0.15.1"], [2]),
        (["--index-url https://download.pytorch.org/whl/cu118", "torch==2.8.0"], [2]),
        (["--index-url https://download.pytorch.org/whl/cu126", "torch==2.8.0"], []),
        (["--extra-index-url https://download.pytorch.org/whl/cu118", "torch==2.8.0"], []),
        (["torch==2.1.0+cu118", "torchvision==0.16.0+cu121"], [2]),
        (["torch==2.4.0+cu121", "torchvision==0.19.0+cu124"], []),
    ],
)
def test_requirements(lines: list[str], expected: list[int]) -> None:
    assert wrong("\n".join(lines)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("FROM python:3.13\nRUN pip install torch==2.1.0", [2]),
        ("FROM python:3.13.1-slim-bookworm\nRUN pip install 'torch<2.5,>=2.0'", [2]),
        ("FROM docker.io/library/python:3.7\nRUN pip3 install torch>=2.0", []),  # the shell writes to a file
        ("FROM python:3.7\nRUN pip3 install 'torch>=2.9'", [2]),
        ("FROM python:3.7\nRUN pip3 install 'jaxlib==0.7.0'", [2]),
        ("FROM python:3.13 AS a\nFROM a AS b\nFROM b\nRUN pip install torch==2.1.0", [4]),
        ("FROM python:3.13 AS a\nFROM python:3.11\nRUN pip install torch==2.1.0", []),
        ("FROM python:3\nRUN pip install torch==2.1.0", []),
        ("FROM python@sha256:12\nRUN pip install torch==2.1.0", []),
        ("FROM other/python:3.13\nRUN pip install torch==2.1.0", []),
        ("FROM python:3.13\nRUN conda create -n a python=3.10 && pip install torch==2.1.0", []),
        ("FROM python:3.12\nRUN pip install 'torch>=2.0'", []),
        ("FROM python:3.16\nRUN pip install 'torch>=2.0'", []),
        ("FROM nvidia/cuda:12.1.0-devel-ubuntu20.04\nRUN apt install python3-pip && pip3 install torch==2.5.1", [2]),
        ("FROM ubuntu:noble\nRUN apt install python3-pip && pip3 install torch==2.1.0", [2]),
        ("FROM ubuntu:22.04\nRUN apt install python3-pip && pip3 install torch==2.1.0", []),
        ("FROM ubuntu:20.04\nRUN apt install python3.10 && pip3 install torch==2.5.1", []),
        ("FROM ubuntu:20.04\nARG PYTHON_VERSION=3.10\nRUN pip3 install torch==2.5.1", []),
        ("FROM ubuntu:20.04\nCOPY --from=python:3.11 /usr /usr\nRUN pip3 install torch==2.5.1", []),
        ("FROM ubuntu:20.04\nRUN sh Miniconda3-latest-Linux-x86_64.sh && pip install torch==2.5.1", []),
        ("FROM nvidia/cuda:12.1.0-devel-ubi8\nRUN pip3 install torch==2.5.1", []),
    ],
)
def test_dockerfiles(text: str, expected: list[int]) -> None:
    assert wrong(text, "Dockerfile") == expected


def test_what_packages_say_of_each_other_is_settled_in_a_lock() -> None:
    def lock(**versions: str) -> str:
        return "".join(f'[[package]]\nname = "{name}"\nversion = "{version}"\n' for name, version in versions.items())

    assert wrong(lock(torch="2.11.0", triton="3.7.0", torchvision="0.16.0"), "uv.lock") == []
    assert wrong(lock(torch="2.2.2", numpy="2.1.0"), "uv.lock") == [6]
    assert wrong('requires-python = ">=3.13"\n' + lock(torch="2.2.2"), "uv.lock") == [4]


def test_a_project_may_override_what_packages_say() -> None:
    text = '[project]\ndependencies = ["torch==2.3.0", "torchvision==0.16.0"]\n'
    assert wrong(text, "pyproject.toml") == [2]
    assert wrong(text + '[tool.uv]\noverride-dependencies = ["torch==2.3.0"]\n', "pyproject.toml") == []


def test_records_of_runs_are_left_alone() -> None:
    text = "torch==2.3.0\ntorchvision==0.16.0"
    assert wrong(text, "wandb/run-1/files/requirements.txt") == []
    assert wrong(text, "wandb_run/requirements.txt") == [2]


def test_a_requirements_file_that_a_dockerfile_installs() -> None:
    files = {"a/Dockerfile": "FROM python:3.13\nRUN pip install -r requirements.txt", "requirements.txt": "x\ntorch==2.0.1"}
    (found,) = clashes(program(files))
    assert (found.path, found.spot.line, found.because[0][:1]) == ("/p/requirements.txt", 2, ("/p/a/Dockerfile",))
    assert list(clashes(program({**files, "a/requirements.txt": "y"}))) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("apt install nvidia-driver-470\npip install torch==2.3.0", [1]),
        ("apt-get install -y cuda-drivers-525\npip install torch==2.12.0", [1]),
        ("apt-get install -y cuda-drivers-525\npip install torch==2.7.0", []),
        ("apt install nvidia-driver-470\npip install torch==2.3.0+cu118 -f x", []),
        ("apt install nvidia-driver-470 cuda-compat-12-2\npip install torch==2.3.0", []),
        ("apt install nvidia-driver-470\npip install torch", []),
    ],
)
def test_drivers(text: str, expected: list[int]) -> None:
    assert wrong(text, "setup.sh") == expected


# -- what has no version -----------------------------------------------------------------------------------------------


def loose(files: dict[str, str], scripts: tuple[str, ...] = ("train.py",)) -> list[tuple[str, int]]:
    return [(each.name, each.spot.line) for each in unpinned(program(files, scripts))]


def test_an_application() -> None:
    assert loose({"requirements.txt": "tqdm\ntorch\njax\ntorch_geometric"}) == [("torch", 2), ("jax", 3)]
    assert loose({"requirements.txt": "torch"}, ()) == []  # nothing is trained there
    assert loose({"requirements.txt": "torch"}, ("train.py", "setup.py")) == []
    assert loose({"requirements/requirements-min.txt": "torch"}) == []
    assert loose({"requirements-dev.txt": "torch"}) == []
    assert loose({"docs/requirements.txt": "torch"}, ("docs/train.py",)) == []
    assert loose({"requirements.txt": "torch", "pyproject.toml": '[project]\nname = "x"\n'}) == []
    assert loose({"requirements.txt": "torch", "pyproject.toml": "[tool.ruff]\n"}) == [("torch", 1)]


def test_an_image_that_serves() -> None:
    text = "FROM python:3.11\nRUN pip install torch\n"
    assert loose({"Dockerfile": text}, ()) == [("torch", 2)]  # all that there is
    assert loose({"Dockerfile": text}, ("chat.py",)) == []
    assert loose({"docker/Dockerfile": text}, ("src/train.py",)) == [("torch", 2)]
    assert loose({"Dockerfile": text + 'CMD ["uvicorn", "main:app"]\n'}) == []
    assert loose({"Dockerfile": text + 'ENTRYPOINT ["python", "train.py"]\n'}) == [("torch", 2)]


def test_a_service_has_a_main_that_trains_nothing() -> None:
    assert loose({"requirements.txt": "torch\ntqdm"}, ("main.py",)) == [("torch", 1)]
    assert loose({"requirements.txt": "torch\nfastapi"}, ("main.py",)) == []
    assert loose({"requirements.txt": "torch\nfastapi"}, ("main.py", "train.py")) == [("torch", 1)]


def test_what_says_the_version() -> None:
    assert loose({"requirements.txt": "torch\ntorchvision==0.18"}) == []
    assert loose({"requirements.txt": "torch", "requirements-gpu.txt": "torch==2.4.0"}) == []
    assert loose({"requirements.txt": "torch", "locked/requirements.txt": "torch==2.4.0"}) == []
    assert loose({"requirements.txt": "torch", "other/requirements.txt": "torch==2.4.0"}) == [("torch", 1)]
    assert loose({"requirements.txt": "-c constraints.txt\ntorch"}) == []


def test_an_image_keeps_what_a_requirements_file_names() -> None:
    image = "FROM nvcr.io/nvidia/pytorch:26.04-py3\n"
    mount = "--mount=type=bind,source=requirements.txt,target=/requirements.txt"
    bound = image + f"RUN {mount} \\\n    PIP_CONSTRAINT= pip install -r /requirements.txt\n"
    copied = image + "COPY requirements.txt .\nRUN pip install -r requirements.txt\n"
    assert loose({"requirements.txt": "torch", "Dockerfile": bound}) == []
    assert loose({"requirements.txt": "torch", "docker/Dockerfile": copied}) == []
    assert loose({"a/requirements.txt": "torch", "Dockerfile": copied.replace("-r ", "-r a/")}, ("a/train.py",)) == []
    found = [("torch", 1)]
    assert loose({"requirements.txt": "torch", "other/Dockerfile": image}) == found  # not installed there
    assert loose({"a/requirements.txt": "torch", "b/Dockerfile": copied}, ("a/train.py",)) == found
    assert loose({"requirements.txt": "torch", "Dockerfile": copied.replace("install", "install -U")}) == found
    assert loose({"requirements.txt": "jax", "Dockerfile": copied}) == [("jax", 1)]
    bare = "FROM nvidia/cuda:12.1.1-devel-ubuntu22.04\nRUN pip install -r requirements.txt\n"
    assert loose({"requirements.txt": "torch", "Dockerfile": bare}) == found
    assert loose({"requirements.txt": "torch", "Dockerfile": copied, "Dockerfile.cuda": bare}) == found


def test_an_address_is_a_version() -> None:
    assert loose({"requirements.txt": "tensorflow @ file:///wheels/tensorflow-2.4.2-cp38-cp38-linux_x86_64.whl"}) == []
    assert loose({"requirements.txt": "torch @ https://download.pytorch.org/whl/cu118/torch-2.1.0-cp311-cp311-linux.whl"}) == []


def test_what_a_package_reads_is_a_library_s() -> None:
    scripts = ("setup.py", "big/core/train.py")
    assert loose({"big/core/requirements.txt": "torch"}, (*scripts, "big/core/__init__.py")) == []
    assert loose({"big/core/requirements.txt": "torch"}, scripts) == [("torch", 1)]  # an application beside a package
    project = '[project]\nname = "x"\ndynamic = ["dependencies"]\n[tool.setuptools.dynamic]\n'
    for line in ('dependencies = {file = ["needs/requirements.txt"]}', 'dependencies.file = "needs/requirements.txt"'):
        files = {"needs/requirements.txt": "torch", "pyproject.toml": project + line}
        assert loose(files, ("needs/train.py",)) == []
    extra = project + 'optional-dependencies.gpu = {file = ["needs/requirements.txt"]}'
    assert loose({"needs/requirements.txt": "torch", "pyproject.toml": extra}, ("needs/train.py",)) == []
    assert loose({"needs/requirements.txt": "torch", "pyproject.toml": project}, ("needs/train.py",)) == [("torch", 1)]


def test_another_project_inside_trains_nothing_here() -> None:
    files = {"requirements.txt": "torch"}
    assert loose(files, ("data/loader-1.0/setup.py", "data/loader-1.0/loader/main.py")) == []
    assert loose(files, ("third_party/apex/examples/main.py",)) == []
    assert loose(files, ("data/loader-1.0/loader/main.py",)) == [("torch", 1)]
    assert loose(files, ("data/loader-1.0/setup.py", "data/loader-1.0/loader/main.py", "src/train.py")) == [("torch", 1)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("FROM python:3.11\nARG T=2.1\nRUN [ ${#T} -gt 0 ] && V='torch=='$T'.*' || V='torch'; pip install -U $V", []),
        ("FROM python:3.11\nRUN V=torch; pip install $V", [("torch", 2)]),
        ("FROM pytorch/pytorch", [("pytorch/pytorch", 1)]),
        ("FROM docker.io/pytorch/pytorch:latest", [("docker.io/pytorch/pytorch:latest", 1)]),
        ("FROM tensorflow/tensorflow:latest-gpu", [("tensorflow/tensorflow:latest-gpu", 1)]),
        ("FROM tensorflow/tensorflow:nightly", []),
        ("FROM pytorch/pytorch:2.4.1-cuda12.1-cudnn9-runtime", []),
        ("FROM pytorch/pytorch@sha256:12", []),
        ("ARG T=latest\nFROM pytorch/pytorch:$T", [("pytorch/pytorch:latest", 2)]),
        ("ARG T\nFROM pytorch/pytorch:$T", []),
        ("FROM python:3.11\nRUN pip install torch", [("torch", 2)]),
        ("FROM mine:1\nRUN pip install torch", []),
        ("FROM python:3.11\nRUN pip install torch==$T\nRUN pip install torch", []),
        ("FROM python:3.11\nRUN pip install torch==2.1\nRUN pip install torch", []),
    ],
)
def test_images(text: str, expected: list[tuple[str, int]]) -> None:
    assert loose({"Dockerfile": text}) == expected
