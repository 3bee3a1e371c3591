"""The house, checked: who may import whom, how large a file may be, what it may be called, and which files come in pairs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
RULE_PAGES = ROOT / "rules"

# The picture. Imports run downwards; neighbours on one line may import each other as long as that makes no circle.
# A part is a module or a folder of trainlint; "" is trainlint/__init__.py. A module belongs to the most exact part.
PICTURE = (
    ("__main__",),
    ("pylint_plugin",),
    ("app",),
    ("app.cli", "app.dev", "app.frontends"),
    ("app.explaining", "app.preflight", "app.sweep"),
    ("app.preflight.lines",),
    ("app.preflight.ending", "app.preflight.logs", "app.preflight.saving"),
    ("app.preflight.evidence",),
    ("app.preflight.jobs",),
    ("app.preflight.running",),
    ("app.preflight.instantiation",),
    ("app.preflight.settings",),
    ("app.preflight.commands",),
    ("app.preflight.values",),
    ("app.preflight.line",),
    ("",),
    ("app.report", "app.engine", "prepare"),
    ("rules",),
    ("authoring",),
    ("rules.api",),
    ("spmd",),
    ("jobs",),
    ("domains",),
    ("flow",),
    ("program",),
    ("ir", "edits"),
    ("source", "knowledge", "config"),
    ("documents",),
    ("codes", "pages", "fingerprint"),
    ("catalogue",),
    ("packages",),
    ("installed",),
    ("edits.changes",),
    ("finding", "globs", "regular"),
)
LAYER = {part: number for number, parts in enumerate(PICTURE) for part in parts}

# What anyone may take from trainlint/__init__.py, however high that stands.
FREE = {"trainlint.__version__"}

LONGEST = 800
# Files that may be longer, each with the reason. One that no longer needs it fails.
LONGER: dict[str, str] = {}

# Names that say nothing about what is inside.
EMPTY_NAMES = {"common", "helper", "helpers", "misc", "util", "utils"}

# What a rule imports when it is loaded; and what it asks, which its functions import, so that loading stays light.
DECLARED = {None, "authoring"}
ASKED = {"program", "flow", "domains", "jobs", "spmd"}

RULE_MODULE = re.compile(r"tl\d{3}(_[a-z0-9]+)+")


class Import(NamedTuple):
    """One imported module or name: the module that imports, the dotted name it imports, the line."""

    importer: str
    target: str
    line: int


def module_name(path: Path, root: Path) -> str:
    """trainlint/app/engine/__init__.py is "trainlint.app.engine"."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def import_statements(data: bytes) -> list[ast.Import | ast.ImportFrom]:
    """The import statements in the text of a file; five tests ask for those of all our files."""
    return [node for node in ast.walk(ast.parse(data)) if isinstance(node, (ast.Import, ast.ImportFrom))]


def imports_of(path: Path, root: Path) -> Iterator[Import]:
    """Every import of a file, wherever it stands: in a function or only for the type checker, an arrow is an arrow."""
    importer = module_name(path, root)
    package = importer if path.name == "__init__.py" else importer.rpartition(".")[0]
    for node in import_statements(path.read_bytes()):
        if isinstance(node, ast.Import):
            yield from (Import(importer, alias.name, node.lineno) for alias in node.names)
        else:
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, *filter(None, [base])])
            yield from (Import(importer, f"{base}.{alias.name}", node.lineno) for alias in node.names)


def part_of(name: str) -> str | None:
    """The part of the picture a dotted name belongs to; None when it is in no part (and for what is not trainlint)."""
    top, *inner = name.split(".")
    if top != "trainlint":
        return None
    for end in range(len(inner), 0, -1):
        if ".".join(inner[:end]) in LAYER:
            return ".".join(inner[:end])
    return "" if len(inner) <= 1 else None


def modules(root: Path = ROOT) -> list[Path]:
    return sorted((root / "trainlint").rglob("*.py"))


def arrows(root: Path = ROOT) -> dict[tuple[str, str], list[Import]]:
    """From part to part: the imports that make the arrow."""
    drawn: dict[tuple[str, str], list[Import]] = {}
    for found in (found for path in modules(root) for found in imports_of(path, root)):
        importer, target = part_of(found.importer), part_of(found.target)
        if importer is not None and target is not None and importer != target and found.target not in FREE:
            drawn.setdefault((importer, target), []).append(found)
    return drawn


def circles(edges: Iterable[tuple[str, str]]) -> set[str]:
    """The nodes that lie on a circle or lead only to one: what is left when nodes without a way on are taken off."""
    onward: dict[str, set[str]] = {}
    for start, end in edges:
        onward.setdefault(start, set()).add(end)
    while True:
        done = {start for start, ends in onward.items() if not ends & onward.keys()}
        if not done:
            return set(onward)
        onward = {start: ends for start, ends in onward.items() if start not in done}


