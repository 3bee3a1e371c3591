"""What an attribute holds on one rank, where it depends on the rank which stores are run (see ``attributes.py``)."""

from __future__ import annotations

from typing import Any, NamedTuple

from trainlint.facts.values import Instance
from trainlint.spmd.marked import Marked
from trainlint.spmd.settings import Setting
from trainlint.spmd.symbols import UNKNOWN, PerRank, Something


class Kept(NamedTuple):
    """What an attribute holds on a rank; ``open``: or something else, which nobody can say."""

    value: Any
    open: bool


class Kepts(Marked):
    """The part of the evaluator that goes through the stores of an object, as this rank runs them."""

    def kept(self, instance: Instance, name: str, stores: tuple[Setting, ...]) -> Kept | None:
        """What this rank keeps under a name, if other ranks surely keep something else there."""
        here, ranked = self.runs_stores(instance, stores)
        if not ranked or here is None:
            return None
        elsewhere = [peer.runs_stores(instance, stores)[0] for peer in self.peers()]
        if any(kept is None for kept in elsewhere):
            return None
        self.asked = True
        if not here.open:
            return here
        settled = {kept.value for kept in elsewhere if kept is not None and not kept.open}
        if len(settled) != 1 or type(next(iter(settled))) is not bool:
            return None  # a flag that the others never change, that is clear enough
        key = (instance.module, instance.cls.qualname, name)
        return Kept(PerRank(("not", key) if True in settled else key), open=True)

    def runs_stores(self, instance: Instance, stores: tuple[Setting, ...]) -> tuple[Kept | None, bool]:
        """What is kept after the stores that this rank runs, and whether it depends on the rank what that is.

        ``open``: something unknown decides whether the last of them ran. None when what is stored is not known. What is stored
        by one method only is not there before it, as with ``__init__``.
        """
        kept: Kept | None = None
        alone = len({id(store.function) for store in stores}) == 1
        ranked = False
        for store in sorted(stores, key=lambda store: store.function.name != "__init__"):
            frame = self.program.instance_frame(instance, store.module, store.function)
            runs, asked = self.comes_to(store, frame)
            ranked = ranked or asked
            if runs is False:
                continue
            value, own = self.evaluate(store.value, frame)
            ranked = ranked or own
            if isinstance(value, UNKNOWN) and not isinstance(value, Something) and not asked:
                return None, ranked
            first = alone or store.function.name == "__init__"
            if kept is None or (first and runs):
                kept = Kept(value, open=False) if first and runs else None
                if kept is None:
                    return None, ranked
            elif kept.value != value or type(kept.value) is not type(value):
                kept = Kept(kept.value, open=True)
        return kept, ranked
