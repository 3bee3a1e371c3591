"""TL609 lexicographic-latest. Its page, which is also its test: rules/checkpoints/TL609-lexicographic-latest.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rule, SetKeyword, Suspect

RULE = Rule.ours(
    code="TL609",
    summary="the latest checkpoint selected by sorting names as strings: 900 sorts after 1000",
    needs=("gradient", "step-part", "state"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each place that picks the last file by name, of files whose names hold numbers of different lengths."""
    from trainlint.domains.checkpoints import file_names
    from trainlint.program import naming

    for found in file_names.latest(program):
        call = found.node.term
        library = naming.reference("os.path.getmtime", program.modules[found.module])
        low = "".join(part.text if part.kind == "text" else "900" for part in found.shape)
        yield Suspect(
            path=found.module,
            spot=call.site,
            node="Call",
            statement=found.node.statement,
            message=f"the latest checkpoint is selected by name, as a string: `{low}` sorts after "
            f"`{low.replace('900', '1000')}`\n"
            "Compare the numbers (`key=`), or pad them with zeros to the same length.",
            because=(Reason(found.wrote[0], found.wrote[1].site, "the number is written without leading zeros here"),),
            data={"library": library, "paths": found.whole},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Compare the times at which the files were written."""
    library = suspect.data["library"]
    if library is None or not suspect.data["paths"]:
        return None
    message = "Compare the modification times of the files"
    return SetKeyword(Applicability.UNSAFE, message, call=suspect.spot, keyword="key", value=library)
