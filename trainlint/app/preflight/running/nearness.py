"""How near to the training a place of a job stands: in its loop, elsewhere, or in what evaluates, converts, or makes ready."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePath

from trainlint.app.preflight.values.words import split
from trainlint.ir.sketch import Function
from trainlint.ir.terms import closure
from trainlint.program.values import FunctionValue
from trainlint.regular import absolute_path

#: In the loop of the training (or in the script itself); elsewhere; in another part of the job.
NEAR, ELSEWHERE, BESIDE = range(3)
#: Words of functions and files that judge a model, and of those that may belong to anything when the training runs them.
JUDGES = frozenset(
    (
        "eval", "evaluate", "evaluation", "evaluator", "val", "validate", "validation", "validator", "test", "tests", "testing",
        "infer", "inference", "zero_shot", "zeroshot",
    )
)  # fmt: skip
_OTHERS = frozenset(
    (
        "export", "exporter", "convert", "converter", "conversion", "onnx", "predict", "prediction", "predictor", "generate",
        "generation", "translate", "translation", "translator", "sample", "sampling", "serve", "server", "demo", "preprocess",
        "preprocessing", "tokenize", "interactive",
    )
)  # fmt: skip
#: Words of functions that the loop may call, and that are about its beginning.
_BEGINS = frozenset(("load", "loads", "restore", "resume", "setup"))
_TRAINS = frozenset(("train", "training", "trainer", "pretrain", "finetune", "fit"))
_TOP = "<module>"


def judges(path: str, function: Function, script: str) -> bool:
    """Whether a function, by its name or that of its file, judges a model: ``evaluate``, ``load_test_model``."""
    return _speaks(path, function, script, JUDGES)


def around(
    steps: Iterable[tuple[str, Function]],
    callers: Iterable[tuple[str, Function]],
    led: Mapping[int, list[tuple[bool, FunctionValue]]],
    script: str,
) -> frozenset[int]:
    """The functions (by id) that the loop of the training runs: those that make its steps, what calls them, what these call.

    What judges the model between steps, and what loads a state, is not among them.
    """
    outside = {id(function) for _, function in callers}

    def behind(here: int) -> list[int]:
        called = [target for looped, target in led.get(here, ()) if looped or here not in outside]
        return [id(each.function) for each in called if _is_round(each, script)]

    return frozenset(closure((id(function) for _, function in (*steps, *callers)), behind))


def _is_round(target: FunctionValue, script: str) -> bool:
    """Whether a function that the loop calls belongs to its rounds."""
    begins = not _BEGINS.isdisjoint(split(target.function.name))
    return not begins and not judges(target.module, target.function, script)


def nearness(path: str, function: Function, script: str, loop: frozenset[int]) -> int:
    """Of a function of the job; ``loop`` are those that the loop of the training runs."""
    if id(function) in loop:
        return NEAR
    if judges(path, function, script) or _speaks(path, function, script, _OTHERS):
        return BESIDE
    return NEAR if path == script else ELSEWHERE


def _speaks(path: str, function: Function, script: str, words: frozenset[str]) -> bool:
    own = frozenset(split(function.qualname)) if function.name != _TOP else frozenset[str]()
    if not own.isdisjoint(_TRAINS):
        return False
    if not words.isdisjoint(own):
        return True
    if path == script:
        return False
    above = PurePath(absolute_path(script)).parts
    folders = [each for each in PurePath(absolute_path(path)).parts if each not in above]
    return any(not words.isdisjoint(found) for each in folders if _TRAINS.isdisjoint(found := frozenset(split(each))))
