"""The containers of Compose files and of Kubernetes manifests: a Pod, and what holds the template of one (Job, PyTorchJob …)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from trainlint.documents.expansion import Word
from trainlint.documents.shell import read_shell
from trainlint.documents.tree import Mapping, Node, Scalar, Sequence, mappings, nodes

if TYPE_CHECKING:
    from trainlint.documents.document import Document
    from trainlint.finding import Spot

_PLACE = "/dev/shm"  # noqa: S108 - the place in the container


class Service(NamedTuple):
    """One container; see :class:`trainlint.facts.containers.running.Running`."""

    image: Word | None
    words: tuple[Word, ...]
    spot: Spot
    has_memory: bool | None


def manifests(document: Document) -> Iterator[Service]:
    """Those of one file."""
    for root in document.roots:
        services = root.mapping("services") if isinstance(root, Mapping) else None
        for item in () if services is None else services.items:
            if isinstance(item.value, Mapping):
                yield _service(item.value, item.key.spot)
        for pod in mappings(root):
            containers = pod.at("containers")
            if isinstance(containers, Sequence):
                yield from (_container(pod, each) for each in containers.values if isinstance(each, Mapping))


def _service(service: Mapping, spot: Spot) -> Service:
    """A service of Compose."""
    memory: bool | None = None if "extends" in service else False
    if "shm_size" in service or "ipc" in service or _PLACE in _texts(service.at("volumes")) + _texts(service.at("tmpfs")):
        memory = True
    words = (*_command(service.at("entrypoint")), *_command(service.at("command")))
    return Service(_word(service.at("image")), words, spot, memory)


def _container(pod: Mapping, container: Mapping) -> Service:
    """A container of a pod."""
    memory = pod.value("hostIPC") is True or _PLACE in _texts(container.at("volumeMounts"))
    # Others than Kubernetes have a field for it in their templates: `shmSize`, `shm_size`.
    memory = memory or any("shm" in str(item.key.value).lower() for each in mappings(pod) for item in each.items)
    item = container.item("command") or container.item("args") or container.item("image")
    spot = container.spot if item is None else item.key.spot
    words = (*_listed(container.at("command")), *_listed(container.at("args")))
    return Service(_word(container.at("image")), words, spot, memory)


def _command(node: Node | None) -> tuple[Word, ...]:
    """A command that is one text, which Compose splits as a shell would, or a list."""
    if isinstance(node, Scalar) and isinstance(node.value, str):
        script = read_shell(node.value.encode())
        commands = [] if script is None else script.commands
        return tuple(word._replace(spot=node.spot) for word in commands[0].words) if len(commands) == 1 else ()
    return _listed(node)


def _listed(node: Node | None) -> tuple[Word, ...]:
    found = [_word(each) for each in node.values] if isinstance(node, Sequence) else []
    return tuple(each for each in found if each is not None)


def _word(node: Node | None) -> Word | None:
    """A text of the file as a word; what an environment fills in is not known."""
    if not isinstance(node, Scalar) or node.value is None:
        return None
    text = str(node.value)
    known = "$" not in text or " " in text  # a whole script of a shell is read as one
    return Word(text if known else None, text, node.spot, text.partition("$")[0] if not known else text)


def _texts(node: Node | None) -> str:
    """All texts in a node."""
    return "".join(f"{each.value}\n" for each in nodes(node) if isinstance(each, Scalar))
