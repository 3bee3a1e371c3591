"""TL520, TL522, TL524 to TL527, TL551: what needs a value while JAX traces fails, or is done once and never again."""

from __future__ import annotations

import pytest

from tests.witness.running import observe, program

TRACER_ERRORS = {
    "ConcretizationTypeError",
    "NonConcreteBooleanIndexError",
    "TracerArrayConversionError",
    "TracerBoolConversionError",
    "TracerIntegerConversionError",
    "UnexpectedTracerError",
}
ROUNDS = 6


@pytest.mark.witness
def test_what_needs_a_value_fails_in_a_trace_and_what_needs_none_does_not() -> None:
    found = observe("traced", program("traced_values"))
    bad = {name: error for name, error in found.items() if name.startswith("bad_")}
    good = {name: error for name, error in found.items() if name.startswith("good_")}
    assert len(bad) == 18
    assert {name: error for name, error in bad.items() if error not in TRACER_ERRORS and name != "bad_shape"} == {}
    assert bad["bad_shape"] == "TypeError"  # shapes must be concrete
    assert set(good.values()) == {None}
    assert found["many_static_rounds"] == found["many_requests"] == ROUNDS
    assert found["once_traced_rounds"] == 1
    assert found["same_draws"] is True
    assert found["same_state"] is True
