"""TL203 sampler-and-shuffle. Its page, which is also its test: rules/data/TL203-sampler-and-shuffle.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, RemoveKeyword, Rule, SetKeyword, Suspect

RULE = Rule.ours(
    code="TL203",
    summary="a sampler, batch sampler or iterable dataset together with a DataLoader option that it excludes: an error",
    needs=("loader",),
)

_WHY = {
    "sampler": "The sampler determines the order; a DistributedSampler shuffles by default.",
    "batch_sampler": "The batch sampler determines which samples make a batch, and in which order.",
    "iterable": "An iterable dataset determines its own order; the loader cannot request its samples in another one.",
}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each loader whose order or batches are decided twice."""
    from trainlint.domains.loaders import dataloaders

    seen = set()
    for found in dataloaders.of_samplers(program):
        loader = found.loader
        key = (loader.module, loader.spot)
        if key in seen or loader.statement is None:
            continue
        seen.add(key)
        named = " and ".join(f"`{name}`" for name in found.options)
        beside = "for an iterable dataset" if found.against == "iterable" else f"together with `{found.against}`"
        when = "" if found.always else f" whenever there is a {found.against.replace('_', ' ')}"
        yield Suspect(
            path=loader.module,
            spot=loader.spot,
            node="Call",
            statement=loader.statement,
            message=f"`DataLoader` is given {named} {beside}: its constructor raises a ValueError{when}\n{_WHY[found.against]}",
            because=(),
            data={"call": loader.spot, "plain": found.plain, "test": found.test},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Take away what is decided already; where a sampler may be missing, shuffle only then."""
    safe, call = Applicability.SAFE, suspect.data["call"]
    if not suspect.data["plain"]:
        return None
    if suspect.data["test"] is not None:
        message = "Shuffle only where there is no sampler"
        return SetKeyword(safe, message, call=call, keyword="shuffle", value=suspect.data["test"])
    message = "Remove the conflicting option"
    first, *more = suspect.data["plain"]
    return RemoveKeyword(safe, message, call=call, keyword=first, also=tuple(more))
