"""TL126 find-unused-parameters. Its page, which is also its test: rules/distributed/TL126-find-unused-parameters.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL126",
    summary="DDP that searches for unused parameters in every step",
    needs=("unused-search",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each call that asks for the search whatever happens, for a model that is used as a whole."""
    from trainlint.domains.nn import unused_parameters

    for found in unused_parameters.unused_searches(program):
        site = found.site
        yield at_call(
            site.module,
            site.call,
            message=f"`{found.keyword}=True` makes DDP search for unused parameters in every step, and this model has none\n"
            f"All parts of `{found.model.cls.name}` run in each forward pass: traversing the whole graph every time "
            "gains nothing.",
            because=(Reason(*found.place, f"`{found.keyword}` is True because of this"),) if found.place is not None else (),
        )
