"""TL571 capture-without-warmup. Its page, which is also its test: rules/compilers/TL571-capture-without-warmup.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Rule, Suspect

RULE = Rule.ours(
    code="TL571",
    summary="a CUDA graph capture of something that never ran before: initialization is captured, or fails",
    needs=("cuda-graph",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each capture of something that nothing around has run before."""
    from trainlint.domains.asynchronous import streams

    for found in streams.unwarmed(program):
        block = found.capture.block
        yield Suspect(
            path=found.capture.module,
            spot=block.spot,
            node="With",
            statement=block.spot,
            message="the CUDA graph is captured without a warmup: the first run does work that must not be captured\n"
            "It creates handles, selects algorithms and allocates gradients: the capture fails or records them. Run it a few "
            "times on a side stream first, and wait for that stream.",
            data={"change": found.change},
        )
