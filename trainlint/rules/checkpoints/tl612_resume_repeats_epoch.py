"""TL612 resume-repeats-epoch. Its page, which is also its test: rules/checkpoints/TL612-resume-repeats-epoch.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rewrite, Rule, Suspect

RULE = Rule.ours(
    code="TL612",
    summary="a run that resumes with the epoch that its checkpoint had finished, and trains it twice",
    needs=("gradient", "step-part", "state"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each loop over epochs that begins with the number of an epoch that a checkpoint has finished."""
    from trainlint.domains.checkpoints import resume

    for found in resume.repeated(program):
        resumed, save = found.resumption, found.save
        where, call = next((frame, term) for frame, term in save.leading() if frame.function is resumed.function)
        loaded = resumed.load
        assert loaded.frame is not None
        assert loaded.call is not None
        yield Suspect(
            path=resumed.module,
            spot=resumed.loop.spot,
            node="For" if resumed.loop.kind == "for" else "While",
            statement=resumed.loop.spot,
            message=f"a resumed run repeats an epoch: it starts at the saved `{resumed.key}`, an epoch already finished\n"
            "Save the number of the next epoch, or start at the saved number plus 1.",
            because=(
                Reason(where.module, call.site, "the number is saved here, after the epoch was trained"),
                Reason(loaded.frame.module, loaded.call.site, "the number is loaded from the checkpoint here"),
            ),
            data={"store": resumed.origin.store if resumed.origin.frame.module == resumed.module else None},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Begin with the epoch behind the one that was finished."""
    store = suspect.data["store"]
    if store is None:
        return None
    return Rewrite(Applicability.SAFE, "Start with the next epoch", spot=store, code="{0} + 1", paths=((),))
