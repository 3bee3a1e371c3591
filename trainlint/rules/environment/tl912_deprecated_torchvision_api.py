"""TL912 deprecated-torchvision-api. Its page, which is also its test: rules/environment/TL912-deprecated-torchvision-api.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Rule, Suspect

RULE = Rule.ours(
    code="TL912",
    summary="`pretrained=` and other parts of torchvision that are deprecated or removed",
    needs=("vision",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield models that are passed `pretrained`, and old names."""
    from trainlint.jobs import deprecated_apis

    for told in deprecated_apis.pretrained_arguments(program):
        arguments = " and ".join(f"`{argument}`" for argument in told.arguments)
        are = "is" if len(told.arguments) == 1 else "are"
        instead = " and ".join(f"`{argument}`" for argument in told.instead)
        yield Suspect(
            path=told.use.module,
            spot=told.use.spot,
            node="Call",
            statement=told.use.statement,
            message=f"{arguments} of `{told.use.name}` {are} deprecated since torchvision 0.13\n"
            f"Use {instead} to select the weights: a name of the model's enum as a string, or None.",
            data={"change": told.change},
        )
    for found in deprecated_apis.old_vision(program):
        since = (
            f"was removed in torchvision {found.removed}" if found.removed else f"is deprecated since torchvision {found.since}"
        )
        yield Suspect(
            path=found.use.module,
            spot=found.use.spot,
            node=found.use.node,
            statement=found.use.statement,
            message=f"{found.what} {since}\n{found.advice}",
            data={"change": found.change},
        )
