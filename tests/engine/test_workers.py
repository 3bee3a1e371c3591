"""Work is done on any executor, with the same results; what that loses is done here, each thing once."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from trainlint import check_paths
from trainlint.app.engine import judging, lowering
from trainlint.app.engine.workers import Workers
from trainlint.finding import Finding

SAMPLES = Path(__file__).parents[2] / "sample_repos"
HERE = os.getpid()

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")  # pytest-xdist has threads


class Losing(Executor):
    """Does at once what it is given; from item ``good`` on it loses everything, as a pool does whose worker has died."""

    def __init__(self, good: int, loss: Exception) -> None:
        self.good = good
        self.loss = loss
        self.asked: list[Any] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.asked.append(args[0])
        future: Future[Any] = Future()
        if len(self.asked) > self.good:
            future.set_exception(self.loss)
        else:
            future.set_result(fn(*args, **kwargs))
        return future


class Refusing(Executor):
    """Takes two things on and then nothing any more."""

    def __init__(self) -> None:
        self.asked = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.asked += 1
        if self.asked > 2:
            raise RuntimeError("cannot schedule new futures after shutdown")
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def double(number: int) -> int:
    return 2 * number


def dying(number: int) -> int:
    """Ends the worker's process at once; here it does its work."""
    if number == 3 and os.getpid() != HERE:
        os._exit(1)
    return 2 * number


@pytest.mark.parametrize(
    "executor",
    [
        lambda: Losing(3, BrokenExecutor("a worker died")),
        lambda: Losing(0, OSError("the network is gone")),
        lambda: Losing(5, ValueError("cannot be sent")),
        Refusing,
        lambda: ThreadPoolExecutor(2),
    ],
)
def test_every_item_has_one_result_in_order(executor: Callable[[], Executor]) -> None:
    with executor() as given:
        assert list(Workers(given).map(double, range(10))) == [2 * number for number in range(10)]


def test_a_process_that_dies_takes_nothing_with_it() -> None:
    with ProcessPoolExecutor(2) as pool:
        workers = Workers(pool)
        assert list(workers.map(dying, range(20))) == [2 * number for number in range(20)]
        assert workers.parts(1 << 30) == 0  # it is not asked again


def test_what_fails_here_too_is_raised() -> None:
    with ThreadPoolExecutor(1) as pool, pytest.raises(ZeroDivisionError):
        list(Workers(pool).map((1).__truediv__, [1, 0]))


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two samples in a folder of their own: nothing lies around them."""
    folder = tmp_path_factory.mktemp("samples")
    for name in ("fsdp_lm", "amp_segmenter"):
        shutil.copytree(SAMPLES / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def here(samples: Path) -> list[Finding]:
    """What is found without any executor."""
    found = check_paths([samples])
    assert len(found) > 5
    return found


@pytest.mark.parametrize(
    "executor",
    [
        lambda: ThreadPoolExecutor(2),
        lambda: Losing(10**6, OSError()),
        lambda: Losing(2, BrokenExecutor("a worker died")),
        lambda: Losing(0, OSError("the network is gone")),
    ],
)
def test_the_same_is_found_on_any_executor(samples: Path, here: list[Finding], executor: Callable[[], Executor]) -> None:
    with executor() as given:
        assert check_paths([samples], executor=given) == here


def test_both_phases_run_on_the_executor(samples: Path) -> None:
    done = []

    class Watching(Losing):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            done.append(fn)
            return super().submit(fn, *args, **kwargs)

    check_paths([samples], executor=Watching(10**6, OSError()))
    assert set(done) == {lowering._lower_part, judging._judge_share}


def test_a_rule_that_fails_on_a_worker_is_asked_again_and_reported_once(
    samples: Path, here: list[Finding], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from trainlint.rules import registry

    def broken(_program: object) -> Any:
        raise ArithmeticError("on purpose")

    monkeypatch.setenv("TMPDIR", str(tmp_path))
    (rule,) = registry.load(["TL301"])
    monkeypatch.setattr(rule, "finder", broken)
    found = check_paths([samples], executor=Losing(10**6, OSError()))
    assert [f.code for f in found if f.code == "TL005"] == ["TL005"]
    assert [f for f in found if f.code != "TL005"] == [f for f in here if f.code != "TL301"]
