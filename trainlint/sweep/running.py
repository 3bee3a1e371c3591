"""The sweep itself: repositories go out to an executor, answers come back in any order, each is kept as soon as it is there.

What an executor loses (a worker that died, a cluster that went away) is checked here: that is a process of its own anyway.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from trainlint import __version__
from trainlint.sweep.listing import Repository
from trainlint.sweep.one import PROCESSES, check_elsewhere
from trainlint.sweep.results import Answer, Results, key_of

#: As :data:`trainlint.engine.analysis.Progress`: (repositories done, repositories in all).
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
