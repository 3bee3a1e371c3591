"""TL307 graph-kept-on-attribute. Its page, which is also its test: rules/memory/TL307-graph-kept-on-attribute.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Applicability, Change, InsertAfter, Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL307",
    summary="a state that is stored with its autograd graph, which the next iteration extends",
    needs=("graph-kept",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each statement that replaces what it stores by something computed from it, with the graph."""
    from trainlint.domains.autograd import retained_graphs
    from trainlint.program import naming

    for found in program.ask(retained_graphs.Chains).found():
        name = naming.name_in(found.store.target, found.function) or "the attribute"
        end = (
            "`backward()` fails in the second one, or, with `retain_graph=True`, runs through all earlier iterations "
            "again and takes more memory and time each time."
        )
        if found.ends is not None:
            end = (
                f"the other outputs are detached, so no backward pass frees it, unless `{found.ends.name}` is called in between, "
                f"which resets `{name}` (no such call was found)."
            )
        yield Suspect(
            path=found.module,
            spot=found.store.spot,
            node=found.store.kind,
            statement=found.store.spot,
            message=f"`{name}` keeps the autograd graph of this call, and the next call continues it\n"
            f"The graph grows with each iteration: {end}",
            because=(Reason(*found.computed, "computed here from what the last call stored"),),
            evidence="must" if found.ends is None else "likely",
            data={"statement": found.store.spot, "name": name, "kind": found.kind},
        )
    for written in program.ask(retained_graphs.Statistics).found():
        name = naming.name_in(written.target, written.function) or "the buffer"
        yield Suspect(
            path=written.module,
            spot=written.spot,
            node=written.node,
            statement=written.statement,
            message=f"the buffer `{name}` keeps the autograd graph of this call, and the next call continues it\n"
            "The graph grows with each iteration, and no backward pass frees it. Write detached values to the "
            "buffer, or write to it under `torch.no_grad()`.",
            evidence="must" if written.sure else "likely",
            data={"statement": written.statement, "name": name, "kind": "other"},
        )


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Cut the graph off behind the store, where it is known what is stored."""
    name, kind = suspect.data["name"], suspect.data["kind"]
    message = "Detach the stored state"
    code = {"pair": f"{name} = tuple(part.detach() for part in {name})", "one": f"{name} = {name}.detach()"}.get(kind)
    if code is None or suspect.data["name"] == "the attribute":
        return None
    return InsertAfter(Applicability.SAFE, message, statement=suspect.data["statement"], code=code)
