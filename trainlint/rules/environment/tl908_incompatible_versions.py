"""TL908 incompatible-versions. Its page, which is also its test: rules/environment/TL908-incompatible-versions.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL908",
    summary="releases of torch or jax that cannot be installed together, for this Python, or for this CUDA",
    certainty="syntax",
    needs=(),
    reads=("versions",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each package of which no release that is asked for can work beside the others."""
    from trainlint.jobs import version_compatibility

    for found in version_compatibility.clashes(program):
        yield Suspect(
            path=found.path,
            spot=found.spot,
            node="Text",
            statement=found.spot,
            message=found.message,
            because=tuple(Reason(*each) for each in found.because),
        )
