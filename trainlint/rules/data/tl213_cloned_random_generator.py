"""TL213 cloned-random-generator. Its page, which is also its test: rules/data/TL213-cloned-random-generator.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, RemoveKeyword, Rewrite, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL213",
    summary="random numbers that DataLoader workers draw alike: a copied generator, or the same seed in every epoch",
    needs=("loader", "generator"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each draw in a worker from a generator that was made before the workers began."""
    from trainlint.domains.loaders import training_loaders, workers

    for found in workers.cloned(program):
        assert found.made.call is not None
        assert found.made.frame is not None
        several = found.workers > 1
        who = (
            f"each of the `DataLoader`'s {found.workers} workers draws the same random numbers here"
            if several
            else "the `DataLoader`'s worker draws the same"
        )
        message = who + (", and every epoch repeats them" if several else " random numbers in every epoch")
        if found.loader.settled("persistent_workers").constants == (True,):
            message = who
        yield at_call(
            found.module,
            found.call,
            message=f"{message}\n"
            "The generator is copied into each worker in the state it had when the iteration started. PyTorch seeds "
            "each worker's global generators, not those that an object keeps.",
            because=(
                Reason(found.made.frame.module, found.made.call.site, "the generator is created here, outside of the workers"),
                Reason(found.loader.module, found.loader.spot, "the DataLoader with these workers is constructed here"),
            ),
            data={"instead": found.instead, "keyword": found.keyword},
        )
    for again in training_loaders.reseeded(program):
        who = (
            "all `DataLoader` workers draw the same random numbers"
            if again.alike
            else "the `DataLoader` workers draw the same random numbers in every epoch"
        )
        if again.alike and not again.lasting:
            who += ", in every epoch"
        because = [Reason(again.loader.module, again.loader.spot, "the DataLoader with these workers is constructed here")]
        if again.drawn is not None:
            because.insert(0, Reason(*again.drawn, "they draw from the seeded generator here"))
        yield at_call(
            again.module,
            again.call,
            message=f"{who}: `worker_init_fn` sets the same seed each time they start\n"
            "PyTorch already gives each worker a different seed in every epoch. Use that: "
            "`torch.initial_seed() % 2**32`.",
            because=tuple(because),
            evidence="must" if again.drawn is not None else "likely",
            data={"instead": None, "keyword": False},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show the generator that PyTorch seeds in each worker."""
    how, message = Applicability.DISPLAY, "Draw from the global generator, which is seeded in each worker"
    if suspect.data["keyword"]:
        return RemoveKeyword(how, message, call=suspect.spot, keyword="generator")
    if suspect.data["instead"] is None:
        return None
    return Rewrite(how, message, spot=suspect.spot, code=suspect.data["instead"] + "({0})", paths=((("arguments", 0),),))
