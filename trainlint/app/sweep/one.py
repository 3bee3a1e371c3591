"""One repository of a sweep: what runs in its process, and what starts that process. Between the two goes JSON and nothing else.

A process of its own for each: one that hangs can be ended, one that dies takes nothing with it, and none leaves memory behind.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any, NoReturn

from trainlint import __version__

#: How the process finds the same trainlint, wherever it stands: by our own path, without the working directory.
_START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from trainlint.app.sweep.one import main; main()"
#: So often the process is started, if it dies.
_TRIES = 2


class _Processes:
    """The processes that run for this one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self.ended = False

    @contextlib.contextmanager
    def one(self, command: Sequence[str], job: str, out: IO[bytes], err: IO[bytes]) -> Iterator[subprocess.Popen[bytes]]:
        """A process that has been told its job, and that ends when we do: its stdin is open as long as we live."""
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out, stderr=err)  # noqa: S603 - ours
        try:
            with self._lock:
                self._running.add(process)
            assert process.stdin is not None
            with contextlib.suppress(BrokenPipeError):  # it has died already, which is seen soon
                process.stdin.write(job.encode() + b"\n")
                process.stdin.flush()
            yield process
        finally:
            with self._lock:
                self._running.discard(process)
            process.kill()
            process.wait()
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()  # type: ignore[union-attr]

    def end(self) -> None:
        """End all that run; none is started again."""
        with self._lock:
            self.ended = True
            for process in self._running:
                process.kill()


PROCESSES = _Processes()


def check_elsewhere(job: str, timeout: float) -> str:
    """Check one repository in a new process of this machine, for at most so many seconds. Job and answer are JSON, in one line.

    The answer says ``status``: "checked", "error" (with ``error``, a sentence), "timeout" or "lost" (the process died).
    """
    path = [each for each in sys.path if each]
    home = str(Path(__file__).resolve().parents[3])
    if home not in path:
        path.insert(0, home)
    command = [sys.executable, "-I", "-c", _START, json.dumps(path)]
    died = ""
    for _ in range(_TRIES):
        if PROCESSES.ended:
            break
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            try:
                with PROCESSES.one(command, job, out, err) as process:
                    code = process.wait(timeout)
            except subprocess.TimeoutExpired:
                return _answer("timeout", f"this took longer than {timeout:g} seconds")
            except OSError as error:
                return _answer("lost", f"no process could be started: {error.strerror or error}")
            out.seek(0)
            if code == 0:
                return out.read().decode()
            err.seek(0)
            last = err.read().decode(errors="replace").strip().rpartition("\n")[2]
        died = f"signal {-code}" if code < 0 else last or f"exit code {code}"
    return _answer("lost", f"the process that checked it ended with {died}" if died else "the sweep was ended")


def _answer(status: str, error: str) -> str:
    return json.dumps({"version": __version__, "status": status, "error": error})


def main() -> NoReturn:
    """Take a job from stdin, print the answer. What others print goes to stderr."""
    job = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_parent, daemon=True).start()
    answers, sys.stdout = sys.stdout, sys.stderr
    answers.write(json.dumps({"version": __version__, **_checked(job)}))
    answers.flush()
    os._exit(0)  # nothing is left to be done, and the other thread waits


def _end_with_parent() -> NoReturn:
    """Nobody wants the answer any more when stdin is closed."""
    while os.read(0, 1):
        pass
    os._exit(1)


def _checked(job: dict[str, Any]) -> dict[str, Any]:
    from trainlint.app.engine.driver import check
    from trainlint.app.report.sarif import render
    from trainlint.config import ConfigError, Overrides, find_settings
    from trainlint.knowledge.checking import mistakes

    try:
        os.chdir(job["path"])
        os.listdir()  # noqa: PTH208 - whether it can be read is all that is asked
    except (OSError, ValueError) as error:
        return {"status": "error", "error": f"the folder cannot be read: {getattr(error, 'strerror', None) or error}"}
    here = Path()
    overrides = Overrides({**job["flags"], "jobs": 1}, tuple(job["config"]))
    try:
        # Its own configuration: what lies above the repository is not asked.
        settings = find_settings(here, overrides, isolated=job["isolated"], check_knowledge=mistakes, top=here)
    except ConfigError as error:
        return {"status": "error", "error": str(error)}
    result = check([here], settings, project=Path.cwd())
    errors = list(result.errors)
    if result.internal_errors:
        errors.append(f"trainlint failed {result.internal_errors} times, findings are missing")
    return {
        "status": "error" if errors else "checked",
        "error": "; ".join(errors) or None,
        "files": result.files_checked,
        "findings": list(_rows(result)),
        "sarif": render(result.findings, result.lines_of, Path.cwd(), result.in_file),
    }


def _rows(result: Any) -> Iterator[dict[str, Any]]:
    from trainlint.fingerprint import fingerprints, relative

    root = Path.cwd()
    for finding, mark in zip(result.findings, fingerprints(result.findings, root, result.lines_of), strict=True):
        repair = finding.repair
        yield {
            "file": _text(relative(finding.path, root)),
            "cell": finding.cell,
            "line": finding.span.line,
            "column": finding.span.column,
            "end_line": finding.span.end_line,
            "end_column": finding.span.end_column,
            "code": finding.code,
            "rule": finding.name,
            "level": finding.level.value,
            "message": _text(finding.message),
            "repair": None if repair is None else repair.applicability.value,
            "fingerprint": mark,
        }


def _text(text: str) -> str:
    """A text that every reader takes: what stands for bytes that are none is written as an escape."""
    return text.encode("utf-8", "backslashreplace").decode()
