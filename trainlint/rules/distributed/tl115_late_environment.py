"""TL115 late-environment. Its page, which is also its test: rules/distributed/TL115-late-environment.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Move, Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL115",
    summary="an environment variable that is set after the library has read it",
    needs=("variable",),
)

_READ = {
    "cuda": "when CUDA is initialized",
    "memory": "when memory is first allocated on a GPU",
    "operations": "when JAX looks for its devices",
    "queries": "when TensorFlow looks for its devices",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each statement that sets a variable too late."""
    from trainlint.domains import late_environment

    for found in late_environment.late(program):
        write = found.write
        when = _READ.get(found.what, f"when {found.what} is imported")
        yield Suspect(
            path=write.module,
            spot=write.spot,
            node="Call" if write.by_call else "Assign",
            statement=write.spot,
            message=f"`{write.name}` is set too late: nothing reads it after this point\n"
            f"It is read once, {when}, and that has already happened. Set it earlier, or in the environment of the "
            "process.",
            because=(Reason(found.module, found.reader, "the variable was read here"),),
            data={"reader": found.reader if found.beside and not write.led else None},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Set it above what reads it."""
    reader = suspect.data["reader"]
    if reader is None or suspect.statement is None:
        return None
    return Move(Applicability.UNSAFE, "Set it before it is read", statement=suspect.statement, target=reader, behind=False)
