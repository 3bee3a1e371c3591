"""What one call of an installer is asked for: the packages that have to fit together, and where they are looked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from packaging.specifiers import InvalidSpecifier, SpecifierSet

from trainlint.documents.project import Project, read_project
from trainlint.documents.requirements import Lock, Wanted, installed_by, read_lock, requirement
from trainlint.documents.tree import Mapping, Scalar, Sequence
from trainlint.finding import Spot

if TYPE_CHECKING:
    from trainlint.documents.document import Document
    from trainlint.documents.shell import Command

_INDEX = re.compile(r"(?m)^[ \t]*(?:--index-url|-i)[ =\t]+(\S+)")
_MORE = re.compile(r"(?m)^[ \t]*(?:--extra-index-url|--find-links|-f)[ =\t]+(\S+)")
#: Where the frameworks' own releases are.
_OFFICIAL = re.compile(r"https://(?:download\.pytorch\.org|pypi\.org|pypi\.python\.org|pypi\.nvidia\.com)/")
#: ``+cu118`` of the frameworks' own releases; others, as ``+metax3.0``, ask for what they like.
_BUILD = re.compile(r"cu\d|cuda\d|cpu|rocm\d|xpu")
#: Variables by which pip and uv are told to look elsewhere.
_VARIABLE = re.compile(r"\b(?:PIP|UV)_(?:EXTRA_|DEFAULT_)?(?:INDEX|FIND_LINKS|CONFIG)")
_LONGEST = 200
_CONDAS = frozenset(("conda", "mamba", "micromamba"))
_CONDA_VALUES = frozenset(("-c", "--channel", "-n", "--name", "-p", "--prefix", "-f", "--file", "--solver", "--platform", "run"))
_CONDA = re.compile(r"(?P<name>[\w.-]+)\s*(?P<versions>(?:[=<>!~]=?=?\s*[\d.*|,<>=! ]+)?)(?:=\S*)?")


@dataclass(frozen=True)
class Python:
    """The Python that packages are installed for: which versions it may be, and where that is said."""

    versions: SpecifierSet
    spot: Spot
    path: str


@dataclass(frozen=True)
class Order:
    """The packages of one call. ``index`` is the one place where they are looked for, None when there are more, or PyPI.

    ``files`` are the requirements files that it names, ``command`` the call in a script. ``is_loose``: versions are conda's,
    which chooses among builds of its own. ``is_alone``: what the packages ask for themselves is not looked at (``--no-deps``);
    ``is_elsewhere``: they are also looked for where others may have built them.
    """

    document: Document
    wanted: tuple[Wanted, ...]
    index: str | None = None
    python: Python | None = None
    command: Command | None = None
    files: tuple[str, ...] = ()
    is_loose: bool = False
    is_constrained: bool = False
    is_alone: bool = False
    is_elsewhere: bool = False

    def package(self, name: str) -> Wanted | None:
        """A package that is asked for once, whatever the platform is, and in a build of those who release it."""
        found = [each for each in self.wanted if each.name == name]
        if len(found) != 1 or found[0].marker:
            return None
        return found[0] if not found[0].local or _BUILD.match(found[0].local) else None


def orders(document: Document) -> Iterator[Order]:
    """Every call that a file describes."""
    if document.kind == "requirements":
        yield _of_file(document)
    elif document.kind == "toml" and document.path.endswith("pyproject.toml"):
        yield from _of_project(document)
    elif document.path.endswith(".lock"):
        locked = read_lock(document)
        # The installer has asked the packages, and was told by the project where not to listen.
        yield Order(document, locked.wanted, python=_python(locked, document.path), is_alone=True)
    elif document.kind == "yaml" and re.search(r"(?m)^dependencies:", document.text):
        yield from _of_conda(document)
    elif document.kind in ("shell", "container"):
        for script in document.scripts:
            for command in script.commands:
                order = _of_command(document, command) or _of_conda_line(document, command)
                if order is not None:
                    yield order


def _of_file(document: Document) -> Order:
    text = document.text
    found = _INDEX.findall(text)
    more = _MORE.findall(text)
    index = found[0] if len(found) == 1 and not more else None
    elsewhere = not all(map(_OFFICIAL.match, (*found, *more)))
    constrained = re.search(r"(?m)^[ \t]*(?:-c|--constraint)\b", text) is not None
    return Order(document, document.wanted, index, is_constrained=constrained, is_elsewhere=elsewhere)


def _of_command(document: Document, command: Command) -> Order | None:
    wanted = tuple(installed_by([command]))
    texts = [word.text or "" for word in command.words]
    if "install" not in texts:
        return None
    files = tuple(after for text, after in zip(texts, texts[1:], strict=False) if text in ("-r", "--requirement"))
    if not wanted and not files:
        return None
    elsewhere = _VARIABLE.search(document.text) is not None
    index, more = None, elsewhere or any(word.text is None for word in command.words)
    for text, after in zip(texts, [*texts[1:], ""], strict=True):
        name, equals, value = text.partition("=")
        if name in ("--index-url", "-i", "--default-index", "--extra-index-url", "--find-links", "-f", "--index"):
            place = value if equals else after
            elsewhere = elsewhere or not _OFFICIAL.match(place)
            if name in ("--index-url", "-i", "--default-index"):
                index = place
            else:
                more = True
    constrained = any(text in ("-c", "--constraint") or text.startswith("--constraint=") for text in texts)
    alone = "--no-deps" in texts or any(text.startswith("--override") for text in texts)
    return Order(
        document,
        wanted,
        None if more else index,
        None,
        command,
        files,
        is_constrained=constrained,
        is_alone=alone,
        is_elsewhere=elsewhere,
    )


def _of_conda_line(document: Document, command: Command) -> Order | None:
    """``conda install pytorch=2.1 -c pytorch``."""
    words = [word for word in command.words if word.text is not None]
    if command.name not in _CONDAS or not words or all(word.text not in ("install", "create") for word in words[1:2]):
        return None
    found: list[Wanted] = []
    for before, word in zip(words, words[1:], strict=False):
        text = word.text or ""
        if not text.startswith("-") and before.text not in _CONDA_VALUES and before is not words[0]:
            wanted = _conda(text, word.spot)
            if wanted is not None and not text.endswith((".yml", ".yaml", ".txt")):
                found.append(wanted)
    return Order(document, tuple(found), command=command, is_loose=True)


def _of_project(document: Document) -> Iterator[Order]:
    project = read_project(document.text)
    if project is None:
        return
    python = _python(project, document.path)
    base = tuple(each for each in project.groups.get("", ()) if each.name not in project.sources)
    yield Order(document, base, python=python, is_alone=project.is_overriding)
    for name, group in project.groups.items():
        own = tuple(each for each in group if each.name not in project.sources)
        names = {each.name for each in own}
        if name and names:
            wanted = (*own, *(each for each in base if each.name not in names))
            yield Order(document, wanted, python=python, is_alone=project.is_overriding)


def _python(said: Project | Lock, path: str) -> Python | None:
    """The Python that a project, or what locks it, is for."""
    return None if said.python is None or said.python_spot is None else Python(said.python, said.python_spot, path)


def _of_conda(document: Document) -> Iterator[Order]:
    for root in document.roots:
        listed = root.at("dependencies") if isinstance(root, Mapping) else None
        if not isinstance(listed, Sequence):
            continue
        python: Python | None = None
        conda: list[Wanted] = []
        pip: list[Scalar] = []
        for node in listed.values:
            if isinstance(node, Scalar) and isinstance(node.value, str):
                wanted = _conda(node.value, node.spot)
                if wanted is not None and wanted.name == "python":
                    python = Python(wanted.versions, node.spot, document.path)
                elif wanted is not None:
                    conda.append(wanted)
            elif isinstance(node, Mapping) and isinstance(inner := node.at("pip"), Sequence):
                pip.extend(each for each in inner.values if isinstance(each, Scalar) and isinstance(each.value, str))
        found = [each for node in pip if (each := requirement(str(node.value), node.spot)) is not None]
        plain = [str(node.value).strip() for node in pip]
        index = [text for text in plain if text.startswith(("--index-url", "-i "))]
        more = any(text.startswith(("--extra-index-url", "--find-links", "-f ")) for text in plain)
        only = re.split(r"[ =]+", index[0], maxsplit=1)[-1] if len(index) == 1 and not more else None
        yield Order(document, tuple(conda), is_loose=True)
        yield Order(document, tuple(found), only, python)


def _conda(text: str, spot: Spot) -> Wanted | None:
    """``channel::name=1.2=build``: of one equals sign any patch will do."""
    found = (
        _CONDA.fullmatch(text.rpartition("::")[2].strip()) if len(text) <= _LONGEST and not re.search(r"\d{9}", text) else None
    )
    if found is None or "|" in found["versions"]:
        return None
    versions = found["versions"].replace(" ", "")
    single = re.fullmatch(r"=(\d[\d.]*)\*?=?", versions)
    if single is not None:
        versions = f"=={single[1].rstrip('.')}.*"
    versions = versions.rstrip("=")
    try:
        read = SpecifierSet(versions)
    except InvalidSpecifier:
        return None
    name = found["name"].lower()
    return Wanted("torch" if name in ("pytorch", "pytorch-gpu") else name, read, spot)
