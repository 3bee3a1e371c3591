"""TL418 anomaly-detection-left-on. Its page, which is also its test: rules/precision/TL418-anomaly-detection-left-on.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Replace, Rule, SetKeyword, Suspect

RULE = Rule.ours(
    code="TL418",
    summary="autograd's anomaly detection is enabled in every run",
    needs=("anomaly",),
)

_WHERE = {True: "", False: " that trains"}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each call that turns anomaly detection on without asking anybody."""
    from trainlint.domains import debugging_aids
    from trainlint.program import naming

    for found in debugging_aids.anomaly_detection_left_on(program):
        site = found.site
        yield Suspect(
            path=site.module,
            spot=site.call.term.site,
            node="Call",
            # A context manager is made in the line of a block that is more than that line.
            statement=site.call.term.site,
            message=f"`detect_anomaly` is enabled in every run{_WHERE[found.sure]}: it is meant for debugging\n"
            "Each operation of the forward pass keeps a stack trace, each gradient is checked for NaN, and the GPU is "
            "synchronized.",
            data={
                "keyword": found.keyword,
                "position": found.position,
                "written": found.written,
                "off": naming.reference(program.knowledge.written["anomaly"], program.modules[site.module]),
            },
            evidence="must" if found.sure else "likely",
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Turn it off where it is turned on."""
    message = "Disable anomaly detection"
    keyword, position, off = suspect.data["keyword"], suspect.data["position"], suspect.data["off"]
    if not suspect.data["written"]:
        return None  # it is said elsewhere, perhaps for more than this
    if keyword is not None:
        return SetKeyword(Applicability.SAFE, message, call=suspect.spot, keyword=keyword, value="False", position=position)
    if off is None:
        return None
    return Replace(Applicability.SAFE, message, spot=suspect.spot, code=f"{off}(False)")
