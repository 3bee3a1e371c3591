"""TL207 loader-option-conflict. Its page, which is also its test: rules/data/TL207-loader-option-conflict.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, RemoveKeyword, Rule, SetKeyword, Suspect

RULE = Rule.ours(
    code="TL207",
    summary="worker options for a DataLoader that has no workers: an error",
    needs=("loader",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each loader without workers that is given options of workers."""
    from trainlint.domains.loaders import dataloaders

    seen = set()
    for found in dataloaders.without_workers(program):
        loader = found.loader
        key = (loader.module, loader.spot)
        if key in seen or loader.statement is None:
            continue
        seen.add(key)
        named = " and ".join(f"`{name}`" for name in found.options)
        how = "the first iteration over it raises an AssertionError" if found.late else "its constructor raises a ValueError"
        reasons = []
        asked = loader.made.call
        if asked is not None and loader.made.frame is not None and asked.site != loader.spot:
            reasons.append(Reason(loader.made.frame.module, asked.site, "the loader is constructed here"))
        frame = loader.constructed.frame
        if not reasons and frame.call is not None and frame.caller is not None and found.test is not None:
            reasons.append(Reason(frame.caller.module, frame.call.site, "called here without workers"))
        yield Suspect(
            path=loader.module,
            spot=loader.spot,
            node="Call",
            statement=loader.statement,
            message=f"`DataLoader` has no workers, but is given {named}: {how}\n"
            "Without `num_workers`, or with 0, batches are loaded in the main process, and worker options are refused.",
            because=tuple(reasons),
            data={"call": loader.spot, "plain": found.plain, "test": found.test},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Take the options away, or let them depend on the number of workers."""
    safe, call, test = Applicability.SAFE, suspect.data["call"], suspect.data["test"]
    if not suspect.data["plain"]:
        return None
    if test is not None:
        message = "Make the option depend on the number of workers"
        return SetKeyword(safe, message, call=call, keyword=suspect.data["plain"][0], value=test)
    message = "Remove the options that need workers"
    first, *more = suspect.data["plain"]
    return RemoveKeyword(safe, message, call=call, keyword=first, also=tuple(more))
