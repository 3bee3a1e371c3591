"""TL602 load-without-map-location. Its page, which is also its test: rules/checkpoints/TL602-load-without-map-location.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rule, SetKeyword, Suspect, at_call

RULE = Rule.ours(
    code="TL602",
    summary="a checkpoint that every rank loads without `map_location`: all of it goes to the GPU that it was saved from",
    needs=("job", "gradient", "state"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each load of a state in a job of several processes that says nothing of where its tensors go."""
    from trainlint.domains.checkpoints import loading
    from trainlint.program.naming import quoted

    for found in loading.unmapped(program):
        site = found.site
        name = quoted(site.call.term)
        what = f"{name} without `map_location` runs on every rank: all load the tensors to the GPU they were saved from"
        if not found.near:
            what = f"{name} without `map_location`, if several ranks call it, loads all tensors to the GPU they were saved from"
        met = "they communicate here" if found.near else "they communicate here, in code that does not visibly call this"
        yield at_call(
            site.module,
            site.call,
            message=f"{what}\n"
            "That is usually GPU 0, which then holds one copy for each process of the node. Pass `map_location`.",
            because=(Reason(found.joined.module, found.joined.call.term.site, f"the job has several processes: {met}"),),
            evidence="must" if found.near else "likely",
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Load to the CPU: `load_state_dict` copies from there to where the parameters are."""
    message = "Load to the CPU, and copy the state from there"
    return SetKeyword(Applicability.SAFE, message, call=suspect.spot, keyword="map_location", value='"cpu"', position=1)
