"""The list of a sweep: what a line may be, and that names lead nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainlint.app.sweep.running import WrongList, repositories, row_of


def test_lines_are_folders_or_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = '# two\n\n  one/a \n{"path": "/b", "name": "me/b", "commit": "abc"}\r\n{"path": "c", "commit": null}\n'
    found = repositories([("list", text), ("folder", row_of("#d"))])
    assert [(each.path, each.name, each.commit, each.stem) for each in found] == [
        (str(tmp_path / "one" / "a"), "a", None, "a"),
        ("/b", "me/b", "abc", "me+b"),
        (str(tmp_path / "c"), "c", None, "c"),
        (str(tmp_path / "#d"), "#d", None, "+d"),
    ]


def test_a_folder_that_is_named_twice_is_checked_once() -> None:
    assert len(repositories([("one", "/a\n/a/\n/b/../a"), ("two", "/a")])) == 1
    with pytest.raises(WrongList, match="two:1: /a is in the list already, with another name or commit"):
        repositories([("one", "/a"), ("two", '{"path": "/a", "commit": "abc"}')])


def test_files_have_different_names_in_whatever_order() -> None:
    paths = ["/x/model", "/y/model", "/z/Model", "/z/other"]
    stems = {each.path: each.stem for each in repositories([("list", "\n".join(paths))])}
    assert len({stem.lower() for stem in stems.values()}) == len(paths)
    assert stems["/z/other"] == "other"
    assert stems == {each.path: each.stem for each in repositories([("list", "\n".join(reversed(paths)))])}


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "..", ".", ".git", "-rf", "a\nb", "a\\b", "C:evil", "x" * 5000, "\x1b[31m", "\udcff"]
)
def test_no_name_leads_out_of_the_folder(name: str) -> None:
    import json

    (found,) = repositories([("list", json.dumps({"path": "/a", "name": name}))])
    assert Path("/results", found.stem + ".sarif").parent == Path("/results")
    assert found.stem[0] not in ".-"
    assert len(found.stem) < 130
    assert found.stem.isascii()
    assert found.stem.isprintable()


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "this is not JSON"),
        ("[" * 100_000, None),
        ('{"path": 3}', "path must be"),
        ('{"name": "x"}', "path must be"),
        ('{"path": "a\\u0000b"}', "path must be"),
        ('{"path": "a", "name": ""}', "name must be"),
        ('{"path": "a", "commit": {}}', "commit must be"),
        ('{"path": "a", "url": "http://x"}', "unknown key 'url'"),
        ('{"path":' * 50_000, "this is not JSON"),
    ],
)
def test_a_wrong_line_is_named(line: str, says: str | None) -> None:
    if says is None:  # a folder with a strange name
        assert len(repositories([("list", line)])) == 1
        return
    with pytest.raises(WrongList, match=f"list:2: .*{says}"):
        repositories([("list", f"/ok\n{line}")])
