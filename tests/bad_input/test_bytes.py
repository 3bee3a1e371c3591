"""Bytes that are no text, and text whose bytes are unusual: what is said of it, where, and what a repair leaves alone."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from tests.bad_input.running import Found, check, findings_of, write

HANGS = """\
# größe
import torch.distributed as dist


def save(rank):
    größe = "é"  # ü
    if rank == 0:
        dist.barrier()
    return größe


save(dist.get_rank())
"""
REPAIRED = HANGS.replace("    if rank == 0:\n        dist.barrier()\n", "    dist.barrier()\n")

UNREADABLE = {
    "a byte that UTF-8 does not have": (b"import torch\nname = '\xff'\n", 2, "cannot be decoded as utf-8: byte 0xff on line 2"),
    "Latin-1 that does not say so": (
        b"import torch\n\nx = 'gr\xf6\xdfe'\n",
        3,
        "cannot be decoded as utf-8: byte 0xf6 on line 3",
    ),
    "half a character at the end": (b"import torch\n# \xe2\x82", 2, "cannot be decoded as utf-8"),
    "UTF-16": ("import torch\n".encode("utf-16"), 1, "cannot be decoded as utf-8: byte 0xff on line 1"),
    "an encoding that there is not": (b"# coding: utf-88\nimport torch\n", 1, "declares an unknown encoding: utf-88"),
    "an encoding that is no text": (b"# coding: hex\nimport torch\n", 1, "cannot be decoded as hex"),
    "a mark against the comment": (
        codecs.BOM_UTF8 + b"# coding: latin-1\nimport torch\n",
        1,
        "declares the encoding latin-1, but begins with a UTF-8 byte order mark",
    ),
}


class TestUnreadable:
    @pytest.mark.parametrize("name", UNREADABLE)
    def test_the_file_is_named_and_the_others_are_checked(self, tmp_path: Path, name: str) -> None:
        data, line, message = UNREADABLE[name]
        outcome = check(write(tmp_path, {"hostile.py": data}))
        assert findings_of(outcome) == [Found("TL001", line, 1)]
        assert outcome.messages["hostile.py"][0].startswith(f"the file {message}")

    def test_a_null_byte_is_where_it_stands(self, tmp_path: Path) -> None:
        outcome = check(write(tmp_path, {"hostile.py": HANGS.replace("return", "return\0")}))
        assert findings_of(outcome) == [Found("TL001", 9, 11)]
        assert outcome.messages["hostile.py"] == ["syntax error: source code cannot contain null bytes"]

    def test_bytes_that_nobody_would_parse_are_named_too(self, tmp_path: Path) -> None:
        assert findings_of(check(write(tmp_path, {"hostile.py": b"print('\xff')\n"}))) == [Found("TL001", 1, 1)]

    def test_ignoring_the_rule_silences_it(self, tmp_path: Path) -> None:
        outcome = check(write(tmp_path, {"hostile.py": b"\xff"}), tmp_path, "--ignore", "TL001")
        assert findings_of(outcome) == []


def with_form_feeds(text: str) -> str:
    """A form feed before the definition, in the indentation (as some editors mark pages) and alone on a line."""
    return text.replace("def save", "\fdef save").replace("    if rank", "\f    if rank").replace("\n\n\nsave(", "\n\f\n\nsave(")


UNUSUAL = {
    "byte order mark": (codecs.BOM_UTF8 + HANGS.encode(), codecs.BOM_UTF8 + REPAIRED.encode(), Found("TL101", 8, 9)),
    "CRLF": (HANGS.replace("\n", "\r\n").encode(), REPAIRED.replace("\n", "\r\n").encode(), Found("TL101", 8, 9)),
    "lone CR": (HANGS.replace("\n", "\r").encode(), REPAIRED.replace("\n", "\r").encode(), Found("TL101", 8, 9)),
    "mark and CRLF": (
        codecs.BOM_UTF8 + HANGS.replace("\n", "\r\n").encode(),
        codecs.BOM_UTF8 + REPAIRED.replace("\n", "\r\n").encode(),
        Found("TL101", 8, 9),
    ),
    "one CRLF among LFs": (
        HANGS.replace("# ü\n", "# ü\r\n").encode(),
        REPAIRED.replace("# ü\n", "# ü\r\n").encode(),
        Found("TL101", 8, 9),
    ),
    "tabs": (HANGS.replace("    ", "\t").encode(), REPAIRED.replace("    ", "\t").encode(), Found("TL101", 8, 3)),
    "Latin-1 that says so": (
        ("# coding: latin-1\n" + HANGS).encode("latin-1"),
        ("# coding: latin-1\n" + REPAIRED).encode("latin-1"),
        Found("TL101", 9, 9),
    ),
    "blanks at the ends of lines": (
        HANGS.replace("\n\n", "  \n\t\n").encode(),
        REPAIRED.replace("\n\n", "  \n\t\n").encode(),
        Found("TL101", 8, 9),
    ),
}


class TestUnusualBytes:
    @pytest.mark.parametrize("name", UNUSUAL)
    def test_the_finding_has_its_place(self, tmp_path: Path, name: str) -> None:
        before, _, place = UNUSUAL[name]
        assert findings_of(check(write(tmp_path, {"hostile.py": before}))) == [place]

    @pytest.mark.parametrize("name", UNUSUAL)
    def test_a_repair_leaves_all_other_bytes_alone(self, tmp_path: Path, name: str) -> None:
        before, after, _ = UNUSUAL[name]
        write(tmp_path, {"hostile.py": before})
        assert check(tmp_path, "--fix", "--unsafe-fixes", tmp_path).code == 0
        assert (tmp_path / "hostile.py").read_bytes() == after
        assert check(tmp_path, "--fix", "--unsafe-fixes", tmp_path).code == 0
        assert (tmp_path / "hostile.py").read_bytes() == after

    def test_no_newline_at_the_end(self, tmp_path: Path) -> None:
        text = "import torch.distributed as dist\nif dist.get_rank() == 0: dist.barrier()"
        write(tmp_path, {"hostile.py": text})
        assert findings_of(check(tmp_path)) == [Found("TL101", 2, 26)]
        assert check(tmp_path, "--fix", "--unsafe-fixes", tmp_path).code == 0
        assert (tmp_path / "hostile.py").read_bytes() == b"import torch.distributed as dist\ndist.barrier()"

    def test_form_feeds(self, tmp_path: Path) -> None:
        text = with_form_feeds(HANGS)
        assert text.count("\f") == 3
        write(tmp_path, {"hostile.py": text})
        assert findings_of(check(tmp_path)) == [Found("TL101", 8, 9)]
        check(tmp_path, "--fix", "--unsafe-fixes", tmp_path)
        before, after = text.split("\n"), (tmp_path / "hostile.py").read_bytes().decode().split("\n")
        assert [line for line in after if "barrier" not in line] == [
            line for line in before if "barrier" not in line and "if rank" not in line
        ]

    def test_columns_count_characters_and_not_the_mark(self, tmp_path: Path) -> None:
        code = 'import torch.distributed as dist; x = "𝄞é"; dist.barrier() if dist.get_rank() == 0 else None\n'
        outcome = check(write(tmp_path, {"hostile.py": codecs.BOM_UTF8 + code.encode()}))
        assert findings_of(outcome) == [Found("TL101", 1, code.index("dist.barrier") + 1)]

    def test_the_mark_of_a_broken_file_does_not_shift_the_place(self, tmp_path: Path) -> None:
        code = "import torch.distributed as dist; dist.barrier(]\n"
        outcome = check(write(tmp_path, {"hostile.py": codecs.BOM_UTF8 + code.encode()}))
        assert findings_of(outcome) == [Found("TL001", 1, code.index("]") + 1)]
