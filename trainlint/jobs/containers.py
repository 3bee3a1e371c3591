"""The containers that a project starts: by ``docker run`` in a script, by Compose, by Kubernetes.

Their image, their command, and their shared memory: 64 MB by default, where the workers of a loader hand over
batches. Of Kubernetes a Pod counts, and what holds the template of one (Job, PyTorchJob …).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from trainlint.documents.expansion import Word
from trainlint.documents.shell import Command, Script, read_shell
from trainlint.documents.tree import Mapping, Node, Scalar, Sequence, mappings, nodes
from trainlint.domains.loaders.dataloaders import Loader, Loaders, fewest
from trainlint.jobs.launch_lines import Launch, launch_of
from trainlint.knowledge.words import read

if TYPE_CHECKING:
    from trainlint.documents.document import Document
    from trainlint.finding import Spot
    from trainlint.program.program import Program

_PLACE = "/dev/shm"  # noqa: S108 - the place in the container


class Service(NamedTuple):
    """One container; see :class:`trainlint.jobs.containers.Running`."""

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


_SHELLS = ("sh", "bash", "/bin/sh", "/bin/bash", "/usr/bin/bash")


@dataclass(frozen=True)
class Running:
    """One container. ``words`` are its command, as a shell would see it; ``spot`` is where it is said that it is started.

    ``has_memory`` is None when that cannot be seen: a word of any content, something that is merged from elsewhere.
    """

    document: Document
    image: Word | None
    words: tuple[Word, ...]
    spot: Spot
    has_memory: bool | None

    @property
    def is_enough(self) -> bool:
        """Whether it may have more memory than by default, or gets more by its own command."""
        return self.has_memory is not False or any(_PLACE in word.written for word in self.words)

    def commands(self) -> Iterator[Command]:
        """The commands that it runs: its own, or those of ``bash -c "…"``."""
        texts = [word.text for word in self.words]
        if texts and texts[0] in _SHELLS:
            flag = next(
                (at for at, text in enumerate(texts) if (text or "").startswith("-") and (text or "").endswith("c")), None
            )
            inner = texts[flag + 1] if flag is not None and flag + 1 < len(texts) else None
            script = None if inner is None else read_shell(inner.encode())
            for command in () if script is None else script.commands:
                words = tuple(word._replace(spot=self.spot) for word in command.words)
                yield Command(words, self.spot, command.environment, command.conditional, command.tested)
        elif self.words:
            yield Command(self.words, self.spot)


def running(program: Program) -> Iterator[Running]:
    """All containers that the files of a run start, by file and place."""
    tables = program.knowledge.tables
    names = frozenset(tables["containers.run"]["names"])
    bare = frozenset(tables["containers.bare"]["names"])
    shared = frozenset(tables["containers.shared"]["names"])
    for document in program.documents.of(read(program.knowledge, "containers"), "shell", "yaml"):
        for script in document.scripts:
            for command in script.commands:
                found = _Line(command, names, bare, shared).running(document)
                if found is not None:
                    yield found
        if document.kind == "yaml":
            for service in manifests(document):
                yield Running(document, service.image, service.words, service.spot, service.has_memory)


class _Line:
    """A command, which may be ``docker run``."""

    def __init__(self, command: Command, names: frozenset[str], bare: frozenset[str], shared: frozenset[str]) -> None:
        self._command = command
        self._names, self._bare, self._shared = names, bare, shared

    def running(self, document: Document) -> Running | None:
        words = list(self._command.words)
        while words and words[0].text in ("sudo", "exec", "nohup", "-E"):
            words.pop(0)
        if len(words) < 2 or (words[0].text or "").rpartition("/")[2] not in self._names:  # noqa: PLR2004
            return None
        start = words.pop(0)
        if words and words[0].text == "container":
            words.pop(0)
        if not words or words.pop(0).text != "run":
            return None
        memory = self._options(words)
        image = words.pop(0) if words else None
        return Running(document, image, tuple(words), start.spot, memory)

    def _options(self, words: list[Word]) -> bool | None:
        """Take the options off the words; whether they give shared memory, None when one of them is not known."""
        memory: bool | None = False
        while words and (words[0].start.startswith("-") or words[0].text is None):
            word = words.pop(0)
            if not word.start.startswith("-"):
                return None  # an option or the image, of any content
            name, equals, _ = word.start.partition("=")
            taken = [word]
            if not equals and name not in self._bare and not self._cluster(name) and words:
                taken.append(words.pop(0))
            if name in self._shared or any(_PLACE in each.written or "shm" in each.written for each in taken):
                memory = True
            if any(each.many for each in taken):
                return None
        return memory

    def _cluster(self, name: str) -> bool:
        """Short options in one word: ``-it``, or one with its value, ``-v/data:/data``."""
        if name.startswith("--") or len(name) < 3:  # noqa: PLR2004
            return False
        last = "-" + name[-1]
        return last in self._bare or "-" + name[1] not in self._bare


def script_of(running: Running) -> Script:
    """What a command of a container stands in: nothing is set for it there."""
    return Script(commands=list(running.commands()))


class Starved(NamedTuple):
    """A container that runs a script whose loader has ``workers``: by its arguments, or (``loader``) as it is written there."""

    running: Running
    launch: Launch
    workers: int
    loader: Loader | None = None

    @property
    def script(self) -> str:
        """What is run: the script, also behind a launcher that the tables do not know."""
        return next((word.written for word in (self.launch.target, *self.launch.arguments) if word.written.endswith(".py")), "")


def starved(program: Program) -> Iterator[Starved]:
    """Without modules: what the command of a container says. With them: what the loaders of the script that it runs are given."""
    for each in running(program):
        if each.is_enough:
            continue
        script = script_of(each)
        for command in script.commands:
            launch = launch_of(program, each.document, script, command)
            found = None if launch is None else _found(program, each, launch)
            if found is not None:
                yield found
                break


def _found(program: Program, each: Running, launch: Launch) -> Starved | None:
    tables = program.knowledge.tables
    option = launch.argument(*tables["containers.workers"]["names"])
    hydra = [word.text for word in launch.arguments if (word.start or "").rpartition("=")[0].rpartition(".")[2] == "num_workers"]
    texts = hydra or ([] if option is None else [option.text])
    if texts:
        text = texts[-1].rpartition("=")[2] if texts[-1] is not None else ""
        workers = int(text) if text.isascii() and text.isdigit() else 0
        return Starved(each, launch, workers) if workers and not program.modules and _trains(program, launch) else None
    if launch.path is None or launch.path not in program.modules or any(word.many for word in launch.arguments):
        return None
    found = [(loader, fewest(loader)) for loader in program.ask(Loaders).all() if loader.module == launch.path]
    sure = [(count, loader) for loader, count in found if count]
    return Starved(each, launch, sure[0][0], sure[0][1]) if sure else None


def _trains(program: Program, launch: Launch) -> bool:
    """Whether a line clearly starts training: by its launcher, or by the name of the script."""
    tables = program.knowledge.tables
    if launch.launcher(*tables["containers.launchers"]["names"]) is not None:
        return True
    scripts = [word.written.rpartition("/")[2].lower() for word in launch.arguments if (word.text or "").endswith(".py")]
    name = (launch.target.text or launch.target.written).rpartition("/")[2].lower()
    return any(word in each for each in (name, *scripts[:1]) for word in tables["containers.training"]["names"])
