"""Runs that train an epoch again which they had finished: its number was saved at its end, and is where they begin."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.checkpoints.origins import Origins
from trainlint.facts.checkpoints.resumed import Resumption, Resumptions, counts
from trainlint.facts.checkpoints.written import Contents, Save, Written
from trainlint.facts.program import Program


class Repeated(NamedTuple):
    """A resumption at the epoch that a save had finished, and that save."""

    resumption: Resumption
    save: Save
    contents: Contents


def repeated(program: Program) -> Iterator[Repeated]:
    """Each such resumption, once for a loop."""
    known = program.ask(Resumptions)
    if not known.found:
        return
    shifted = {(id(each.loop), each.key) for each in known.found if each.shifted}
    seen: set[int] = set()
    for each in known.found:
        if each.shifted or (id(each.loop), each.key) in shifted or id(each.loop) in seen:
            continue
        found = _saved_at_end(program, each)
        if found is not None and known.is_of_epochs(each):
            seen.add(id(each.loop))
            yield found


def _saved_at_end(program: Program, resumption: Resumption) -> Repeated | None:
    """A save of the loop's counter behind the training of a round.

    None where another save puts something else under the key, or saves the counter within a round: who goes on from that file has
    to begin the round again.
    """
    answer: Repeated | None = None
    for save in program.ask(Written).saves:
        if not program.together(save.site.module, resumption.module):
            continue
        for contents in program.ask(Written).contents(save):
            for bound in contents.items.get(resumption.key, ()):
                found = program.ask(Origins).of(bound.term, bound.frame)
                counted = [origin for origin in found if counts(origin.term, resumption.loop)]
                if not counted:
                    continue
                if any(origin.shifted for origin in found):
                    return None
                where = program.ask(Resumptions).stands(save, resumption.loop, resumption.function)
                if where == "within":
                    return None
                if where == "behind":
                    answer = answer or Repeated(resumption, save, contents)
    return answer
