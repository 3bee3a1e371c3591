"""TL561 compile-errors-suppressed. Its page, which is also its test: rules/compilers/TL561-compile-errors-suppressed.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, RemoveStatement, Rule, Suspect

RULE = Rule.ours(
    code="TL561",
    summary="`suppress_errors` hides the errors of `torch.compile`: what it fails on runs uncompiled",
    needs=("compile-setting",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each statement that hides errors of the compiler for good."""
    from trainlint.domains.dynamo.compiled_models import hidden

    for found in hidden(program):
        yield Suspect(
            path=found.module,
            spot=found.store.spot,
            node=found.store.kind,
            statement=found.store.spot,
            message="`suppress_errors` hides compiler errors: what `torch.compile` fails on runs uncompiled from then on\n"
            "The run is slow, and only its log says why. Let it fail, and exclude what cannot be compiled "
            "(`torch.compiler.disable`).",
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Let errors of the compiler be errors."""
    if suspect.statement is None:
        return None
    return RemoveStatement(Applicability.SAFE, "Do not suppress compiler errors", statement=suspect.statement)
