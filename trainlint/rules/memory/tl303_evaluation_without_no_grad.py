"""TL303 evaluation-without-no-grad. Its page, which is also its test: rules/memory/TL303-evaluation-without-no-grad.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Change, InsertBefore, Program, Reason, Rule, Surround, Suspect, at_call

RULE = Rule.ours(
    code="TL303",
    summary="an evaluation pass that records an autograd graph nothing uses",
    needs=("gradient", "mode"),
)

_DOUBT = {
    "": "",
    "mode": "The model is probably, not certainly, in evaluation mode here: it is one of several, or other code may have set its "
    "mode since. ",
    "method": "What the model is cannot be seen here; every model of this program that has such a method runs its layers in it. ",
    "own": "Its forward pass may compute gradients itself, as that of another model in this program does. ",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield the first pass of a model in evaluation mode with gradients on, in each function."""
    from trainlint.domains.autograd.evaluation_without_no_grad import recorded
    from trainlint.domains.train_mode.interpreter import METHOD
    from trainlint.domains.train_mode.left_in_evaluation import model_run
    from trainlint.program import library_uses, naming

    for found in recorded(program):
        call, frame, setting = found.passes.call, found.passes.frame, found.setting
        name = model_run(program, call, frame.function, method=found.passes.kind == METHOD)
        model = f"`{name}`" if name is not None else "the model"
        reasons = []
        if setting.call is not None and setting.frame is not None:
            reasons.append(
                Reason(
                    setting.frame.module,
                    setting.call.term.site,
                    "the model is set to evaluation mode here, which does not turn gradients off",
                )
            )
        if found.called is not None:
            reasons.append(Reason(*found.called, "this call evaluates; others of the same function train"))
        what = "it" if found.called is None else "the call that evaluates"
        yield at_call(
            frame.module,
            call,
            message=f"{model} is evaluated without `torch.no_grad()`: the autograd graph is recorded, and nothing uses it\n"
            f"{_DOUBT[found.doubt]}Every activation is kept until the result is freed: the pass takes several times the "
            f"memory, and more time. Wrap {what} in `with torch.no_grad():`.",
            because=tuple(reasons),
            evidence="likely" if found.doubt else "must",
            data={
                "over": found.over.spot if found.over is not None and found.called is None else None,
                "whole": frame.function.spot if found.whole else None,
                "safe": library_uses.applicability(program, frame.module, "no_grad"),
                "manager": naming.reference(program.knowledge.written["no_grad"], program.modules[frame.module]),
            },
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Run the loop under no_grad, or the function where it evaluates outside of the loop, too."""
    over, manager = suspect.data["over"], suspect.data["manager"]
    if manager is None:
        return None
    if suspect.data["whole"] is not None:
        message = "Run the whole function under `torch.no_grad()`"
        return InsertBefore(suspect.data["safe"], message, statement=suspect.data["whole"], code=f"@{manager}()")
    if over is None:
        return None
    return Surround(suspect.data["safe"], "Wrap this loop in `torch.no_grad()`", statement=over, header=f"with {manager}():")
