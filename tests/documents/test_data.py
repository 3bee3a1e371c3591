"""JSON and YAML with places: values as the parsers have them, and where each stands."""

from __future__ import annotations

import json
import sys

import pytest
import yaml

from trainlint.documents.json_tree import read_json
from trainlint.documents.toml_tree import read_toml
from trainlint.documents.tree import Mapping, Node, Scalar, Sequence, mappings
from trainlint.documents.yaml_tree import read_yaml
from trainlint.finding import Spot

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def plain(node: Node) -> object:
    """A tree as Python has it."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Sequence):
        return [plain(value) for value in node.values]
    return {key: plain(item.value) for key, item in node._by_key.items()}


@pytest.mark.parametrize(
    "text",
    [
        '{"a": [1, 2.5, -1e-3, true, false, null], "b": {"c": "\\u00e4\\n"}, "": ""}',
        "[]",
        "\t{\t}\n",
        '"text"',
        '{"twice": 1, "twice": 2}',
    ],
)
def test_json_is_what_json_is(text: str) -> None:
    root = read_json(text.encode())
    assert root is not None
    assert plain(root) == json.loads(text)


def test_json_may_have_comments() -> None:
    root = read_json(b'// head\n{"a": 1, /* why */ "b": [2 // two\n]}\n// end')
    assert root is not None
    assert plain(root) == {"a": 1, "b": [2]}


@pytest.mark.parametrize("text", ["", "{", '{"a": auto}', "{'a': 1}", '{"a": 1} {"b": 2}', "[" * 5000, '{"a": 1,, }'])
def test_what_is_no_json_is_nothing(text: str) -> None:
    assert read_json(text.encode()) is None


def test_deep_json_ends_somewhere() -> None:
    assert read_json(b"[" * 100 + b"]" * 100) is not None


def test_places_count_bytes_from_nothing_and_lines_from_one() -> None:
    root = read_json('{"é": 1,\n  "b": [true]}'.encode())
    assert isinstance(root, Mapping)
    item = root.item("b")
    assert item is not None
    assert item.key.spot == Spot(2, 2, 2, 5)
    assert item.value.spot == Spot(2, 7, 2, 13)
    assert root.item("é").value.spot == Spot(1, 7, 1, 8)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\nb: [x, 2.5, yes, ~]\nc:\n  - d: 'e'\n    f: |\n      g\n      h\n",
        "base: &base {x: 1, y: 2}\nmore:\n  <<: *base\n  y: 3\n",
        "one: &one {x: 1}\ntwo: &two {x: 2, z: 3}\nmore:\n  <<: [*one, *two]\n",
        "a: 0x10\nb: 1e3\nc: 1.0e+3\nd: 2020-01-01x\ne: on\n",
        "{a: 1, a: 2}",
        "- é: ü\n",
    ],
)
def test_yaml_is_what_pyyaml_makes_of_it(text: str) -> None:
    (root,) = read_yaml(text)
    assert plain(root) == yaml.safe_load(text)


def test_yaml_files_hold_any_number_of_documents() -> None:
    assert [plain(root) for root in read_yaml("a: 1\n---\nb: 2\n...\n")] == [{"a": 1}, {"b": 2}]
    assert read_yaml("") == ()


@pytest.mark.parametrize(
    "text",
    [
        "{{ cookiecutter.name }}: {% if x %}",
        "a: &a [*a]",
        "a: b: c",
        "\t- x",
        "[" * 3000,
        "a: !!int many",
        "? [a, b]\n: - *nowhere",
    ],
)
def test_what_is_no_yaml_is_nothing(text: str) -> None:
    assert read_yaml(text) == ()


def test_nothing_is_constructed() -> None:
    (root,) = read_yaml("a: !!python/object/apply:os.system ['true']\nb: 2001-01-01\nc: !tag x\n")
    assert plain(root) == {"a": ["true"], "b": "2001-01-01", "c": "x"}


def test_aliases_in_aliases_take_no_time() -> None:
    lines = ["a0: &a0 {k: 1}"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    (root,) = read_yaml("\n".join(lines))
    assert sum(1 for _ in mappings(root)) == 2  # the file, and what all aliases lead to


def test_places_in_yaml() -> None:
    (root,) = read_yaml("é:\n  b: 'ü' # c\n  c:\n    - 1\n\nlast: 2\n")
    assert isinstance(root, Mapping)
    inner = root.mapping("é")
    assert inner is not None
    assert inner.item("b").key.spot == Spot(2, 2, 2, 3)  # type: ignore[union-attr]
    assert inner.item("b").value.spot == Spot(2, 5, 2, 9)  # type: ignore[union-attr]
    assert inner.spot == Spot(2, 2, 4, 7)


def test_asking_for_what_is_not_there() -> None:
    root = read_json(b'{"a": {"b": 1}, "c": [1]}')
    assert isinstance(root, Mapping)
    assert root.value("a", "b") == 1
    assert root.at("a", "x") is root.at("c", "b") is root.mapping("c") is root.value("a") is None
    assert "a" in root
    assert "b" not in root


TOML = r"""
title = "a \u00e4" # why
a.b = 1_000
[job]
x = [1, 2.5, # two
 true]
"q k" = 'lit'
hexadecimal = 0xff
inline = {a = 1, b.c = false}
[job.sub]
e = -1
[[many]]
text = '''a
b'''
[[many]]
[many.below]
y = [[1], [{z = 2}]]
"""


def test_toml_is_what_toml_is() -> None:
    root = read_toml(TOML.encode())
    assert root is not None
    assert plain(root) == tomllib.loads(TOML)


@pytest.mark.parametrize("text", ["[", "a = ", "a b = 1", "{}", "a = [1", "= 1"])
def test_what_is_no_toml_is_nothing(text: str) -> None:
    assert read_toml(text.encode()) is None


def test_deep_toml_ends_somewhere() -> None:
    assert read_toml(b"a = " + b"[" * 200 + b"]" * 200) is not None
    assert read_toml(b"a" + b".a" * 5000 + b" = 1") is not None


def test_places_in_toml() -> None:
    root = read_toml("[a]\nb = 1\n[a.c]\n'é' = true\n".encode())
    assert root is not None
    inner = root.mapping("a", "c")
    assert inner is not None
    item = inner.item("é")
    assert item is not None
    assert (item.key.spot, item.value.spot) == (Spot(4, 0, 4, 4), Spot(4, 7, 4, 11))
