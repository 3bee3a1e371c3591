"""TL572 stream-without-sync. Its page, which is also its test: rules/compilers/TL572-stream-without-sync.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL572",
    summary="a tensor that one CUDA stream computes and another uses, without synchronization, or without keeping its memory",
    needs=("cuda-stream",),
)

_WHAT = {
    "use": "{tensor} is used here while {side} may still be computing it\n"
    "Streams are not synchronized with each other: the memory read here may be unwritten. Let the current stream wait "
    "(`torch.cuda.current_stream().wait_stream({stream})`).",
    "record": "`record_stream` has no effect here: the current stream is the one on which this tensor is allocated\n"
    "Pass it the stream that will use the tensor: get the current stream before the block, and record that one.",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each use of a tensor that another stream makes, and each stream that is told of itself."""
    from trainlint.domains.asynchronous import streams

    for found in streams.unordered(program):
        tensor = f"`{found.tensor}`" if found.tensor else "the result"
        side = f"stream `{found.stream}`" if found.stream else "another stream"
        because = [
            Reason(*found.where, f"{tensor} is computed on {side} here" if found.what == "use" else "this runs on another stream")
        ]
        if found.by is not None:
            because.append(Reason(*found.by, "through this call"))
        yield at_call(
            found.module,
            found.call,
            message=_WHAT[found.what].format(tensor=tensor, side=side, stream=found.stream or "stream"),
            because=tuple(because),
            data={"change": found.change},
        )
