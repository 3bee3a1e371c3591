"""TL545 late-memory-growth. Its page, which is also its test: rules/compilers/TL545-late-memory-growth.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Move, Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL545",
    summary="`set_memory_growth` after TensorFlow has initialized the GPU, which fails",
    needs=("device-setting",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each setting of a device that comes when the devices are in use."""
    from trainlint.domains.tensorflow.device_settings import late
    from trainlint.program.naming import quoted

    for found in late(program):
        fails = "is rejected, and the exception handler hides that" if found.caught else "is refused"
        yield at_call(
            found.module,
            found.call,
            message=f"{quoted(found.call.term)} {fails}: TensorFlow has already initialized its devices\n"
            "Devices are initialized once, by the first operation that needs them. Set memory growth at the start of "
            "the program.",
            because=(Reason(*found.used, "the devices are initialized here"),),
            data={"beside": found.beside},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Set it above what uses the devices."""
    beside = suspect.data["beside"]
    if beside is None or suspect.statement is None:
        return None
    return Move(Applicability.UNSAFE, "Set it first", statement=suspect.statement, target=beside, behind=False)