def drawing(drawn: Mapping[tuple[str, str], list[Import]]) -> str:
    """The picture as it really is, one line for each part, highest first."""
    lines = []
    for part, layer in LAYER.items():
        targets = sorted((end for start, end in drawn if start == part), key=LAYER.__getitem__)
        lines.append(f"  {layer:2} {part or 'trainlint'} -> {', '.join(end or 'trainlint' for end in targets) or 'nothing'}")
    return "\n".join(lines)


def turned_round(root: Path = ROOT) -> list[str]:
    """What is wrong with the imports: arrows that go up, and neighbours that import each other in a circle."""
    drawn = arrows(root)
    wrong = [
        f"{found.importer}:{found.line} imports {found.target}, which lies above it"
        for (start, end), imports in drawn.items()
        if LAYER[start] > LAYER[end]
        for found in imports
    ]
    level = [(start, end) for start, end in drawn if LAYER[start] == LAYER[end]]
    return wrong + [f"{part} is in a circle with its neighbours" for part in sorted(circles(level))]


def libcst_outside_edits(root: Path = ROOT) -> list[str]:
    return [
        f"{found.importer}:{found.line}"
        for path in modules(root)
        for found in imports_of(path, root)
        if found.target.split(".")[0] == "libcst" and part_of(found.importer) not in {"edits", "edits.changes"}
    ]


def rule_modules(root: Path = ROOT) -> list[Path]:
    """The modules of rules: those in the families' folders whose names do not begin with an underscore."""
    return sorted(path for path in (root / "trainlint" / "rules").glob("*/*.py") if not path.name.startswith("_"))


def foreign_imports_of_rules(root: Path = ROOT) -> list[str]:
    """What rules import of trainlint besides the one import they need; in functions, or for types, what they ask may be there."""
    return [
        f"{found.importer}:{found.line} imports {found.target}"
        for path in rule_modules(root)
        for found in imports_of(path, root)
        if part_of(found.target) not in (DECLARED if found.line in loaded_by(path) else DECLARED | ASKED)
    ]


def loaded_by(path: Path) -> set[int]:
    """The lines of the imports that run when a file is loaded."""
    pending: list[ast.AST] = [ast.parse(path.read_bytes())]
    lines: set[int] = set()
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            lines.add(node.lineno)
        elif isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            pending += node.orelse
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            pending += ast.iter_child_nodes(node)
    return lines


def unpaired_rules(root: Path = ROOT) -> set[str]:
    """Rule modules without a page of the same family and stem, and pages without a module."""
    code = {f"{path.parent.name}/{path.stem}" for path in rule_modules(root)}
    pages = {f"{path.parent.name}/{path.stem.lower().replace('-', '_')}" for path in (root / "rules").glob("*/TL*.md")}
    return code ^ pages


def too_long(root: Path = ROOT) -> set[str]:
    def length(path: Path) -> int:
        return len(path.read_text(encoding="utf-8").splitlines())

    written = (path for path in modules(root) if path.name != "_prepared.py")  # that one is made: one line for each table
    return {path.relative_to(root).as_posix() for path in written if length(path) > LONGEST}


def empty_names(root: Path = ROOT) -> set[str]:
    named = [path for path in (root / "trainlint").rglob("*") if path.is_dir() or path.suffix == ".py"]
    return {path.relative_to(root).as_posix() for path in named if path.stem.strip("_") in EMPTY_NAMES}


def wrong_tables(root: Path = ROOT) -> set[str]:
    """Files that the table in the README of their package does not name, and those that it names and that are not there."""
    wrong: set[str] = set()
    for readme in (root / "trainlint").rglob("README.md"):
        cells = re.findall(r"^\| (`[^|]*) \|", readme.read_text(encoding="utf-8"), re.MULTILINE)
        named = {name for cell in cells for name in re.findall(r"`(?:\w+/)?(\w+\.py)`", cell)}
        written = {path.name for path in readme.parent.rglob("*.py")} - {"__init__.py", "_prepared.py"}
        wrong |= {f"{readme.relative_to(root).as_posix()}: {name}" for name in named ^ written} if named else set()
    return wrong


# ---- the house as it stands -----------------------------------------------------------------------------------------


def test_every_module_is_in_the_picture() -> None:
    names = [module_name(path, ROOT) for path in modules()]
    assert len(names) > 10
    assert [name for name in names if part_of(name) is None or (part_of(name) == "" and name != "trainlint")] == []


def test_imports_run_downwards() -> None:
    assert turned_round() == [], "the arrows are now:\n" + drawing(arrows())


def test_only_edits_knows_libcst() -> None:
    assert libcst_outside_edits() == []


def test_a_rule_imports_authoring_and_in_functions_what_it_asks() -> None:
    assert foreign_imports_of_rules() == []


def test_a_rule_is_a_module_and_a_page_of_the_same_stem() -> None:
    assert rule_modules()
    assert [path.name for path in rule_modules() if not RULE_MODULE.fullmatch(path.stem)] == []
    assert unpaired_rules() == set()


def test_no_code_is_used_twice() -> None:
    codes = [page.name.split("-")[0] for page in RULE_PAGES.glob("*/TL*.md")]
    assert len(codes) == len(set(codes))


