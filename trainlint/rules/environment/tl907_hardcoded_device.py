"""TL907 hardcoded-device. Its page, which is also its test: rules/environment/TL907-hardcoded-device.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rewrite, Rule, SetKeyword, Suspect, at_call

RULE = Rule.ours(
    code="TL907",
    summary="a GPU that is hardcoded by its number in every process of a group",
    needs=("group", "job", "gradient"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each call that is told such a GPU."""
    from trainlint.domains.process_groups import options
    from trainlint.program import naming

    for found in options.hardcoded_devices(program):
        site, start = found.site, found.start.site
        yield at_call(
            site.module,
            site.call,
            message=f"`{found.text}` is hardcoded: every process of the group uses this GPU here\n"
            "Together they fill its memory, and tensors there cannot be combined with tensors on the process's own "
            'GPU. Use the device of a tensor or module (`x.device`), or the current GPU (`"cuda"`).',
            because=(Reason(start.module, start.call.term.site, "the process group is started here"),),
            data={
                "keyword": found.keyword,
                "device": found.text.partition(":")[0],
                "puts": naming.receiver(site.call.term) is not None,
            },
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Show the current GPU in its place."""
    message, code = "Use the current GPU of the process", f'"{suspect.data["device"]}"'
    keyword = suspect.data["keyword"]
    if keyword is not None:
        return SetKeyword(Applicability.DISPLAY, message, call=suspect.spot, keyword=keyword, value=code)
    path = ((("function", 0),), (("arguments", 1),))
    return Rewrite(Applicability.DISPLAY, message, spot=suspect.spot, code=f"{{0}}({code}{{,1}})", paths=path)
