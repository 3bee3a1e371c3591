"""XX001 unverified-shard. Its page, which is also its test: pages/XX001-unverified-shard.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Applicability, Change, Level, Program, Reason, RemoveKeyword, Rule, Suspect

if TYPE_CHECKING:
    from trainlint.program import values

RULE = Rule(
    code="XX001",
    name="unverified-shard",
    summary="a shard that is opened without verifying what it holds",
    level=Level.WARNING,
    certainty="flow",
    fix="unsafe",
    needs=("xx.readers",),
    since="1.0",
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each call that opens a shard with the verification switched off, here or by a caller."""
    from trainlint.ir.nodes import Const
    from trainlint.program import call_graph, contexts, values

    index = program.ask(call_graph.CallGraph)
    readers = program.knowledge.own("xx.readers")

    def is_false(value: values.Value) -> bool:
        return isinstance(value, values.Unresolved) and isinstance(value.term, Const) and value.term.value is False

    for name in sorted({reader.rpartition(".")[2] for reader in readers}):
        for site in index.sites_named(name):
            call = site.call.term
            for frame in contexts.calling_contexts(program, site.module, site.function):
                targets = index.targets(call, frame)
                keywords = {
                    readers[found.name] for found in targets if isinstance(found, values.Library) and found.name in readers
                }
                given = [term for keyword, term in call.kwargs if keyword in keywords]
                if not any(all(map(is_false, program.values(term, frame))) for term in given):
                    continue
                said_here = any(isinstance(term, Const) for term in given)
                yield Suspect(
                    path=site.module,
                    spot=call.site,
                    node="Call",
                    statement=site.call.statement,
                    message="nobody verifies this shard: a damaged one is trained on\n"
                    "Verifying costs one pass over the file, once for each shard.",
                    because=() if said_here else tuple(_told(frame)),
                    data={"call": call.site, "keyword": keywords.pop() if said_here else None},
                )
                break  # one call is one mistake, however many callers it has


def _told(frame: values.Context) -> Iterator[Reason]:
    """The call in which a caller switches the verification off."""
    if frame.caller is not None and frame.call is not None:
        yield Reason(frame.caller.module, frame.call.site, f"`{frame.function.name}` is told here not to verify")


@RULE.repair
def repair(suspect: Suspect) -> Change | None:
    """Leave the keyword out: acme_store verifies by default."""
    if suspect.data["keyword"] is None:
        return None  # the caller decides
    return RemoveKeyword(Applicability.UNSAFE, "Verify the shard", call=suspect.data["call"], keyword=suspect.data["keyword"])
