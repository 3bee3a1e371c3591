"""From a described change to text edits. Each kind of change is built by the module that knows it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from trainlint.finding import Edit
from trainlint.sites.appending import append_call
from trainlint.sites.arguments import remove_keyword, set_keyword, swap_keyword
from trainlint.sites.changes import (
    AnswerTogether,
    AppendCall,
    Change,
    Hoist,
    HoistValue,
    InsertAfter,
    InsertBefore,
    InsertFirst,
    RemoveKeyword,
    Replace,
    Rewrite,
    SetKeyword,
    StayFor,
    Surround,
    SwapKeyword,
    Together,
    Wrap,
)
from trainlint.sites.hoist import hoist
from trainlint.sites.insertion import insert_after, insert_before, insert_first
from trainlint.sites.replacement import replace
from trainlint.sites.rewriting import rewrite
from trainlint.sites.stay import around, stay_for
from trainlint.sites.surrounding import surround
from trainlint.sites.together import answer_together
from trainlint.sites.value import hoist_value
from trainlint.sites.wrapping import wrap

if TYPE_CHECKING:
    from trainlint.sites.site import Site


def edits(site: Site, change: Change) -> tuple[Edit, ...] | None:
    """The edits for ``change``, ordered and not overlapping; None when it is refused or of a kind unknown here.

    ``site`` gives the file; when the change concerns code outside it, the statement it names is opened.
    """
    if isinstance(change, InsertFirst):
        return insert_first(there, change) if (there := site.at(change.block)) else None
    if isinstance(change, InsertBefore):
        return insert_before(there, change) if (there := site.at(change.statement)) else None
    if isinstance(change, InsertAfter):
        return insert_after(there, change) if (there := site.at(change.statement)) else None
    if isinstance(change, Hoist):
        return hoist(there, change) if (there := site.at(change.guard)) else None
    if isinstance(change, HoistValue):
        return hoist_value(there, change) if (there := site.at(change.guard)) else None
    if isinstance(change, StayFor):
        return stay_for(there, change) if (there := site.at(around(change))) else None
    if isinstance(change, AnswerTogether):
        return answer_together(there, change) if (there := site.at(change.statement)) else None
    if isinstance(change, Surround):
        return surround(there, change) if (there := site.at(change.statement)) else None
    if isinstance(change, SetKeyword):
        return set_keyword(there, change) if (there := site.at(change.call)) else None
    if isinstance(change, RemoveKeyword):
        return remove_keyword(there, change) if (there := site.at(change.call)) else None
    if isinstance(change, AppendCall):
        return append_call(there, change) if (there := site.at(change.whole)) else None
    if isinstance(change, Wrap):
        return wrap(there, change) if (there := site.at(change.statement)) else None
    if isinstance(change, (Replace, Rewrite)):
        there = site if isinstance(change, Rewrite) and change.around else site.at(change.spot)
        return _in_place(there, change) if there else None
    if isinstance(change, SwapKeyword):
        return swap_keyword(there, change) if (there := site.at(change.call)) else None
    if isinstance(change, Together):
        return _together(site, change)
    return None


def _in_place(site: Site, change: Replace | Rewrite) -> tuple[Edit, ...] | None:
    return replace(site, change) if isinstance(change, Replace) else rewrite(site, change)


def _together(site: Site, change: Together) -> tuple[Edit, ...] | None:
    found = [edits(site, part) for part in change.changes]
    made = sorted((edit for part in found for edit in part or ()), key=lambda edit: edit.span)
    apart = all(one.span[2:] <= other.span[:2] and one.span != other.span for one, other in itertools.pairwise(made))
    return tuple(made) if all(found) and apart else None
