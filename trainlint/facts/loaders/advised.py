"""How findings about a loader, and the option that mends them, are written down."""

from __future__ import annotations

from trainlint.facts.loaders.made import Loader
from trainlint.finding import Applicability, Reason, Suspect
from trainlint.sites.changes import SetKeyword

_CALL, _PLAIN = "call", "plain"


def suspect(loader: Loader, message: str, *because: Reason) -> Suspect:
    """A loader, at the call that makes it."""
    assert loader.statement is not None
    return Suspect(
        path=loader.module,
        spot=loader.spot,
        node="Call",
        statement=loader.statement,
        message=message,
        because=because,
        data={_CALL: loader.spot, _PLAIN: loader.plain()},
    )


def option(
    found: Suspect, applicability: Applicability, message: str, keyword: str, value: str, position: int | None = None
) -> SetKeyword | None:
    """The option set in the call of such a suspect; None where the call passes what is not written there (``**kwargs``)."""
    if not found.data[_PLAIN]:
        return None
    return SetKeyword(
        applicability, message, call=found.data[_CALL], keyword=keyword, value=value, position=position, over_literals=True
    )
