"""The sweep: the list of repositories, their way to an executor, and what is left behind.

What a sweep leaves behind: for each repository a SARIF log and its result, each written whole or not at all; and one
table.

The results are what a sweep goes on from that was interrupted. They are data, and hold what they were made with: another list,
other settings, another version of the tool make them count as not there.

The sweep itself: repositories go out to an executor, answers come back in any order, each is kept as soon as it is
there.

What an executor loses (a worker that died, a cluster that went away) is checked here: that is a process of its own anyway.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from trainlint import __version__
from trainlint.app.sweep.one import PROCESSES, check_elsewhere
from trainlint.regular import absolute_path

#: What stands for itself in the name of a file.
_PLAIN = re.compile(r"[^\w.+-]", re.ASCII)
_LONGEST = 100
_KEYS = ("path", "name", "commit")


class WrongList(ValueError):
    """A list that cannot be understood; the text is the sentence that says where and why."""


class Repository(NamedTuple):
    """A folder to check: its absolute path, what it is called, the commit it is at if somebody says so, the name of its files."""

    path: str
    name: str
    commit: str | None
    stem: str


def repositories(sources: Iterable[tuple[str, str]]) -> list[Repository]:
    """The repositories of some sources (name of the source, its text), each folder once.

    A line is a folder, or a JSON object with ``path`` and perhaps ``name`` and ``commit``; empty lines and those that begin with
    ``#`` say nothing. Folders count from the working directory. Raises :class:`WrongList`.
    """
    rows: dict[str, dict[str, str]] = {}
    for source, text in sources:
        for number, line in enumerate(text.split("\n"), 1):
            row = _listed_row(line.strip(), f"{source}:{number}")
            if row is not None:
                path = row["path"] = absolute_path(row["path"])
                if rows.setdefault(path, row) != row:
                    raise WrongList(f"{source}:{number}: {path} is in the list already, with another name or commit")
    return list(_named(rows))


def row_of(folder: str) -> str:
    """A folder as a line of a list."""
    return json.dumps({"path": folder})


def _listed_row(line: str, where: str) -> dict[str, str] | None:
    if not line or line.startswith("#"):
        return None
    row = {"path": line}
    if line.startswith("{"):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise WrongList(f"{where}: this is not JSON: {error}") from None
        row = {key: value for key, value in row.items() if value is not None}
    unknown = sorted(row.keys() - set(_KEYS))
    if unknown:
        raise WrongList(f"{where}: unknown key {unknown[0]!r}: a row has path, and perhaps name and commit")
    if not isinstance(row.get("path"), str) or not row["path"] or "\0" in row["path"]:
        raise WrongList(f"{where}: path must be the name of a folder")
    wrong = [key for key, value in row.items() if not isinstance(value, str) or not value]
    if wrong:
        raise WrongList(f"{where}: {wrong[0]} must be a text that is not empty")
    return row


def _named(rows: dict[str, dict[str, str]]) -> Iterator[Repository]:
    names = {path: row.get("name") or Path(path).name or path for path, row in rows.items()}
    stems = {path: _stem(name) for path, name in names.items()}
    shared = Counter(stem.lower() for stem in stems.values())  # not every file system tells upper from lower case
    for path, row in rows.items():
        stem = stems[path]
        if shared[stem.lower()] > 1:
            stem += "-" + hashlib.sha256(os.fsencode(path)).hexdigest()[:10]
        yield Repository(path, names[path], row.get("commit"), stem)


def _stem(name: str) -> str:
    """A name as a file can have it, whatever it holds: no folder above, nothing hidden."""
    stem = _PLAIN.sub("+", name)[:_LONGEST]
    return "_" + stem if stem[0] in ".-" else stem


_SARIF, _RESULT = ".sarif", ".sweep.json"
#: The columns of the table, each with the type of what stands there; all but the first three may be empty.
COLUMNS: dict[str, type] = {
    "repository": str,
    "path": str,
    "status": str,
    "commit": str,
    "error": str,
    "files": int,
    "file": str,
    "cell": int,
    "line": int,
    "column": int,
    "end_line": int,
    "end_column": int,
    "code": str,
    "rule": str,
    "level": str,
    "message": str,
    "repair": str,
    "fingerprint": str,
}
Answer = dict[str, Any]


def key_of(repository: Repository, about: object) -> str:
    """What a result is kept for: this repository, and what the sweep is ``about`` (tool, settings)."""
    return hashlib.sha256(json.dumps([1, repository, about], sort_keys=True).encode()).hexdigest()


class Results:
    """The folder with one SARIF log and one result for each repository that was checked."""

    def __init__(self, folder: Path) -> None:
        """Raises OSError when there can be no such folder."""
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder

    def known(self, repository: Repository, key: str) -> Answer | None:
        """The answer that was kept under this key, whole; None when there is none, or it is not to be relied on."""
        try:
            kept = json.loads(self._path(repository, _RESULT).read_bytes())
            answer = kept["answer"]
            whole = kept["key"] == key and _is_answer(answer) and self._path(repository, _SARIF).is_file()
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None
        return answer if whole else None

    def keep(self, repository: Repository, key: str, answer: Answer) -> None:
        """Write what was found out; only what was checked to its end is taken up again. Raises OSError."""
        sarif = answer.get("sarif")
        if sarif is not None:
            write_whole(self._path(repository, _SARIF), sarif.encode("utf-8", "backslashreplace"))
        else:
            self._path(repository, _SARIF).unlink(missing_ok=True)
        if answer["status"] == "checked":
            kept = {"key": key, "answer": {name: value for name, value in answer.items() if name != "sarif"}}
            # Last of all: when it is there, everything is.
            write_whole(self._path(repository, _RESULT), json.dumps(kept).encode())
        else:
            self._path(repository, _RESULT).unlink(missing_ok=True)

    def forget_others(self, repositories: Iterable[Repository]) -> int:
        """Remove what was kept of repositories that are no longer in the list; how many they were."""
        named = {repository.stem for repository in repositories}
        gone = 0
        for path in sorted(self.folder.glob(f"*{_RESULT}")):
            stem = path.name.removesuffix(_RESULT)
            if stem not in named:
                (self.folder / (stem + _SARIF)).unlink(missing_ok=True)
                path.unlink(missing_ok=True)
                gone += 1
        return gone

    def _path(self, repository: Repository, suffix: str) -> Path:
        return self.folder / (repository.stem + suffix)


def _is_answer(answer: Any) -> bool:
    """Whether an answer that was read can be made rows of: what stands in files is never believed."""
    if not isinstance(answer, dict) or answer.get("status") != "checked" or type(answer.get("files")) is not int:
        return False
    rows = answer.get("findings")
    return isinstance(rows, list) and all(isinstance(row, dict) and _is_row(row) for row in rows)


def _is_row(row: dict[str, Any]) -> bool:
    return all(name in COLUMNS and (value is None or type(value) is COLUMNS[name]) for name, value in row.items())


def write_whole(path: Path, data: bytes) -> None:
    """Let a file hold this, or what it held before, but never a part. Raises OSError."""
    beside = path.with_name(f".{path.name[:100]}.{secrets.token_hex(8)}.tmp")
    try:
        with beside.open("xb") as file:
            file.write(data)
        beside.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise


# -- the table ---------------------------------------------------------------------------------------------------------


def rows(repository: Repository, answer: Answer) -> Iterator[dict[str, Any]]:
    """The rows of a repository: one for each finding, one that says that there is none, and one for what went wrong.

    ``status`` is "finding", "clean", "error", "timeout" or "lost".
    """
    about = {"repository": repository.name, "path": repository.path, "commit": repository.commit, "files": answer.get("files")}
    findings = answer.get("findings") or ()
    if answer["status"] != "checked":
        yield _table_row({**about, "status": answer["status"], "error": answer.get("error")})
    elif not findings:
        yield _table_row({**about, "status": "clean"})
    for finding in findings:
        yield _table_row({**about, "status": "finding", **finding})


def _table_row(known: dict[str, Any]) -> dict[str, Any]:
    return {name: known.get(name) for name in COLUMNS}


def write_table(path: Path, table: Iterable[dict[str, Any]]) -> None:
    """Write the table as Parquet when the name ends so, else as JSON lines. Raises OSError; ImportError without pyarrow."""
    if path.suffix == ".parquet":
        write_whole(path, _parquet(list(table)))
    else:
        lines = (json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in table)
        write_whole(path, "".join(line + "\n" for line in lines).encode("utf-8", "backslashreplace"))


def _parquet(table: list[dict[str, Any]]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([(name, pa.string() if kind is str else pa.int64()) for name, kind in COLUMNS.items()])
    stream = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist(table, schema=schema), stream)
    return bytes(stream.getvalue())


#: As :data:`trainlint.app.engine.analysis.Progress`: (repositories done, repositories in all).
Progress = Callable[[int, int], None]


class Plan(NamedTuple):
    """How every repository is checked: flags as of the command line, ``--config``, and after how many seconds it is enough."""

    flags: Mapping[str, Any]
    config: Sequence[str] = ()
    isolated: bool = False
    timeout: float = 600.0

    def job(self, repository: Repository) -> str:
        """What the process of a repository is told."""
        return json.dumps(
            {"path": repository.path, "flags": self.flags, "config": list(self.config), "isolated": self.isolated}, default=list
        )


@dataclass
class Swept:
    """The answers, in the order of the list; how many of them were known from before, how many the executor lost."""

    answers: list[tuple[Repository, Answer]] = field(default_factory=list)
    known: int = 0
    lost: int = 0


def sweep(
    repositories: Sequence[Repository],
    plan: Plan,
    results: Results,
    executor: Executor,
    *,
    about: object = None,
    again: bool = False,
    progress: Progress | None = None,
) -> Swept:
    """Check every repository once on an executor, which is not shut down.

    ``about`` is what the results depend on besides the repository (the tool, the settings); what is known under the same is not
    checked again, unless ``again``. Raises OSError when results cannot be written.
    """
    swept = Swept()
    answers: dict[str, Answer] = {}
    keys = {repository.path: key_of(repository, about) for repository in repositories}
    for repository in repositories if not again else ():
        known = results.known(repository, keys[repository.path])
        if known is not None:
            answers[repository.path] = known
    swept.known = len(answers)
    left = [repository for repository in repositories if repository.path not in answers]
    for repository, answer, lost in _answers(left, plan, executor):
        swept.lost += lost
        answers[repository.path] = answer
        results.keep(repository, keys[repository.path], answer)
        if progress is not None:
            progress(len(answers), len(repositories))
    swept.answers = [(repository, answers[repository.path]) for repository in repositories]
    return swept


def _answers(left: Sequence[Repository], plan: Plan, executor: Executor) -> Iterable[tuple[Repository, Answer, bool]]:
    """The answers as they come, and whether the executor had lost them."""
    futures: dict[Future[str], Repository] = {}
    refused: list[Repository] = []
    for repository in left:
        try:
            futures[executor.submit(check_elsewhere, plan.job(repository), plan.timeout)] = repository
        except Exception:  # noqa: BLE001 - shut down, broken, unreachable: executors are other people's
            refused.append(repository)
    try:
        for future in as_completed(futures):
            answer = _answer(future)
            yield futures[future], answer or _here(futures[future], plan), answer is None
        for repository in refused:
            yield repository, _here(repository, plan), True
    finally:
        for future in futures:
            future.cancel()


def _answer(future: Future[str]) -> Answer | None:
    """What came back; None when nothing did, or nothing that can be read."""
    try:
        answer: Answer = json.loads(future.result())
    except Exception:  # noqa: BLE001 - whatever an executor makes of a lost worker
        return None
    if answer.get("version") != __version__:
        return {"status": "error", "error": f"the worker has trainlint {answer.get('version')}, not {__version__}"}
    return answer


def _here(repository: Repository, plan: Plan) -> Answer:
    answer: Answer = json.loads(check_elsewhere(plan.job(repository), plan.timeout))
    return answer


@contextlib.contextmanager
def local(jobs: int) -> Iterator[Executor]:
    """An executor of this machine: as many repositories at once as ``jobs``, each in its process; a thread waits for each."""
    PROCESSES.ended = False
    executor = ThreadPoolExecutor(jobs, thread_name_prefix="trainlint-sweep")
    try:
        yield executor
    except BaseException:
        executor.shutdown(wait=False, cancel_futures=True)
        PROCESSES.end()  # or we would wait for them
        raise
    finally:
        executor.shutdown(cancel_futures=True)
