"""TL611 lenient-load. Its page, which is also its test: rules/checkpoints/TL611-lenient-load.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Reason, Rewrite, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL611",
    summary="a state dict that is loaded with `strict=False` while nothing checks what did not match",
    needs=("gradient", "state"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each `load_state_dict(…, strict=False)` whose answer is thrown away."""
    from trainlint.domains.checkpoints import loading

    for found in loading.lenient(program):
        site = found.site
        call = site.call
        reasons: tuple[Reason, ...] = ()
        if found.sorted is not None:
            reasons = (Reason(site.module, found.sorted, "the keys of a dict are iterated here, perhaps those of the state"),)
        yield at_call(
            site.module,
            call,
            message="`load_state_dict(strict=False)` silently skips keys that do not match, and the return value that lists "
            "them is ignored\n"
            "Log the missing and the unexpected keys that it returns, or check that they are the ones you expect.",
            because=reasons,
            evidence="must" if found.sorted is None else "likely",
        )


@RULE.repair
def repair(suspect: Suspect) -> Change:
    """Show how the keys are printed."""
    return Rewrite(Applicability.DISPLAY, "Print the keys that did not match", spot=suspect.spot, code="print({0})", paths=((),))
