"""TL560, TL561, TL563, TL564: what the compiler of PyTorch cuts, hides, and calls otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.witness.running import observe, program, repaired

CALLS = 12
#: How often the compiler compiles a function anew before it gives it up (``recompile_limit``).
LIMIT = 8


@pytest.mark.witness
def test_what_no_graph_can_hold_cuts_it() -> None:
    assert observe("returned", program("broken_graph"), "broken", CALLS) > 1
    assert observe("returned", program("whole_graph"), "broken", CALLS) == 1


@pytest.mark.witness
def test_a_counter_compiles_each_call_until_nothing_is_compiled() -> None:
    assert observe("returned", program("broken_graph"), "counting", CALLS) == LIMIT
    assert observe("returned", program("whole_graph"), "counting", CALLS) == 1


@pytest.mark.witness
def test_a_state_of_a_compiled_model_fits_no_other(tmp_path: Path) -> None:
    assert observe("returned", program("prefixed_state"), "evaluated", 1) == [["bias", "weight"], False]
    assert observe("returned", repaired("prefixed_state", tmp_path), "evaluated", 1) == [[], True]


@pytest.mark.witness
def test_errors_of_the_compiler_come_to_light(tmp_path: Path) -> None:
    assert observe("returned", program("hidden_errors"), "run", 3) == 6.0
    assert observe("returned", repaired("hidden_errors", tmp_path), "run", 3) == "BackendCompilerFailed"


@pytest.mark.witness
def test_a_loop_compiles_in_each_round_after_a_reset_or_for_a_fresh_backend() -> None:
    assert observe("returned", program("graph_compiled_each_round"), "kept", CALLS) == 1
    assert observe("returned", program("graph_compiled_each_round"), "reset", CALLS) == CALLS
    assert observe("returned", program("graph_compiled_each_round"), "fresh", CALLS) == LIMIT
