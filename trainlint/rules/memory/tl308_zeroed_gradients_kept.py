"""TL308 zeroed-gradients-kept. Its page, which is also its test: rules/memory/TL308-zeroed-gradients-kept.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL308",
    summary="gradients that are filled with zeros instead of set to None",
    needs=("kept-zeros",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each call that keeps the zeros."""
    from trainlint.jobs import api_defaults

    for found in api_defaults.kept_zeros(program):
        yield at_call(
            found.site.module,
            found.site.call,
            message=f"`{found.keyword}=False` fills the gradients with zeros and keeps them in memory\n"
            "They are as large as the model. Set to None, they cost nothing during the next forward pass, and the "
            "backward pass writes instead of adding.",
            because=(Reason(*found.place, f"`{found.keyword}` is False because of this"),) if found.place is not None else (),
            data={"change": found.change},
        )
