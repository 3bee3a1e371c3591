"""TL934 unpinned-framework. Its page, which is also its test: rules/environment/TL934-unpinned-framework.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Rule, Suspect

RULE = Rule.ours(
    code="TL934",
    summary="a training environment that does not pin the version of its framework",
    certainty="syntax",
    needs=(),
    reads=("frameworks", "packages", "containers"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each framework, and each image with one, that is asked for without a version."""
    from trainlint.jobs import version_pinning

    for found in version_pinning.unpinned(program):
        if found.is_image:
            message = (
                f"`{found.name}` is a floating tag: it points to a different image every few weeks\n"
                "Pin the version (preferably with the CUDA version) or the digest."
            )
        else:
            message = (
                f"`{found.name}` is not pinned: whatever version is newest at install time gets installed\n"
                "The next release may change the results or break the code: pin the version that it runs with."
            )
        yield Suspect(path=found.path, spot=found.spot, node="Text", statement=found.spot, message=message)
