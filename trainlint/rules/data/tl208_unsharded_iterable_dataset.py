"""TL208 unsharded-iterable-dataset. Its page, which is also its test: rules/data/TL208-unsharded-iterable-dataset.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rule, SetKeyword, Suspect

RULE = Rule.ours(
    code="TL208",
    summary="an iterable dataset that is not split among the workers of its DataLoader",
    needs=("loader",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each loader with several workers over an iterable dataset that does not ask which worker it is in."""
    from trainlint.domains.loaders import iterable_datasets

    for found in iterable_datasets.copied(program):
        loader = found.loader
        if loader.statement is None:
            continue
        yield Suspect(
            path=loader.module,
            spot=loader.spot,
            node="Call",
            statement=loader.statement,
            message=f"`DataLoader` yields every sample {found.workers} times per epoch: each worker iterates its own copy of the "
            "whole dataset\n"
            "In `__iter__`, `torch.utils.data.get_worker_info()` returns the worker's id and the number of workers. "
            "Iterate only that worker's part.",
            because=(Reason(found.module, found.source, "each copy of the dataset yields all of this"),),
            data={"call": loader.spot, "keyword": loader.keyword("num_workers") is not None},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show a single worker, which yields each sample once."""
    if not suspect.data["keyword"]:
        return None
    message = "Use one worker, or split the data by `get_worker_info()` in `__iter__`"
    return SetKeyword(Applicability.DISPLAY, message, call=suspect.data["call"], keyword="num_workers", value="1")
