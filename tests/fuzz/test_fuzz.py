"""Nothing makes trainlint fail: programs out of a grammar, files that were changed at random, and all else that it reads.

What must hold of each text is said in ``bench.py``. The small profile belongs to the default suite; `-m heavy` runs a large
one, `python -m tests.fuzz --minutes 20` as many as there is time for. `found/` keeps what once made it fail, `corpus/` what the
run that is guided by coverage (``guided.py``) came to.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz import documents
from tests.fuzz.bench import Broken, holds, is_command
from tests.fuzz.mutations import examples, mutated
from tests.fuzz.programs import program
from tests.fuzz.replaying import run
from tests.fuzz.shrinking import smaller
from trainlint.rules import registry

HERE = Path(__file__).parent
FOUND = sorted(path for path in (HERE / "found").glob("*") if path.is_file())

SMALL = settings(max_examples=8, derandomize=True, suppress_health_check=list(HealthCheck))
LARGE = settings(max_examples=150, suppress_health_check=list(HealthCheck))
#: Hypothesis makes texts smaller by making these smaller: a text is all that follows from its number.
SEEDS = st.integers(0, 2**40)
#: And here it chooses at each turn of the grammar itself.
CHANCES = st.randoms(use_true_random=False)


def written(seed: int) -> bytes:
    chance = Random(seed)
    return program(chance, chance.randrange(10, 300)).encode("utf-8", "surrogatepass")


def changed(seed: int) -> bytes:
    return mutated(Random(seed))


# -- the small profile --------------------------------------------------------------------------------------------------


@SMALL
@given(CHANCES)
def test_programs(chance: Random) -> None:
    holds(program(chance, 60).encode("utf-8", "surrogatepass"))


@SMALL
@given(SEEDS)
def test_changed_files(seed: int) -> None:
    holds(changed(seed))


@SMALL
@given(SEEDS)
def test_notebooks(seed: int) -> None:
    documents.put(documents.cells, written(seed) if seed % 2 else changed(seed))


@SMALL
@given(SEEDS)
def test_configurations(seed: int) -> None:
    documents.put(documents.configuration, documents.table(Random(seed)))


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(["version", "files", "findings", "statistics", "a.py", "TL101"]), inner)
    ),
    max_leaves=12,
)


_BASELINES = st.fixed_dictionaries({"version": st.just(1), "files": _JSON})
_ENTRIES = st.fixed_dictionaries({"statistics": _JSON, "findings": _JSON})


@SMALL
@given(_JSON | _BASELINES | _ENTRIES)
def test_baselines_and_cache_entries(data: object) -> None:
    for kind in (documents.baseline, documents.entry):
        documents.put(kind, json.dumps(data).encode())


@SMALL
@given(st.binary(max_size=200), st.sampled_from(documents.KINDS))
def test_bytes(data: bytes, kind: documents.Kind) -> None:
    documents.put(kind, data)


# -- what was found before ----------------------------------------------------------------------------------------------


#: What takes seconds; tests/bad_input has a smaller one of the kind.
LONG = {"mutual_recursion.py"}


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, id=path.name, marks=[pytest.mark.heavy] if path.name in LONG else []) for path in FOUND],
)
def test_what_was_found(path: Path) -> None:
    holds(path.read_bytes())


#: Statements that Python reads and libcst, cut out, did not: named in brackets of their own, and a form feed in an indentation.
UNOPENED = {
    "named": "import torch\n\nmake = lambda kind: (made := torch.set_default_tensor_type(kind))\n",
    "form feed": "import torch\n\nif torch.set_default_tensor_type(torch.float):\n  \f    a()\n    b()\n",
}


@pytest.mark.parametrize("text", UNOPENED.values(), ids=UNOPENED)
def test_what_cannot_be_opened_is_found_all_the_same(text: str) -> None:
    assert [finding.code for finding in holds(text.encode())] == ["TL905"]


def test_the_corpus_of_the_guided_run() -> None:
    inputs = (HERE / "corpus" / "inputs.txt").read_text(encoding="ascii").splitlines()
    assert len(inputs) > 20
    for line in inputs[::10]:
        run(bytes.fromhex(line))


# -- the large profile --------------------------------------------------------------------------------------------------


@pytest.mark.heavy
@LARGE
@given(SEEDS)
def test_many_programs(seed: int) -> None:
    holds(written(seed))


@pytest.mark.heavy
@LARGE
@given(SEEDS)
def test_many_changed_files(seed: int) -> None:
    holds(changed(seed))


@pytest.mark.heavy
def test_the_whole_corpus_of_the_guided_run() -> None:
    for line in (HERE / "corpus" / "inputs.txt").read_text(encoding="ascii").splitlines():
        run(bytes.fromhex(line))


# -- the tests can fail -------------------------------------------------------------------------------------------------

HANGS = b"import torch.distributed as dist\n\nif dist.get_rank() == 0:\n    dist.barrier()\n"


def test_a_rule_that_raises_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_program: object) -> None:
        raise KeyError

    (rule,) = registry.load(["TL101"])
    monkeypatch.setattr(rule, "finder", fails)
    with pytest.raises(KeyError):
        holds(HANGS)


def test_a_repair_that_breaks_the_file_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> bytes:
        return b"if:\n"

    monkeypatch.setattr("trainlint.edits.notebooks.repaired", broken)
    with pytest.raises(Broken):
        holds(HANGS)


def test_time_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzz.bench.LEAST_SECONDS", 0)
    monkeypatch.setattr("tests.fuzz.bench.SECONDS_A_BYTE", 0)
    with pytest.raises(Broken, match="the analysis took"):
        holds(HANGS)


@pytest.mark.parametrize(("line", "form"), [("  ::error::x", "full"), ("a ##vso[x]", "json"), ("x ##[y]", "concise")])
def test_commands_are_seen(line: str, form: str) -> None:
    assert is_command(line, form)


def test_the_grammar_writes_what_there_is_to_find() -> None:
    texts = [written(seed).decode("utf-8", "surrogatepass") for seed in range(40)]
    for word in ("async def", "match ", "lambda", ":=", "class ", "with ", "try:", "for ", " if ", "f'", "*", "import "):
        assert any(word in text for text in texts), word
    assert len(examples()) > 500


def test_a_failing_input_is_made_small() -> None:
    data = b"a = 1\n" * 50 + b"bad = word(3)\n" + b"b = 2\n" * 50
    assert smaller(data, lambda text: b"word" in text) == b"word"
