"""TL923 unknown-config-key. Its page, which is also its test: rules/environment/TL923-unknown-config-key.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, Program, RewriteText, Rule, Suspect, at_call

RULE = Rule.ours(
    code="TL923",
    summary="a misspelled key in a configuration of DeepSpeed, accelerate or FSDP",
    certainty="syntax",
    needs=("deepspeed",),
    reads=("deepspeed", "accelerate", "fsdp", "launch"),
)

_LIBRARIES = {"deepspeed": "DeepSpeed", "accelerate": "accelerate", "fsdp": "transformers"}


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each key that is a known one but for a slip: of the files, or of the dicts in the code."""
    from trainlint.jobs import unknown_keys

    for found in () if program.modules else unknown_keys.misspelt(program):
        spot = found.item.key.spot
        quote = found.document.text.encode("utf-8", "replace").splitlines()[spot.line - 1][spot.column : spot.column + 1].decode()
        yield Suspect(
            path=found.document.path,
            spot=spot,
            node="Text",
            statement=spot,
            message=_sentence(*found.slip),
            because=(),
            data={"spot": spot, "name": found.slip.name, "quote": quote if quote in "\"'" else ""},
        )
    for each in unknown_keys.in_code(program) if program.modules else ():
        yield at_call(
            each.site.module,
            each.site.call,
            message=_sentence(*each.slip),
            because=(),
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Spell the key as the library does; what it says counts from then on."""
    if not suspect.data:
        return None
    name, quote = suspect.data["name"], suspect.data["quote"]
    return RewriteText(Applicability.UNSAFE, f"Write `{name}`", edits=((suspect.data["spot"], f"{quote}{name}{quote}"),))


def _sentence(key: str, name: str, where: str, is_refused: bool) -> str:
    library, _, section = where.partition(".")
    reader = _LIBRARIES[library]
    end = f"{reader} ends the job because of it" if is_refused else f"{reader} ignores it silently and uses the default"
    return f"{reader} has no key `{key}`{f' in `{section}`' if section else ''}: did you mean `{name}`?\n{end}."
