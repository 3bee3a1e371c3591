"""TL901 unseeded-training. Its page, which is also its test: rules/environment/TL901-unseeded-training.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, InsertBefore, Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL901",
    summary="a training script that seeds no random number generator",
    needs=("gradient", "seeding"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield the call by which each such script begins to train."""
    from trainlint.domains import reproducibility, training_scripts
    from trainlint.program import naming

    for found in training_scripts.entries(program):
        if not reproducibility.of_component(program, found.module):
            continue
        start, trained = found.start.call, found.backward
        seeds = naming.reference(program.knowledge.written["seeds"], program.modules[found.module])
        because = Reason(trained.module, trained.call.term.site, "the training")
        yield at_call(
            found.module,
            start,
            message="this training script seeds no random number generator (`torch.manual_seed`)\n"
            "Initial weights, data order and dropout differ from run to run: a result cannot be reproduced, and a "
            "difference between two runs may be chance. Call `torch.manual_seed(seed)` at the start.",
            because=() if trained.call is start else (because,),
            data={"code": f"{seeds}(0)" if seeds is not None and trained.call is not start else None},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show a seed above the call that begins the training."""
    code: str | None = suspect.data["code"]
    if code is None:
        return None
    return InsertBefore(Applicability.DISPLAY, "Seed the generator of PyTorch", statement=suspect.statement, code=code)
