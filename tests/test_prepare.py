"""What the build prepares says the same as what it was made from, and is passed over when that has changed."""

from __future__ import annotations

import importlib
import importlib.util
import os
import py_compile
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from trainlint import prepare
from trainlint.knowledge import load
from trainlint.rules import registry

PACKAGE = Path(prepare.__file__).parent


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package, without what may have been prepared in it."""
    copy = tmp_path / "trainlint"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "_prepared.py"))
    return copy


def module_at(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("prepared", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_tables_are_those_of_the_toml_files(package: Path) -> None:
    knowledge, _, _ = prepare.write(package)
    assert knowledge == package / "knowledge" / "_prepared.py"
    module = module_at(knowledge)
    assert load.read_tables(PACKAGE / "knowledge") == module.TABLES
    assert module.TABLES["collectives"]
    assert load.fingerprint(PACKAGE / "knowledge") == module.FINGERPRINT


def test_the_needs_are_those_that_the_rules_declare(package: Path) -> None:
    _, rules, _ = prepare.write(package)
    assert rules == package / "rules" / "_prepared.py"
    module = module_at(rules)
    assert {rule.code: rule.needs for rule in registry.load(registry.built())} == module.NEEDS
    assert module.NEEDS["TL101"]
    assert module.READS["TL922"] == ("deepspeed",)
    assert registry.fingerprint(PACKAGE / "rules") == module.FINGERPRINT


def test_the_last_rule_to_ask_is_the_last_that_reaches_a_module(tmp_path: Path) -> None:
    """Of a package with three rules: imports lead on, wherever they stand, unless only a type checker sees them."""
    package = tmp_path / "trainlint"
    files = {
        "rules/data/tl201_first.py": "import os\nfrom trainlint.domains import early, shared\n",
        "rules/data/tl202_second.py": "def find(program):\n    from trainlint.domains.late import Late\n",
        "rules/loop/tl701_last.py": "if TYPE_CHECKING:\n    import trainlint.domains.early\nelse:\n    import trainlint.flow\n",
        "domains/early.py": "",
        "domains/late.py": "try:\n    import trainlint.domains.deep\nexcept ImportError:\n    import trainlint.gone\n",
        "domains/deep.py": "from trainlint.domains.late import Late\nfrom trainlint.domains.shared import Shared\n",
        "domains/shared.py": "",
        "domains/nobody.py": "import trainlint.flow\n",
        "flow/__init__.py": "",
    }
    for name, text in files.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text)
    assert prepare.last_rules(package) == {
        "trainlint.rules.data.tl201_first": "TL201",
        "trainlint.rules.data.tl202_second": "TL202",
        "trainlint.rules.loop.tl701_last": "TL701",
        "trainlint.domains.early": "TL201",
        "trainlint.domains.late": "TL202",
        "trainlint.domains.deep": "TL202",
        "trainlint.domains.shared": "TL202",
        "trainlint.flow": "TL701",
    }


def test_the_last_rules_are_prepared(package: Path) -> None:
    _, _, engine = prepare.write(package)
    assert engine == package / "app" / "engine" / "_prepared.py"
    last = module_at(engine).LAST
    assert prepare.last_rules(PACKAGE) == last
    assert last["trainlint.program.call_graph"] == max(registry.shipped())


def test_writing_again_changes_nothing(package: Path) -> None:
    before = [path.read_bytes() for path in prepare.write(package)]
    assert [path.read_bytes() for path in prepare.write(package)] == before


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('RULE = Rule(code="TL1", needs=("a", "b"))\n', ("a", "b")),
        ("import x\nRULE = Rule(needs=())\n", ()),
        ("RULE = Rule(needs=NEEDS)\n", None),
        ('RULE = Rule(needs=["a"])\n', None),
        ('RULE = Rule(needs=("a", 3))\n', None),
        ('OTHER = Rule(needs=("a",))\n', None),
        ("RULE = None\n", None),
    ],
)
def test_needs_are_read_only_where_they_are_spelled_out(code: str, expected: tuple[str, ...] | None) -> None:
    assert prepare._declared(code).get("needs") == expected


def test_a_fingerprint_changes_with_every_file(package: Path) -> None:
    known = {load.fingerprint(package / "knowledge"), registry.fingerprint(package / "rules")}
    assert len(known) == 2
    toml = package / "knowledge" / "torch.toml"
    toml.write_text(toml.read_text() + "\n")
    rule = package / "rules" / "data" / "tl201_missing_set_epoch.py"
    rule.write_text(rule.read_text() + "\n")
    changed = {load.fingerprint(package / "knowledge"), registry.fingerprint(package / "rules")}
    assert not changed & known
    toml.rename(toml.with_name("torch2.toml"))
    rule.rename(rule.with_name("tl299_other.py"))
    assert not {load.fingerprint(package / "knowledge"), registry.fingerprint(package / "rules")} & (known | changed)


def prepared_as(monkeypatch: pytest.MonkeyPatch, name: str, **content: object) -> None:
    module = ModuleType(name)
    module.__dict__.update(content)
    monkeypatch.setitem(sys.modules, name, module)


def test_fresh_data_are_used_and_stale_data_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = load.fingerprint(PACKAGE / "knowledge")
    tables = {**load.read_tables(PACKAGE / "knowledge"), "exits": {"names": ["mylib.leave"]}}
    prepared_as(monkeypatch, "trainlint.knowledge._prepared", FINGERPRINT=fresh, TABLES=tables)
    assert load.load_knowledge().exits == {"mylib.leave"}
    prepared_as(monkeypatch, "trainlint.knowledge._prepared", FINGERPRINT="stale", TABLES=tables)
    assert "sys.exit" in load.load_knowledge().exits

    fresh = registry.fingerprint(PACKAGE / "rules")
    prepared_as(monkeypatch, "trainlint.rules._prepared", FINGERPRINT=fresh, NEEDS={"TL201": ("mine",)})
    assert registry.needs(["TL201"]) == {"TL201": ("mine",)}
    assert set().union(*registry.needs(["TL101", "TL201", "TL999"]).values()) == {"collective", "mine", "rank"}
    prepared_as(monkeypatch, "trainlint.rules._prepared", FINGERPRINT="stale", NEEDS={"TL201": ("mine",)})
    assert registry.needs(["TL201"]) == {"TL201": ("distributed-sampler",)}


@pytest.mark.skipif(sys.version_info < (3, 11), reason="needs tomli there, which is no part of the standard library")
def test_a_build_has_only_the_standard_library(package: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(package.parent)}
    done = subprocess.run(
        [sys.executable, "-S", "-m", "trainlint.prepare"],
        cwd=package.parent,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    written = [Path(line) for line in done.stdout.splitlines()]
    assert written == [package / folder / "_prepared.py" for folder in ("knowledge", "rules", "app/engine")]
    assert all(path.is_file() for path in written)


def test_what_was_compiled_before_is_gone(package: Path) -> None:
    """Two versions of one second and one size look alike to Python, which would run the older one."""
    knowledge, _, _ = prepare.write(package)
    compiled = Path(py_compile.compile(str(knowledge), doraise=True))
    assert compiled.exists()
    prepare.write(package)
    assert not compiled.exists()


def test_tables_are_made_once_and_what_a_user_adds_is_no_part_of_them() -> None:
    plain = load.load_knowledge()
    words = plain.words("collective")
    ours = load.load_knowledge({"collectives": {"mylib.dist.sync_everything": -1}})
    assert "mylib.dist.sync_everything" in ours.collectives
    assert b"sync_everything" in ours.words("collective")
    assert load.load_knowledge() is plain
    assert "mylib.dist.sync_everything" not in plain.collectives
    assert plain.words("collective") == words
    assert b"sync_everything" not in words
