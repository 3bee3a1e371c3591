"""Works out at build time what every start would work out anew: the knowledge tables, what each rule needs, and who asks last.

Each part goes into a module ``_prepared.py`` beside what it was made from, with a fingerprint of that: where the sources have
changed since (an edited checkout), the prepared data are passed over. Who asks last is for ``engine/lifetimes.py``, stands beside
that, and has no fingerprint: it is about memory only, and reading every module to compare would cost more than it saves. Version
control ignores these modules; wheels have them. This runs inside builds: it imports nothing but the standard library (and
``tomli`` before Python 3.11).

``python -m trainlint.prepare`` does it for a checkout.
"""

from __future__ import annotations

import ast
import contextlib
import importlib.util
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from trainlint.knowledge import load
from trainlint.rules import registry

_HEAD = '"""Written by trainlint.prepare; do not edit."""\n\n'


def write(package: Path | None = None) -> list[Path]:
    """Write the prepared modules of the package at ``package`` (default: this one) and return their paths."""
    root = package or Path(__file__).resolve().parent
    return [_write_knowledge(root / "knowledge"), _write_needs(root / "rules"), _write_last(root)]


def _write_knowledge(folder: Path) -> Path:
    tables = load.read_tables(folder)
    return _write(folder, {"TABLES: dict[str, dict[str, object]]": tables}, load.fingerprint(folder))


def _write_needs(folder: Path) -> Path:
    needs: dict[str, tuple[str, ...]] = {}
    reads: dict[str, tuple[str, ...]] = {}
    for code, where in registry.modules(folder).items():
        declared = _declared((folder / where.family / where.file).read_text(encoding="utf-8"))
        needed, read = declared.get("needs"), declared.get("reads", ())
        if needed is not None and read is not None:
            needs[code] = needed
            if read:
                reads[code] = read
    declarations = {"NEEDS: dict[str, tuple[str, ...]]": needs, "READS: dict[str, tuple[str, ...]]": reads}
    return _write(folder, declarations, registry.fingerprint(folder))


def _declared(code: str) -> dict[str, tuple[str, ...] | None]:
    """``needs`` and ``reads`` in the declaration ``RULE = Rule(…)``, without running it; None: it is not spelled out."""
    for statement in ast.parse(code).body:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call) and _is_rule(statement.targets):
            keywords = statement.value.keywords
            return {each.arg: _words(each.value) for each in keywords if each.arg in ("needs", "reads")}
    return {}


def _is_rule(targets: Iterable[ast.expr]) -> bool:
    return any(isinstance(target, ast.Name) and target.id == "RULE" for target in targets)


def _words(node: ast.expr) -> tuple[str, ...] | None:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return None
    return value if isinstance(value, tuple) and all(isinstance(word, str) for word in value) else None


def _write_last(root: Path) -> Path:
    return _write(root / "app" / "engine", {"LAST: dict[str, str]": dict(sorted(last_rules(root).items()))})


def last_rules(root: Path) -> dict[str, str]:
    """By module of the package the code of the last rule that reaches it: by imports at run time, wherever they stand."""
    last: dict[str, str] = {}
    for code, where in sorted(registry.modules(root / "rules").items(), reverse=True):
        waiting = [where.module]
        while waiting:
            module = waiting.pop()
            source = _source_of(module, root) if module not in last else None
            if source is not None:
                last[module] = code
                waiting += _imported(ast.parse(source.read_text(encoding="utf-8")).body)
    return last


def _source_of(module: str, root: Path) -> Path | None:
    """The file of a module; None where that is none of the package's."""
    top, *inner = module.split(".")
    path = root.joinpath(*inner)
    files = (path.with_name(f"{path.name}.py"), path / "__init__.py") if top == "trainlint" else ()
    return next((file for file in files if file.is_file()), None)


def _imported(body: Iterable[ast.AST]) -> Iterator[str]:
    """The dotted names that statements import, unless it is for a type checker; of ``from a import b`` both ``a`` and ``a.b``."""
    for statement in body:
        if isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom):
            module = statement.module or ""  # we import nothing by dots
            yield from (module, *(f"{module}.{alias.name}" for alias in statement.names))
        elif isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING":
            yield from _imported(statement.orelse)
        else:
            for part in ("body", "orelse", "handlers", "finalbody", "cases"):
                yield from _imported(getattr(statement, part, ()))


def _write(folder: Path, declarations: Mapping[str, Mapping[str, Any]], fingerprint: str | None = None) -> Path:
    text = _HEAD if fingerprint is None else f"{_HEAD}FINGERPRINT = {fingerprint!r}\n"
    for declaration, data in declarations.items():
        lines = [f"    {key!r}: {value!r},\n" for key, value in data.items()]
        text += f"{declaration} = {{\n{''.join(lines)}}}\n"
    path = folder / "_prepared.py"
    path.write_text(text, encoding="utf-8")
    # Python tells a compiled module that is out of date by second and size: two versions of one second may look alike.
    with contextlib.suppress(OSError):
        Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)
    return path


if __name__ == "__main__":
    for written in write():
        print(written)  # noqa: T201 - a script's answer
