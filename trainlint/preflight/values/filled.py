"""Parameters that every caller fills with an object that it has made: none of them is an option that happens to be called so."""

from __future__ import annotations

from trainlint.facts.call_graph import last_name
from trainlint.ir.nodes import Attr, Call, Const, Display, Global, Nested, Param, Select, Subscript, Term
from trainlint.ir.terms import parts_of
from trainlint.preflight.values.origins import Origin, Origins, are_called_so
from trainlint.preflight.values.words import handed

#: How many callers and functions, one behind the other, are gone through.
_DEEPEST = 5
_OBJECTS = (Display, Nested)


class Filled:
    """Those of a job: ``save(optimizer)`` with one that it has built, while ``--optimizer`` says of which kind that is."""

    def __init__(self, origins: Origins) -> None:
        self._origins = origins
        self._known: dict[tuple[str, Term], bool] = {}

    def is_made(self, parameter: Param, module: str, depth: int = _DEEPEST) -> bool:
        """Whether all calls of a function hand something over for a parameter that they make, and none of its own name."""
        key = (module, parameter)
        if key not in self._known:
            self._known[key] = False  # what leads back to itself is not known
            found = self._origins.passed(parameter, module) if depth else ()
            self._known[key] = bool(found) and all(self._is_object(each, parameter.name, depth - 1) for each in found)
        return self._known[key]

    def _is_object(self, origin: Origin, name: str, depth: int) -> bool:
        value = origin.value
        if value is None or depth < 0:
            return False
        if isinstance(value, Select):
            return all(self._is_object(origin._replace(value=each), name, depth) for each in value.arms)
        if isinstance(value, Param):
            return self.is_made(value, origin.module, depth)
        if isinstance(value, Subscript):
            several = self._origins.of_several(value, origin.module)
            if several:
                return all(self._is_object(each, name, depth - 1) for each in several)
            value = value.base
        if not isinstance(value, Call):
            return isinstance(value, _OBJECTS)
        returned = self._origins.returned(value, origin.module)
        if returned:
            return all(self._is_object(each, name, depth - 1) for each in returned)
        return not any(self._speaks(each, origin, name, depth) for each in handed(value))

    def _speaks(self, term: Term, origin: Origin, name: str, depth: int) -> bool:
        """Whether what a call is handed may be the option itself: it is called so, or is all that the command line says."""
        if last_name(term) == name or (isinstance(term, (Subscript, Select, Call)) and _is_named(term, name)):
            return not self._is_object(origin._replace(value=term), name, depth - 1)
        return isinstance(term, (Param, Global, Attr, Call)) and are_called_so(
            last_name(term.callee if isinstance(term, Call) else term)
        )


def _is_named(term: Term, name: str) -> bool:
    return any(isinstance(part, (Attr, Param)) and part.name == name for part in parts_of(term)) or any(
        isinstance(part, Subscript) and isinstance(part.key, Const) and part.key.value == name for part in parts_of(term)
    )
