"""TL713 dropout-always-on. Its page, which is also its test: rules/loop/TL713-dropout-always-on.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, Rule, SetKeyword, Suspect, at_call

RULE = Rule.ours(
    code="TL713",
    summary="a functional dropout that ignores whether its module is training",
    needs=("gradient",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each call of a dropout function in a module without the argument that says whether it trains."""
    from trainlint.domains.train_mode.mode_dependence import always_dropping
    from trainlint.program import naming
    from trainlint.program.naming import quoted

    for found in always_dropping(program):
        call = found.site.call
        own = "self" if found.own else "module"
        spelled = naming.name_in(found.rate, found.site.function) if found.rate is not None else None
        rate = spelled or "rate"
        passes_on = any(keyword is None for keyword, _ in call.term.kwargs)  # who adds to these may tell it
        yield at_call(
            found.site.module,
            call,
            message=f"{quoted(call.term)} without `training={own}.training`: the dropout stays active in evaluation\n"
            f"`eval()` changes modules, not functions: `{found.keyword}` is True unless it is given. Pass `{own}.training`."
            if found.rate is None
            else f"attention dropout stays active in evaluation: `{found.keyword}` ignores the module's `training` flag\n"
            f"`eval()` changes modules, not functions. Pass `{rate} if {own}.training else 0.0`.",
            data={
                "keyword": found.keyword,
                "position": found.position,
                "value": f"{found.own}.training" if found.rate is None else f"{spelled} if {found.own}.training else 0.0",
                "known": found.own is not None and (found.rate is None or spelled is not None) and not passes_on,
            },
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Tell it."""
    data = suspect.data
    if not data["known"]:
        return None
    message = "Pass the module's `training` flag"
    return SetKeyword(
        Applicability.SAFE,
        message,
        call=suspect.spot,
        keyword=data["keyword"],
        value=data["value"],
        position=data["position"],
    )
