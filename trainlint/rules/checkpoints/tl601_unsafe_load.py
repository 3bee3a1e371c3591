"""TL601 unsafe-load. Its page, which is also its test: rules/checkpoints/TL601-unsafe-load.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Rule, Suspect

RULE = Rule.ours(
    code="TL601",
    summary="a checkpoint that is unpickled without restrictions: the file can run code",
    needs=("unpickling",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each load that unpickles anything."""
    from trainlint.jobs import api_defaults

    for found in api_defaults.unsafe_loads(program):
        spot, name, keyword = found.use.spot, found.use.name, found.keyword
        if found.why == api_defaults.EXPLICIT:
            what = f"`{name}` with `{keyword}=False` runs whatever code the file contains"
        elif found.why == api_defaults.MODULE:
            what = f"`{name}` with a `pickle_module` runs whatever code the file contains"
        else:
            what = f"`{name}` before PyTorch {found.since} runs whatever code the file contains"
        if found.unless is not None:
            what += f", unless {found.unless}"
        yield Suspect(
            path=found.use.module,
            spot=spot,
            node="Call",
            statement=found.use.statement,
            message=f"{what}\n"
            f"It unpickles the file, and a pickle can call any function. `{keyword}=True` loads tensors and plain "
            "values only; other classes, NumPy's too, have to be allowed by name (`torch.serialization.add_safe_globals`).",
            evidence="must" if found.unless is None else "likely",
            data={"change": found.change},
        )
