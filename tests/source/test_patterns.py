"""Exclude patterns, as in ruff."""

from __future__ import annotations

import time

import pytest

from trainlint.source.discover import Excluder

ROOT = "/home/me/pro[j]ect{1}"


def excludes(pattern: str, path: str) -> bool:
    """Whether the pattern excludes a path of the project, by itself or with a folder it lies in."""
    return Excluder([pattern], ROOT).excludes_with_parents(f"{ROOT}/{path}", ROOT)


@pytest.mark.parametrize(
    ("pattern", "excluded", "kept"),
    [
        ("gen", ["gen", "a/gen", "gen/x.py", "a/gen/b/x.py"], ["gen.py", "agen/x.py"]),
        ("gen/", ["gen/x.py", "a/gen/x.py"], ["gen.py"]),
        ("*_pb2.py", ["x_pb2.py", "a/b/x_pb2.py"], ["x_pb2.pyc", "pb2.py"]),
        ("test_?.py", ["test_a.py"], ["test_.py", "test_ab.py"]),
        ("v[0-9]", ["v1/x.py", "a/v2/x.py"], ["va/x.py"]),
        ("v[!0-9]", ["va/x.py"], ["v1/x.py"]),
        ("{a,b}.py", ["a.py", "x/b.py"], ["c.py", "{a,b}.py"]),
        ("{a{1,2},b}.py", ["a1.py", "a2.py", "b.py"], ["a.py", "1.py"]),
        ("src/gen", ["src/gen/x.py"], ["gen/x.py", "a/src/gen/x.py", "src/gen2/x.py"]),
        ("./src/gen.py", ["src/gen.py"], ["gen.py"]),
        ("src/*.py", ["src/a.py", "src/sub/a.py"], ["a.py", "other/a.py"]),  # the star takes slashes too, as in ruff
        ("src/**/gen.py", ["src/gen.py", "src/a/gen.py", "src/a/b/gen.py"], ["gen.py", "srcgen.py", "src/agen.py"]),
        ("**/gen/*.py", ["gen/x.py", "a/gen/x.py"], ["x.py", "agen/x.py"]),
        ("src/**", ["src/x.py", "src/a/x.py"], ["x.py"]),
        (f"{ROOT}/a.py".replace("[j]", "[[]j]").replace("{", "[{]"), ["a.py"], ["b/a.py"]),
        ("/home/other/a.py", [], ["a.py"]),
        ("a{b", ["a{b/x.py"], ["ab/x.py"]),
        ("a[b", ["a[b/x.py"], ["ab/x.py"]),
        ("", [], ["a.py"]),
    ],
)
def test_pattern(pattern, excluded, kept):
    assert [path for path in excluded if not excludes(pattern, path)] == []
    assert [path for path in kept if excludes(pattern, path)] == []


def test_folders_above_the_project_do_not_count():
    assert not Excluder(["me", "home"], ROOT).excludes_with_parents(f"{ROOT}/a.py", ROOT)
    assert Excluder(["other"], ROOT).excludes_with_parents("/home/other/a.py", ROOT)


@pytest.mark.parametrize(("pattern", "name"), [("*a" * 40 + "b", "a" * 200), ("{a,b}" * 40, "a" * 40), ("x/" + "**/" * 40, "x")])
def test_no_pattern_takes_long(pattern, name):
    begin = time.process_time()
    Excluder([pattern], ROOT).excludes(name, f"{ROOT}/{name}")
    assert time.process_time() - begin < 2