def test_files_stay_short() -> None:
    """Both ways: a file that grew too long, and an exception in LONGER that is not needed any more."""
    assert too_long() == set(LONGER)


def test_names_say_what_is_inside() -> None:
    assert empty_names() == set()


def test_readmes_name_the_files_of_their_packages() -> None:
    assert wrong_tables() == set()


# ---- the checks can fail --------------------------------------------------------------------------------------------


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A small house in which everything is right."""
    files = {
        "__init__.py": "__version__ = '0'\n",
        "finding.py": "",
        "app/engine/__init__.py": "from trainlint import __version__\n",
        "app/engine/driver.py": "import libc\nfrom trainlint.rules import registry\nfrom . import cache\n",
        "app/engine/cache.py": "",
        "rules/__init__.py": "",
        "rules/registry.py": "",
        "rules/api.py": "from trainlint.program.program import Program\n",
        "rules/data/__init__.py": "",
        "rules/data/tl299_some_name.py": (
            "from trainlint.authoring import Rule\n"
            "if TYPE_CHECKING:\n    from trainlint.program.program import Program\n"
            "def find(asked):\n    from trainlint.program import program\n"
        ),
        "authoring.py": "from trainlint.rules.api import Rule\n",
        "program/__init__.py": "",
        "program/program.py": "from trainlint.finding import Spot\n",
        "edits/__init__.py": "",
        "edits/open.py": "def parse():\n    import libcst.matchers\n",
    }
    for name, text in files.items():
        path = tmp_path / "trainlint" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    page = tmp_path / "rules" / "data" / "TL299-some-name.md"
    page.parent.mkdir(parents=True)
    page.write_text("")
    return tmp_path


def problems(house: Path) -> list[object]:
    checks = (turned_round, libcst_outside_edits, foreign_imports_of_rules, unpaired_rules, too_long, empty_names, wrong_tables)
    return [problem for check in checks for problem in check(house)]


def test_nothing_is_wrong_with_a_right_house(house: Path) -> None:
    assert problems(house) == []
    assert ("app.engine", "rules") in arrows(house)
    assert "app.engine -> rules" in drawing(arrows(house))


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        ("program/program.py", "import trainlint.app.engine.driver\n", "program.program:1 imports trainlint.app.engine.driver"),
        (
            "program/program.py",
            "def f():\n    from ..app.engine import cache\n",
            "program.program:2 imports trainlint.app.engine.cache",
        ),
        ("program/__init__.py", "from ..app import engine\n", "program:1 imports trainlint.app.engine"),
        ("program/program.py", "from trainlint import check_paths\n", "program.program:1 imports trainlint.check_paths"),
        ("finding.py", "if TYPE_CHECKING:\n    import trainlint.program\n", "finding:2 imports trainlint.program"),
        ("app/engine/cache.py", "from libcst import parse_module\n", "app.engine.cache:1"),
        ("rules/api.py", "from trainlint.rules import registry\n", "rules.api:1 imports trainlint.rules.registry"),
        ("rules/data/tl299_some_name.py", "from trainlint import program\n", "rules.data.tl299_some_name:1 imports"),
        ("rules/data/tl299_some_name.py", "if x:\n    import trainlint.program\n", "rules.data.tl299_some_name:2 imports"),
        ("rules/data/tl299_some_name.py", "class A:\n    from trainlint import spmd\n", "rules.data.tl299_some_name:2 imports"),
        ("rules/data/tl299_some_name.py", "def f():\n    import trainlint.edits\n", "rules.data.tl299_some_name:2 imports"),
        ("rules/data/tl298_no_page.py", "", "data/tl298_no_page"),
        ("app/engine/cache.py", "\n" * (LONGEST + 1), "trainlint/app/engine/cache.py"),
        ("app/engine/utils.py", "", "trainlint/app/engine/utils.py"),
        ("app/engine/_helpers/__init__.py", "", "trainlint/app/engine/_helpers"),
        ("app/engine/README.md", "| `driver.py` | |\n", "trainlint/app/engine/README.md: cache.py"),
        ("app/engine/README.md", "| `driver.py`, `cache.py` | |\n| `gone.py` | |\n", "trainlint/app/engine/README.md: gone.py"),
    ],
)
def test_what_is_wrong_is_found(house: Path, file: str, text: str, expected: str) -> None:
    path = house / "trainlint" / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    (problem,) = problems(house)
    assert str(problem).removeprefix("trainlint.").startswith(expected)


def test_neighbours_may_not_go_in_circles(house: Path) -> None:
    ir = house / "trainlint" / "ir"
    ir.mkdir()
    (ir / "__init__.py").write_text("from trainlint.edits import open\n")
    assert problems(house) == []
    (house / "trainlint" / "edits" / "__init__.py").write_text("from trainlint import ir\n")
    assert problems(house) == ["edits is in a circle with its neighbours", "ir is in a circle with its neighbours"]


def test_a_page_without_a_module_is_found(house: Path) -> None:
    (house / "rules" / "data" / "TL297-lonely.md").write_text("")
    assert problems(house) == ["data/tl297_lonely"]
