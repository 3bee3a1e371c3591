"""TL607 non-atomic-save. Its page, which is also its test: rules/checkpoints/TL607-non-atomic-save.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, InsertAfter, Program, Reason, Rewrite, Rule, Suspect, Together, at_call

RULE = Rule.ours(
    code="TL607",
    summary="the only checkpoint of a training, overwritten in place: a crash during the write loses the old and the new one",
    needs=("gradient", "step-part", "state"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each save in a training loop that writes over the only file which training can go on from."""
    from trainlint.domains.checkpoints import save_policy
    from trainlint.program.naming import quoted

    for found in save_policy.overwritten(program):
        save = found.save.site.call
        reasons = [Reason(found.read[0], found.read[1].site, "training resumes from this file here")]
        if found.loop[1] is not save.term:
            reasons.insert(0, Reason(found.loop[0], found.loop[1].site, "saved in the training loop here"))
        what = f"{quoted(save.term)} overwrites the only checkpoint in place: if the job dies during the write, none is left"
        if found.copied is not None:
            what = (
                f"{quoted(save.term)} overwrites the latest checkpoint in place: if the job dies during the write, the file is "
                "corrupt, and training can at best resume from an older one"
            )
            reasons.append(Reason(found.copied[0], found.copied[1].site, "a file is copied here, perhaps an older checkpoint"))
        yield at_call(
            found.save.site.module,
            save,
            message=f"{what}\nWrite to a temporary file beside it, and replace the checkpoint with `os.replace`.",
            because=tuple(reasons),
            evidence="must" if found.copied is None else "likely",
            data={"path": found.path, "library": found.library, "whole": save.statement == save.term.site},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Write to a name beside the file, and move that to its place."""
    path, library = suspect.data["path"], suspect.data["library"]
    if path is None or library is None or not suspect.data["whole"]:
        return None
    assert suspect.statement is not None
    beside = f'{path[:-1]}.tmp"' if path.startswith('"') else f'f"{{{path}}}.tmp"'
    message = "Write to a temporary file, and replace the checkpoint with it"
    level = Applicability.UNSAFE
    paths = ((("function", 0),), (("argument", 0),))
    first = Rewrite(level, message, spot=suspect.spot, code=f"{{0}}({{1}}, {beside})", paths=paths)
    second = InsertAfter(level, message, statement=suspect.statement, code=f"{library}({beside}, {path})")
    return Together(level, message, changes=(first, second))
