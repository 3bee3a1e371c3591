"""TL704 evaluation-in-train-mode. Its page, which is also its test: rules/loop/TL704-evaluation-in-train-mode.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import (
    Applicability,
    Change,
    InsertAfter,
    InsertBefore,
    Program,
    Reason,
    Rule,
    Suspect,
    Together,
    at_call,
)

RULE = Rule.ours(
    code="TL704",
    summary="an evaluation pass of a model that is in training mode",
    needs=("gradient", "inference"),
)


_IN_TRAINING = (
    "{} is evaluated in training mode: `eval()` is not called between its training and this pass\n"
    "Dropout stays active, and batch norm uses the statistics of these batches and updates its running averages with "
    "them: the metrics are wrong and differ from run to run."
)
_DOUBTED = (
    "`eval()` is not called on {0} between its training and this pass, which trains nothing\n"
    "Dropout stays active, and batch norm updates its running averages with this data. Ignore this if the pass is meant to run "
    "in training mode; otherwise call `{1}eval()` before it and `{1}train()` after it."
)


_AS_MADE = {
    None: "{} is evaluated in training mode, the default of a new module: `eval()` is never called\n"
    "Dropout stays active, and batch norm normalizes with the statistics of each batch: the metrics are wrong and "
    "differ from run to run.",
    "recorded": "{} is loaded from a file and runs in training mode, the default of a new module: `eval()` is never called\n"
    "Dropout stays active, and batch norm normalizes with the statistics of each batch. Ignore this if gradients, which are "
    "recorded here, are used elsewhere to train it; otherwise call `eval()` first.",
    "others": "{} runs in training mode, the default of a new module: no call of its `eval()` was found\n"
    "Dropout stays active, and batch norm normalizes with the statistics of each batch. Ignore this if code in "
    "a nearby file that trains models or sets their mode also does so for this one.",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield the first pass of a model in each evaluation that runs in the mode in which the loop around trains the model."""
    from trainlint.domains.train_mode.evaluated_in_training import evaluated_in_training
    from trainlint.domains.train_mode.left_in_evaluation import model_run

    for found in evaluated_in_training(program):
        call, frame = found.passes.call, found.passes.frame
        name = model_run(program, call, frame.function)
        model = f"`{name}`" if name is not None else "the model"
        reasons = [Reason(found.trains.frame.module, found.trains.call.term.site, "the model is trained here, in the same mode")]
        reasons += [
            Reason(setting.frame.module, setting.call.term.site, "the model is set to training mode here")
            for setting in found.passes.settings
            if setting.call is not None and setting.frame is not None
        ]
        yield at_call(
            frame.module,
            call,
            message=_IN_TRAINING.format(model) if found.sure else _DOUBTED.format(model, f"{name}." if name is not None else ""),
            because=tuple(reasons),
            evidence="must" if found.sure else "likely",
            data={"over": found.over.spot if found.over is not None else None, "model": name, "restored": found.restored},
        )
    yield from _as_made(program)


def _as_made(program: Program) -> Iterator[Suspect]:
    """The first pass without gradients of each model that got its weights from a file and never any mode."""
    from trainlint.domains.train_mode.evaluated_in_training import evaluated_as_made
    from trainlint.domains.train_mode.left_in_evaluation import model_run
    from trainlint.program import naming

    for found in evaluated_as_made(program):
        call, frame, loads = found.call, found.frame, found.loads
        loaded = naming.receiver(loads.call.term)
        assert loaded is not None
        name = model_run(program, call, frame.function)
        model = f"`{name}`" if name is not None else "the model"
        yield at_call(
            frame.module,
            call,
            message=_AS_MADE[found.doubt].format(model),
            evidence="must" if found.doubt is None else "likely",
            because=(Reason(loads.module, loads.call.term.site, "its weights are loaded here; this does not change its mode"),),
            data={
                "over": None,
                "model": naming.model_in(loaded, loads.function),
                "loads": loads.call.statement if loads.module == frame.module else None,
            },
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Put the model into evaluation mode before the pass, and back behind it where the loop does not."""
    over, model = suspect.data["over"], suspect.data["model"]
    if suspect.data.get("loads") is not None and model is not None:
        message = "Call `eval()` once the weights are loaded"
        return InsertAfter(Applicability.SAFE, message, statement=suspect.data["loads"], code=f"{model}.eval()")
    if over is None or model is None:
        return None
    message = "Call `eval()` for this pass"
    first = InsertBefore(Applicability.SAFE, message, statement=over, code=f"{model}.eval()")
    if suspect.data["restored"]:
        return first
    back = InsertAfter(Applicability.SAFE, message, statement=over, code=f"{model}.train()")
    return Together(Applicability.SAFE, message, (first, back))
