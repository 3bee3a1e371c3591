"""TL804 misaligned-dimension. Its page, which is also its test: rules/throughput/TL804-misaligned-dimension.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL804",
    summary="a layer size that is not a multiple of 8, which tensor cores need",
    needs=("layer-size", "autocast"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each layer whose size is written down and no multiple of 8."""
    from trainlint.domains.nn import layer_sizes

    for found in layer_sizes.misaligned(program):
        site = found.site
        better = f"pad the vocabulary to {found.better}" if found.vocabulary else f"a size of {found.better} is faster"
        yield at_call(
            site.module,
            site.call,
            message=f"{found.size} is not a multiple of 8: this layer cannot fill the tensor cores in half precision\n"
            f"Their tiles are multiples of 8 values; {better}.",
            because=(Reason(site.module, found.other, "this layer takes its output"),) if found.other else (),
        )
