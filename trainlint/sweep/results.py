"""What a sweep leaves behind: for each repository a SARIF log and its result, each written whole or not at all; and one table.

The results are what a sweep goes on from that was interrupted. They are data, and hold what they were made with: another list,
other settings, another version of the tool make them count as not there.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from trainlint.sweep.listing import Repository

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
        yield _row({**about, "status": answer["status"], "error": answer.get("error")})
    elif not findings:
        yield _row({**about, "status": "clean"})
    for finding in findings:
        yield _row({**about, "status": "finding", **finding})


def _row(known: dict[str, Any]) -> dict[str, Any]:
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
