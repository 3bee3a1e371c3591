"""From a described change to text edits. Each kind of change is built by the module that knows it."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from trainlint.edits.changes import (
    AnswerTogether,
    AppendCall,
    Change,
    Hoist,
    HoistValue,
    InsertAfter,
    InsertBefore,
    InsertFirst,
    Move,
    RemoveKeyword,
    RemoveStatement,
    Rename,
    Replace,
    Rewrite,
    SetKeyword,
    StayFor,
    Surround,
    SwapKeyword,
    Together,
    Wrap,
)
from trainlint.edits.early_exit import around, stay_for
from trainlint.edits.expressions import append_call, remove_keyword, replace, rewrite, set_keyword, swap_keyword
from trainlint.edits.layout import quoted_alike, wrapped
from trainlint.edits.moving import hoist, hoist_value, move, stretch
from trainlint.edits.renaming import rename
from trainlint.edits.statements import (
    answer_together,
    insert_after,
    insert_before,
    insert_first,
    remove_statement,
    surround,
    wrap,
)
from trainlint.finding import Edit, Spot

if TYPE_CHECKING:
    from trainlint.edits.site import Site


def edits(site: Site, change: Change) -> tuple[Edit, ...] | None:
    """The edits for ``change``, ordered and not overlapping; None when it is refused or of a kind unknown here.

    ``site`` gives the file; when the change concerns code outside it, the statement it names is opened.
    """
    made = _made(site, change)
    return None if made is None else wrapped(site.source, quoted_alike(site.source, made))


def _made(site: Site, change: Change) -> tuple[Edit, ...] | None:
    if isinstance(change, Together):
        return _together(site, change)
    if isinstance(change, Rename):
        return rename(site, change)
    if isinstance(change, Rewrite):
        there = site if change.around else site.at(change.spot)
        return rewrite(there, change) if there else None
    if isinstance(change, Move):
        there = site.at(stretch(site.source, change))
        return move(there, change) if there else None
    for kind, (place, make) in _MAKERS.items():
        if isinstance(change, kind):
            there = site.at(place(change))
            return make(there, change) if there else None
    return None


#: Of each kind of change: the stretch of the file to be opened for it, and what makes its edits.
_MAKERS: dict[type[Change], tuple[Callable[[Any], Spot], Callable[[Site, Any], tuple[Edit, ...] | None]]] = {
    InsertFirst: (attrgetter("block"), insert_first),
    InsertBefore: (attrgetter("statement"), insert_before),
    InsertAfter: (attrgetter("statement"), insert_after),
    Hoist: (attrgetter("guard"), hoist),
    HoistValue: (attrgetter("guard"), hoist_value),
    StayFor: (around, stay_for),
    AnswerTogether: (attrgetter("statement"), answer_together),
    Surround: (attrgetter("statement"), surround),
    SetKeyword: (attrgetter("call"), set_keyword),
    RemoveKeyword: (attrgetter("call"), remove_keyword),
    RemoveStatement: (attrgetter("statement"), remove_statement),
    AppendCall: (attrgetter("whole"), append_call),
    Wrap: (attrgetter("statement"), wrap),
    Replace: (attrgetter("spot"), replace),
    SwapKeyword: (attrgetter("call"), swap_keyword),
}


def _together(site: Site, change: Together) -> tuple[Edit, ...] | None:
    found = [_made(site, part) for part in change.changes]
    made = sorted((edit for part in found for edit in part or ()), key=lambda edit: edit.span)
    apart = all(one.span[2:] <= other.span[:2] and one.span != other.span for one, other in itertools.pairwise(made))
    return tuple(made) if all(found) and apart else None
