"""TL935 unread-option. Its page, which is also its test: rules/environment/TL935-unread-option.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL935",
    summary="an option of a training script that is never read: setting it has no effect",
    needs=("option", "gradient"),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield the declaration of each option that is parsed and never read."""
    from trainlint.domains import training_scripts

    for found in training_scripts.unread(program):
        yield at_call(
            found.module,
            found.declared,
            message=f"`{found.spelled}` is never read: it has no effect, whatever it is set to\n"
            "Use it where intended, or remove it.",
            because=(Reason(*found.parsed, "the options are parsed here, and other options are read"),),
        )
