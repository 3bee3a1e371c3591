"""The large stack."""

from __future__ import annotations

import functools
import sys
import threading

import pytest

from trainlint.source.deep import RECURSION_LIMIT, run_deep


def depth(levels: int) -> int:
    return 0 if levels == 0 else depth(levels - 1) + 1


def through_c(levels: int) -> int:
    """Recurse through C code, which needs the real stack in every version."""
    return 0 if levels == 0 else max(map(through_c, [levels - 1]))


def test_returns_what_the_function_returns():
    assert run_deep(lambda: "result") == "result"
    assert run_deep(lambda: None) is None


def test_recursion_goes_deep_and_the_limit_comes_back():
    usual = sys.getrecursionlimit()
    with pytest.raises(RecursionError):
        depth(usual)
    assert run_deep(functools.partial(depth, RECURSION_LIMIT - 100)) == RECURSION_LIMIT - 100
    assert sys.getrecursionlimit() == usual


def test_endless_recursion_is_an_error_not_a_crash():
    usual = sys.getrecursionlimit()
    with pytest.raises(RecursionError):
        run_deep(functools.partial(depth, 10 * RECURSION_LIMIT))
    with pytest.raises(RecursionError):
        run_deep(functools.partial(through_c, 10 * RECURSION_LIMIT))
    assert sys.getrecursionlimit() == usual


@pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt, SystemExit])
def test_raises_what_the_function_raises(kind):
    failure = kind("why")

    def fail() -> None:
        raise failure

    usual = sys.getrecursionlimit()
    with pytest.raises(kind) as caught:
        run_deep(fail)
    assert caught.value is failure
    assert sys.getrecursionlimit() == usual


def test_a_call_inside_uses_the_stack_that_is_there():
    def inner() -> tuple[int, int]:
        return threading.get_ident(), run_deep(threading.get_ident)

    outside, inside = run_deep(inner)
    assert outside == inside != threading.get_ident()


def test_calls_at_the_same_time_share_the_limit():
    usual = sys.getrecursionlimit()
    both = threading.Barrier(2)

    def meet(levels: int) -> int:
        both.wait(10)
        return depth(levels)

    answers: list[int] = []
    threads = [threading.Thread(target=lambda n=n: answers.append(run_deep(lambda: meet(n)))) for n in (10, 5_000)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [10, 5_000]
    assert sys.getrecursionlimit() == usual


def test_other_threads_keep_their_stack_size():
    usual = threading.stack_size()
    run_deep(lambda: None)
    assert threading.stack_size() == usual


def test_a_smaller_stack_serves_where_a_large_one_is_refused(monkeypatch):
    set_size = threading.stack_size
    asked: list[int] = []

    def refuse_large(size: int = 0) -> int:
        asked.append(size)
        if size > 64 << 20:
            raise ValueError("size not valid")
        return set_size(size)

    monkeypatch.setattr(threading, "stack_size", refuse_large)
    assert run_deep(functools.partial(depth, 2_000)) == 2_000
    assert max(asked) == 512 << 20


def test_no_stack_at_all_is_a_memory_error(monkeypatch):
    def refuse(_size: int = 0) -> int:
        raise ValueError("size not valid")

    monkeypatch.setattr(threading, "stack_size", refuse)
    with pytest.raises(MemoryError):
        run_deep(lambda: None)
