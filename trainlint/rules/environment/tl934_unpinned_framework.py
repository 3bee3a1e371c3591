"""TL934 unpinned-framework. Its page, which is also its test: rules/environment/TL934-unpinned-framework.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Level, Rule, Suspect

if TYPE_CHECKING:
    from trainlint.authoring import Program

RULE = Rule(
    code="TL934",
    name="unpinned-framework",
    summary="a training is installed with whatever version of its framework there is",
    level=Level.ADVICE,
    certainty="syntax",
    fix="none",
    needs=(),
    reads=("frameworks", "packages", "containers"),
    since="0.1",
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each framework, and each image with one, that is asked for without a version."""
    from trainlint.jobs import version_pinning

    for found in version_pinning.unpinned(program):
        if found.is_image:
            message = f"`{found.name}` is another image every few weeks\nName the version, best with its CUDA, or the digest."
        else:
            message = (
                f"`{found.name}` is installed in whatever version there is that day\n"
                "The same training gives other results, or stops working, with the next release: name the version it runs with."
            )
        yield Suspect(path=found.path, spot=found.spot, node="Text", statement=found.spot, message=message)
