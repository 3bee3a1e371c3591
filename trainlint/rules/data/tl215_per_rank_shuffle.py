"""TL215 per-rank-shuffle. Its page, which is also its test: rules/data/TL215-per-rank-shuffle.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, RemoveKeyword, Rule, SetKeyword, Suspect, at_place

RULE = Rule.ours(
    code="TL215",
    summary="data that each rank shuffles differently before it is split by rank",
    needs=("distributed-sampler", "rank"),
)

_WHY = (
    "Some samples go to several ranks and others to none, and held-out samples of one rank are trained on by another. "
    "{} on all ranks."
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each shuffle that differs from rank to rank although its result is split among the ranks."""
    from trainlint.program.naming import quoted
    from trainlint.spmd import data_splits

    for found in data_splits.per_rank_orders(program):
        drawn, split, seeded = found.drawn, found.split, found.seeded
        because = []
        if seeded.spot is not None and seeded.spot != drawn.call.site:
            because.append(Reason(seeded.module, seeded.spot, "the generator is seeded with the rank here"))
        if split is not None:
            because.append(Reason(split.module, split.spot, "each rank takes its share of the result here"))
        if split is None:
            message = "this sampler's `seed` depends on the rank: each rank takes its share of a different order"
        elif found.by_rank:
            message = "each rank shuffles with its own seed before it takes its share of the data"
        else:
            message = f"{quoted(drawn.call)} is not seeded: each rank takes its share of a different order"
        code = data_splits.generator_code(program, found)
        cure = "Use the same seed" if split is None or code is None else f"Pass `{code[0]}={code[1]}`"
        yield at_place(
            drawn,
            message=f"{message}\n{_WHY.format(cure)}",
            because=tuple(because),
            data={"call": drawn.call.site, "sampler": split is None, "code": code},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show a seed that all ranks share."""
    call = suspect.data["call"]
    if suspect.data["sampler"]:
        return RemoveKeyword(Applicability.DISPLAY, "Use the sampler's default seed on all ranks", call=call, keyword="seed")
    if suspect.data["code"] is None:
        return None
    keyword, value = suspect.data["code"]
    return SetKeyword(Applicability.DISPLAY, "Give all ranks the same generator", call=call, keyword=keyword, value=value)
