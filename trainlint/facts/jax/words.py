"""What the tables ``tracers`` say: made once for a program, since it may have hundreds of traces and each asks all of them."""

from __future__ import annotations

from trainlint.facts.jax.fields import Fields
from trainlint.facts.program import Program


class Words:
    """The names of the tables, and the questions about objects."""

    def __init__(self, program: Program, fields: Fields) -> None:
        tables = program.knowledge.tables
        self.fields = fields
        self.static_attributes: frozenset[str] = frozenset(tables["tracers.static_attributes"]["names"])
        self.same_attributes: frozenset[str] = frozenset(tables["tracers.attributes"]["names"])
        self.leaves: frozenset[str] = frozenset(tables["tracers.leaves"]["names"])
        self.methods: frozenset[str] = frozenset(tables["tracers.methods"]["names"])
        self.containers: frozenset[str] = frozenset(tables["tracers.containers"]["names"])
        self.static: frozenset[str] = frozenset(tables["tracers.static"]["names"])
        self.trees: frozenset[str] = frozenset(tables["tracers.trees"]["names"])
        self.arrays: frozenset[str] = frozenset(tables["tracers.arrays"]["names"])
        self.fresh: frozenset[str] = frozenset(tables["tracers.fresh"]["names"])
        self.computes: tuple[str, ...] = tuple(tables["tracers.computes"]["names"])
        self.layers: tuple[str, ...] = tuple(tables["tracers.layers"]["names"])
        self.applies: frozenset[str] = frozenset(tables["tracers.applies"]["names"])
        self.maps: frozenset[str] = frozenset(tables["tracers.maps"]["names"])
