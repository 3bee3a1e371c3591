"""TL711 optimizer-never-stepped. Its page, which is also its test: rules/loop/TL711-optimizer-never-stepped.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect, at_place

RULE = Rule.ours(
    code="TL711",
    summary="a loop that computes gradients and never steps an optimizer",
    needs=("gradient", "step-part"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield the backward pass of each loop whose optimizer never steps."""
    from trainlint.domains.training_step import never_stepped

    for found in never_stepped.optimizers(program):
        assert found.backward is not None
        place = found.backward.place
        yield at_place(
            place,
            message="`backward()` is called in this loop, but `optimizer.step()` never is: the parameters never change\n"
            "Call `optimizer.step()` after the backward pass.",
            because=(Reason(found.module, found.node.term.site, "the optimizer for it is constructed here"),),
        )
