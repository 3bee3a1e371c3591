"""Loaders, samplers and datasets: how many batches or items they hand out on one rank."""

from __future__ import annotations

from trainlint.facts.values import ClassValue, Frame, FunctionValue, Instance, Library, Made, Other
from trainlint.ir.nodes import Const, Dict, Self, Term
from trainlint.spmd.shards.makers import Makers
from trainlint.spmd.shards.questions import Amount


class Loaders(Makers):
    """The parts of a measurement that know loaders, and objects of the project."""

    def loaded(self, made: Made) -> Amount:
        """How many items a loader goes over: batches differ when items do, but with ``drop_last`` not for a single one."""
        if made.call is None or made.frame is None:
            return self.example.size(made.name)
        given = self._given_to(made)
        if given is None:
            return None
        for name in ("batch_sampler", "sampler", "dataset"):
            term = given.get(name)
            if term is not None and not _nothing(term):
                self.dropping = self.dropping or self._drops(given)
                return self.length(term, made.frame)
        return None

    def _given_to(self, made: Made) -> dict[str, Term] | None:
        """The arguments of a loader by name; None when some are out of sight."""
        assert made.call is not None
        assert made.frame is not None
        signature = self.program.knowledge.signatures.get(made.name, ["dataset"])
        given = dict(zip(signature, made.call.args, strict=False))
        for name, value in made.call.kwargs:
            if name is not None:
                given[name] = value
                continue
            displays = self.program.values(value, made.frame)
            display = displays[0] if len(displays) == 1 else None
            if not isinstance(display, Other) or not isinstance(display.term, Dict):
                return None
            for key, item in display.term.items:
                if not isinstance(key, Const):
                    return None
                given.setdefault(key.value, item)
        return given

    def _drops(self, given: dict[str, Term]) -> bool:
        term = given.get("drop_last")
        return term is not None and not (isinstance(term, Const) and not term.value)

    def of_object(self, value: Instance) -> Amount:
        """How many items an object of the project hands out: by its ``__iter__``, or its ``__len__`` and ``__getitem__``."""
        cls = ClassValue(value.module, value.cls)
        own = self.program.method(cls, "__iter__")
        if own is not None:
            frame = self.program.instance_frame(value, *own)
            if own[1].generator:
                return self.yielded(FunctionValue(own[0], own[1], value), frame)
            return self._returned(own[1].qualname, self.program.returns(own[1]), frame)
        for above in self.program.lineage(cls):
            if isinstance(above, Library):
                word = self.program.knowledge.sizes.get(above.name)
                if word == "even":
                    return self.example.size(("even", value.cls.qualname))
                if self.program.knowledge.kinds.get(above.name) in ("loader", "stream", "sampler"):
                    return None
        size = self.program.method(cls, "__len__")
        if size is None:
            return None
        results = self.program.returns(size[1])
        frame = self.program.instance_frame(value, *size)
        if not results:
            return None
        self.frames.add(frame)
        return self.number(results[self.example.pick((size[1].qualname, "returns"), len(results))], frame)

    def _returned(self, name: str, results: list[Term], frame: Frame) -> Amount:
        if not results:
            return None
        result = results[self.example.pick((name, "returns"), len(results))]
        return None if isinstance(result, Self) else self.length(result, frame)


def _nothing(term: Term) -> bool:
    return bool(isinstance(term, Const) and term.value is None)
