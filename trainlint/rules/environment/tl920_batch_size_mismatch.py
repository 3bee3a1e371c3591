"""TL920 batch-size-mismatch. Its page, which is also its test: rules/environment/TL920-batch-size-mismatch.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL920",
    summary="DeepSpeed's batch sizes contradict each other, the number of processes, or what the script or its launch line says",
    certainty="syntax",
    needs=("deepspeed",),
    reads=("deepspeed", "launch"),
)

_READERS = {
    "transformers": 'transformers ends the job at startup: its arguments and the configuration must agree. Write "auto" in '
    "the configuration to use the arguments.",
    "accelerate": "The configuration wins: accelerate warns, and steps when the configuration says so.",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield the whole batch size of each configuration that DeepSpeed will not take, and what is said otherwise elsewhere."""
    from trainlint.jobs import deepspeed_contradictions

    for found in deepspeed_contradictions.batch_size_mismatches(program):
        at = found.at
        because = [Reason(each.path, each.spot, f"`{each.written}` is {each.value}.") for each in found.parts]
        because = [reason for reason in because if (reason.path, reason.spot) != (at.path, at.spot)]
        if found.launch is not None:
            because.append(
                Reason(found.launch.document.path, found.launch.command.spot, f"This starts {found.world} processes with it.")
            )
        in_code = found.statement is not None and at.path in program.modules
        wrong = f"`{at.written}` is {at.value}" if found.sizes is None else _sentence(at.written, *found.sizes, found.world)
        yield Suspect(
            path=at.path,
            spot=at.spot,
            node="Call" if in_code else "Text",
            statement=found.statement if in_code and found.statement is not None else at.spot,
            message=f"{wrong}\n"
            "DeepSpeed ends the job at startup: the train batch size must be micro-batch size × accumulation steps × "
            "processes. Leave out one of the three sizes, and DeepSpeed computes it.",
            because=tuple(because),
        )
    for other in deepspeed_contradictions.size_differences(program):
        said, stated = other.said, other.stated
        here = Reason(stated.path, stated.spot, f"`{stated.written}` is {stated.value} here.")
        yield Suspect(
            path=said.path,
            spot=said.spot,
            node=other.node,
            statement=other.statement,
            message=f"`{said.written}` is {said.value}, but `{stated.written}` in DeepSpeed's configuration is "
            f"{stated.value}\n"
            f"{_READERS.get(other.reader.partition('.')[0], 'The configuration wins.')}",
            because=(here,) if stated.path != said.path else (),
        )


def _sentence(key: str, whole: int, micro: int | None, steps: int | None, world: int | None) -> str:
    parts = [(micro, "micro-batch size {}"), (steps, "{} accumulation steps")]
    told = " × ".join(text.format(number) for number, text in parts if number is not None)
    if world is None:
        return f"`{key}` {whole} is not a multiple of {told}, whatever the number of processes"
    return f"`{key}` {whole} does not match {told + ' × ' if told else ''}{world} processes"
