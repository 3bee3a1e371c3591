"""What goes wrong in traces of JAX, as the rules ask it."""

from __future__ import annotations

from trainlint.facts.jax.activations import reasons
from trainlint.facts.jax.asked import asked, chosen, is_flag, named
from trainlint.facts.jax.changing import changing
from trainlint.facts.jax.counted import counted
from trainlint.facts.jax.impure import impure, printed
from trainlint.facts.jax.missing import declared, missing
from trainlint.facts.jax.on_host import on_host
from trainlint.facts.jax.sized import replaced, sized
from trainlint.facts.traced.frozen import frozen

__all__ = [
    "asked",
    "changing",
    "chosen",
    "counted",
    "declared",
    "frozen",
    "impure",
    "is_flag",
    "missing",
    "named",
    "on_host",
    "printed",
    "reasons",
    "replaced",
    "sized",
]
