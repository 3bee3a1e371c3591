"""TL563 compiled-state-dict. Its page, which is also its test: rules/compilers/TL563-compiled-state-dict.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL563",
    summary="a saved state dict of a compiled model: its keys begin with `_orig_mod.` and match no other model",
    needs=("compiled-module", "state"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each state that is taken of a compiled model and saved, where nobody knows of its prefix."""
    from trainlint.domains.dynamo.compiled_models import prefixed

    for found in prefixed(program):
        assert found.compiled.call is not None
        assert found.compiled.frame is not None
        because = [
            Reason(found.compiled.frame.module, found.compiled.call.site, "the model is compiled here"),
            Reason(found.saved.module, found.saved.call.term.site, "its state dict is saved here"),
        ]
        other = "this removes another prefix, not this one"
        because += [Reason(site.module, site.call.term.site, other) for site in found.cleaners]
        yield Suspect(
            path=found.module,
            spot=found.state.site,
            node="Call",
            statement=found.statement,
            message="the saved keys of this state dict begin with `_orig_mod.`: they match a compiled model only\n"
            "`torch.compile(model)` wraps the model in a module. Save the state dict of the original model, or compile "
            "in place (`model.compile()`), which changes no key.",
            because=tuple(because),
            data={"change": found.change},
        )
