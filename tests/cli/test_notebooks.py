"""Notebooks, checked, suppressed and repaired by the real program; every byte that nobody had to change is compared."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.cli.driven import ROOT, check, environment, found, trainlint

SETUP = """\
import torch
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler
sampler = DistributedSampler(dataset)
loader = DataLoader(dataset, sampler=sampler)
model, criterion = torch.nn.Linear(2, 2), torch.nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), 0.1)"""
LOOP = """\
losses = []
for epoch in range(10):
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss)"""
RESET, DETACHED = "    sampler.set_epoch(epoch)\n", "losses.append(loss.detach())"
FIXED = LOOP.replace("range(10):\n", "range(10):\n" + RESET).replace("losses.append(loss)", DETACHED)
# What a repair must not touch: outputs, counts, metadata, in every spelling that JSON allows.
OUTPUTS = [
    {"name": "stdout", "output_type": "stream", "text": ["losses.append(loss) é \u001b[31m1/2\u001b[0m\n"]},
    {"data": {"text/plain": "NaN"}, "execution_count": 3, "metadata": {}, "output_type": "execute_result"},
]


def code(source: str | list[str], **more: Any) -> dict[str, Any]:
    return {"cell_type": "code", "execution_count": 3, "metadata": {"é": [1.50]}, "outputs": OUTPUTS, "source": source} | more


def text(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": source.splitlines(keepends=True)}


def notebook(*cells: dict[str, Any], **more: Any) -> dict[str, Any]:
    about = {"kernelspec": {"name": "python3", "language": "python"}, "language_info": {"name": "python"}}
    return {"cells": list(cells), "metadata": about, "nbformat": 4, "nbformat_minor": 5} | more


def lines(source: str) -> list[str]:
    return source.splitlines(keepends=True)


def write(path: Path, content: dict[str, Any], **style: Any) -> bytes:
    """Write a notebook as Jupyter does, unless told otherwise, and return its bytes."""
    end = style.pop("end", "\n")
    newline = style.pop("newline", "\n")
    style = {"indent": 1, "ensure_ascii": False} | style
    data: bytes = (json.dumps(content, **style).replace("\n", newline) + end).encode()
    path.write_bytes(data)
    return data


def source_of(path: Path, cell: int) -> Any:
    return json.loads(path.read_bytes())["cells"][cell - 1]["source"]


BASE = (text("# Träining\nlosses.append(loss)"), code(lines(SETUP)), code(lines(LOOP)))

# Each style: the notebook, how its JSON is written, the text that is replaced in its bytes, and what stands there then.
STYLES: dict[str, tuple[dict[str, Any], dict[str, Any], list[tuple[str, str]]]] = {
    "jupyter": (
        notebook(*BASE),
        {},
        [
            (
                '    "for epoch in range(10):\\n",\n',
                '    "for epoch in range(10):\\n",\n    "    sampler.set_epoch(epoch)\\n",\n',
            ),
            ('    "        losses.append(loss)"\n', '    "        losses.append(loss.detach())"\n'),
        ],
    ),
    "colab, with ids and other keys, indented by two, no newline at the end": (
        notebook(
            BASE[0] | {"id": "a"},
            {"id": "b", "cell_type": "code", "source": lines(SETUP)},
            {"source": lines(LOOP), "id": "c", "cell_type": "code"},
        ),
        {"indent": 2, "end": ""},
        [
            ('range(10):\\n",\n', 'range(10):\\n",\n        "    sampler.set_epoch(epoch)\\n",\n'),
            ('"        losses.append(loss)"\n', '"        losses.append(loss.detach())"\n'),
        ],
    ),
    "sources that are one string": (
        notebook(BASE[0], code(SETUP), code(LOOP + "\n"), nbformat_minor=2),
        {},
        [
            ("range(10):\\n", "range(10):\\n    sampler.set_epoch(epoch)\\n"),
            ("        losses.append(loss)\\n", "        losses.append(loss.detach())\\n"),
        ],
    ),
    "all on one line, escapes": (
        notebook(*BASE),
        {"indent": None, "separators": (",", ":"), "ensure_ascii": True},
        [
            ('range(10):\\n",', 'range(10):\\n","    sampler.set_epoch(epoch)\\n",'),
            ('"        losses.append(loss)"]', '"        losses.append(loss.detach())"]'),
        ],
    ),
    "windows line ends in the file": (
        notebook(*BASE),
        {"newline": "\r\n"},
        [
            ('range(10):\\n",\r\n', 'range(10):\\n",\r\n    "    sampler.set_epoch(epoch)\\n",\r\n'),
            ('"        losses.append(loss)"\r\n', '"        losses.append(loss.detach())"\r\n'),
        ],
    ),
    "windows line ends in the code": (
        notebook(BASE[0], code(lines(SETUP.replace("\n", "\r\n"))), code(lines(LOOP.replace("\n", "\r\n")))),
        {},
        [
            ('range(10):\\r\\n",\n', 'range(10):\\r\\n",\n    "    sampler.set_epoch(epoch)\\r\\n",\n'),
            ('"        losses.append(loss)"\n', '"        losses.append(loss.detach())"\n'),
        ],
    ),
    "magics, shell lines, other languages, await": (
        notebook(
            text("# Title"),
            code(lines("%matplotlib inline\n!pip install torch  # losses.append(loss)\n%load_ext autoreload\n" + SETUP)),
            code(lines("%%bash\nfor epoch in range(10):\n  losses.append(loss)")),
            code(lines("await start()\nfiles = !ls\n%time fit(1)\nmodel?")),
            code(lines("%%time\n" + LOOP + "\n!nvidia-smi\nawait stop()")),
        ),
        {},
        [
            (
                '    "losses = []\\n",\n    "for epoch in range(10):\\n",\n',
                '    "losses = []\\n",\n    "for epoch in range(10):\\n",\n    "    sampler.set_epoch(epoch)\\n",\n',
            ),
            ('    "        losses.append(loss)\\n",\n', '    "        losses.append(loss.detach())\\n",\n'),
        ],
    ),
}


@pytest.fixture(scope="module")
def styles(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, bytes]]:
    """A notebook for each style, repaired by one run; and the bytes that each had before."""
    folder = tmp_path_factory.mktemp("styles")
    before = {}
    for number, (style, (content, form, _)) in enumerate(STYLES.items()):
        (folder / str(number)).mkdir()
        before[style] = write(folder / str(number) / "nb.ipynb", content, **form)
    done = check(folder, "--fix")
    assert done.stdout.endswith("(14 fixed, 0 remaining).\n"), done.stdout
    assert done.returncode == 0
    return folder, before


@pytest.mark.parametrize("style", STYLES)
def test_a_repair_changes_the_lines_that_are_repaired_and_no_other_byte(
    styles: tuple[Path, dict[str, bytes]], style: str
) -> None:
    folder, before = styles
    expected = before[style].decode()
    for old, new in STYLES[style][2]:
        assert expected.count(old) == 1, old
        expected = expected.replace(old, new)
    after = (folder / str(list(STYLES).index(style)) / "nb.ipynb").read_bytes().decode()
    assert after == expected


@pytest.mark.heavy
def test_a_second_run_changes_nothing(styles: tuple[Path, dict[str, bytes]]) -> None:
    folder, _ = styles
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.rglob("*.ipynb")}
    done = check(folder, "--fix")
    assert (done.returncode, done.stdout) == (0, "All checks passed!\n")
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in before} == before


@pytest.mark.heavy
def test_spellings_of_json_that_mean_the_same_stay_as_they_are(tmp_path: Path) -> None:
    """Escaped slashes, escapes of letters, halves of characters, duplicate spaces, numbers as they were written."""
    path = tmp_path / "nb.ipynb"
    plain = write(path, notebook(code(lines(SETUP)), code(lines(LOOP.replace("losses = []", "losses = []  # a/b é 😀")))))
    odd = plain.decode()
    odd = (
        odd.replace("a/b é 😀", "a\\/b \\u00e9 \\ud83d\\ude00")
        .replace('"nbformat": 4', '"nbformat" :  4')
        .replace("1.5\n", "1.50e0\n")
    )
    odd = odd.replace("        loss.backward", "\\u0020       loss.backward")
    path.write_bytes(odd.encode())
    assert check(tmp_path, "--fix").returncode == 0
    expected = odd.replace('range(10):\\n",\n', 'range(10):\\n",\n    "    sampler.set_epoch(epoch)\\n",\n')
    assert path.read_bytes().decode() == expected.replace('losses.append(loss)"', 'losses.append(loss.detach())"')


@pytest.mark.heavy
def test_what_is_not_a_number_does_not_stop_a_repair(tmp_path: Path) -> None:
    path = tmp_path / "nb.ipynb"
    write(path, notebook(code(lines(SETUP), outputs=[{"loss": float("nan")}]), code(lines(LOOP))))
    assert check(tmp_path, "--fix").returncode == 0
    assert "NaN" in path.read_text(encoding="utf-8")


@pytest.mark.heavy
@pytest.mark.parametrize("escaped", [True, False])
def test_new_words_are_written_as_the_notebook_writes_its_own(tmp_path: Path, escaped: bool) -> None:
    path = tmp_path / "nb.ipynb"
    write(
        path,
        notebook(code(lines(SETUP.replace("sampler =", "größe =").replace("=sampler", "=größe"))), code(lines(LOOP))),
        ensure_ascii=escaped,
    )
    assert check(tmp_path, "--fix", "--select", "TL201").returncode == 0
    assert ("    gr\\u00f6\\u00dfe.set_epoch(epoch)\\n" if escaped else "    größe.set_epoch(epoch)\\n") in path.read_text(
        encoding="utf-8"
    )


class TestCells:
    def test_a_repair_in_two_cells_is_made_in_both(self, tmp_path: Path) -> None:
        """The loader gets a sampler, the loop tells it the epoch: each edit says in which cell it is."""
        setup = """\
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler
from torchvision import datasets
dist.init_process_group("nccl")
torch.manual_seed(0)
dataset = datasets.ImageFolder("train")
loader = DataLoader(dataset, batch_size=4, shuffle=True)"""
        loop = """\
model = DistributedDataParallel(torch.nn.Linear(2, 2).cuda())
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()"""
        path = tmp_path / "nb.ipynb"
        write(path, notebook(code(lines(setup)), text("and"), code(lines(loop))))
        one, *more = found(tmp_path, "--select", "TL202", "--unsafe-fixes")
        assert not more
        assert sorted({edit["cell"] for edit in one["fix"]["edits"]}) == [1, 3]
        assert [edit["location"]["row"] for edit in sorted(one["fix"]["edits"], key=lambda edit: edit["cell"])] == [10, 3]
        shown = trainlint(tmp_path, "check", "--isolated", "--select", "TL202").stdout
        assert "in cell 3:" in shown
        assert "+     loader.sampler.set_epoch(epoch)" in shown
        assert check(tmp_path, "--select", "TL202", "--fix", "--unsafe-fixes").returncode == 0
        assert "DistributedSampler(dataset" in "".join(source_of(path, 1))
        assert source_of(path, 3)[3] == "    loader.sampler.set_epoch(epoch)\n"

    def test_an_edit_at_the_edge_of_a_cell_stays_in_it(self, tmp_path: Path) -> None:
        """Whole lines go, at the start, at the end, and all there are: never with a piece of the cell beside it."""
        path = tmp_path / "nb.ipynb"
        comment = "# trainlint: ignore[TL301]"
        cells = [
            f"{comment}\nx = 1",
            f"y = 1\n{comment}",
            comment,
            f"{comment}\n",
            f"%matplotlib inline\n{comment}\n!ls",
            f"z = 1\n{comment}\n",
        ]
        write(path, notebook(*(code(lines(cell)) for cell in cells)))
        done = check(tmp_path, "--fix")
        assert (done.returncode, done.stdout) == (0, "Found 6 findings (6 fixed, 0 remaining).\n")
        after = ["".join(source_of(path, number)) for number in range(1, 7)]
        assert after == ["x = 1", "y = 1", "", "", "%matplotlib inline\n!ls", "z = 1\n"]
        assert source_of(path, 3) == []

    @pytest.mark.heavy
    def test_nothing_that_stands_for_a_magic_is_repaired(self, tmp_path: Path) -> None:
        path = tmp_path / "nb.ipynb"
        timed = LOOP.replace("losses.append(loss)", "%time losses.append(loss)")
        before = write(path, notebook(code(lines(SETUP)), code(lines(timed))))
        one = next(each for each in found(tmp_path) if each["code"] == "TL301")
        assert (one["cell"], one["location"]["row"], one["fix"]) == (2, 8, None)
        assert check(tmp_path, "--fix", "--select", "TL301").returncode == 1
        assert path.read_bytes() == before

    @pytest.mark.heavy
    def test_no_repair_crosses_cells(self, tmp_path: Path) -> None:
        """A block that an open bracket draws into the next cell: the call in it would have to move out of both."""
        path = tmp_path / "nb.ipynb"
        block = "import torch.distributed as dist\nrank = dist.get_rank()\nif rank == 0:\n    dist.all_reduce("
        before = write(path, notebook(code(lines(block)), code(["loss\n", ")"])))
        (one,) = found(tmp_path)
        assert (one["code"], one["cell"], one["fix"]) == ("TL101", 1, None)
        assert check(tmp_path, "--fix", "--unsafe-fixes").returncode == 1
        assert path.read_bytes() == before
        whole = block + "loss\n)"
        write(path, notebook(code(lines(whole)), code("done = True")))
        assert check(tmp_path, "--fix", "--unsafe-fixes").returncode == 0
        assert "".join(source_of(path, 1)).endswith("\ndist.all_reduce(loss\n)")

    @pytest.mark.heavy
    def test_comments_suppress_in_their_cell(self, tmp_path: Path) -> None:
        append = "losses.append(loss)"
        silent = LOOP.replace(append, f"{append}  # trainlint: ignore[TL301]").replace("(10):", "(10):  # noqa: TL201")
        write(tmp_path / "nb.ipynb", notebook(code(lines(SETUP)), code(lines(silent)), code(lines(LOOP))))
        assert {each["cell"] for each in found(tmp_path)} == {3}
        write(
            tmp_path / "nb.ipynb", notebook(code(lines(SETUP)), code(lines(LOOP)), code("# trainlint: ignore-file[TL201, TL301]"))
        )
        assert check(tmp_path).returncode == 0

    @pytest.mark.heavy
    def test_comments_are_added_cell_by_cell(self, tmp_path: Path) -> None:
        path = tmp_path / "nb.ipynb"
        before = write(path, notebook(*BASE, code(lines("%%time\n" + LOOP)))).decode()
        done = check(tmp_path, "--add-ignore")
        assert (done.returncode, done.stderr) == (0, "Added 4 suppression comments for 4 findings.\n")
        expected = before.replace('range(10):\\n"', 'range(10):  # trainlint: ignore[TL201]\\n"')
        assert path.read_bytes().decode() == expected.replace(
            '     losses.append(loss)"', '     losses.append(loss)  # trainlint: ignore[TL301]"'
        )
        assert check(tmp_path).returncode == 0
        assert check(tmp_path, "--add-ignore").stderr == "Added 0 suppression comments.\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("formats")
    write(folder / "nb.ipynb", notebook(text("# é"), code(SETUP), code(lines(LOOP.replace("losses = []", "losses = []  # é\t")))))
    return folder


class TestOutput:
    def run(self, folder: Path, form: str) -> str:
        return trainlint(folder, "check", "--isolated", "--output-format", form).stdout

    @pytest.mark.heavy
    def test_text_names_the_cell(self, folder: Path) -> None:
        places = ["nb.ipynb:cell 3:2:1", "nb.ipynb:cell 3:8:9"]
        concise, full = self.run(folder, "concise"), self.run(folder, "full")
        assert [line.partition(": ")[0] for line in concise.splitlines()[:2]] == places
        assert all(f" --> {place}\n" in full for place in places)

    def test_json_names_the_cell_of_everything(self, folder: Path) -> None:
        for one in json.loads(self.run(folder, "json")):
            assert one["cell"] == 3
            assert {edit["cell"] for edit in one["fix"]["edits"]} == {3}
            assert all("cell" in place for place in one["related"])

    @pytest.mark.heavy
    def test_a_diff_shows_cells(self, folder: Path) -> None:
        done = check(folder, "--diff")
        assert done.returncode == 1
        assert done.stdout.startswith("--- nb.ipynb:cell 3\n+++ nb.ipynb:cell 3\n@@ -1,8 +1,9 @@\n")
        assert "+    sampler.set_epoch(epoch)\n" in done.stdout

    @pytest.mark.heavy
    def test_services_are_shown_the_line_of_the_file(self, folder: Path) -> None:
        """The lines that a pull request shows are those of the JSON."""
        raw = (folder / "nb.ipynb").read_text(encoding="utf-8").split("\n")
        where = [number for number, line in enumerate(raw, 1) if 'losses.append(loss)"' in line]
        assert len(where) == 1
        column = raw[where[0] - 1].index("losses.append(loss)") + 1
        stretch = (where[0], column, where[0], column + len("losses.append(loss)"))
        github = next(line for line in self.run(folder, "github").splitlines() if "TL301" in line)
        assert f"line={stretch[0]},endLine={stretch[2]},col={stretch[1]},endColumn={stretch[3]}," in github
        assert "::cell 3, line 8: " in github
        azure = next(line for line in self.run(folder, "azure").splitlines() if "TL301" in line)
        assert f"linenumber={stretch[0]};columnnumber={stretch[1]};" in azure
        gitlab = json.loads(self.run(folder, "gitlab"))[1]["location"]["positions"]
        assert (gitlab["begin"]["line"], gitlab["begin"]["column"], gitlab["end"]["line"], gitlab["end"]["column"]) == stretch
        rdjson = json.loads(self.run(folder, "rdjson"))["diagnostics"][1]["location"]["range"]
        assert (rdjson["start"]["line"], rdjson["start"]["column"]) == stretch[:2]

    def test_sarif_repairs_are_repairs_of_the_json(self, folder: Path) -> None:
        """Whoever applies them to the file gets the notebook that ``--fix`` writes."""
        log = json.loads(self.run(folder, "sarif"))
        schema = json.loads((ROOT / "tests" / "report" / "sarif-2.1.0.json").read_text(encoding="utf-8"))
        jsonschema.Draft7Validator(schema).validate(log)
        raw = (folder / "nb.ipynb").read_text(encoding="utf-8").split("\n")
        for result in reversed(log["runs"][0]["results"]):
            (change,) = result["fixes"][0]["artifactChanges"]
            for part in reversed(change["replacements"]):
                region = part["deletedRegion"]
                first, last = region["startLine"] - 1, region["endLine"] - 1
                new = (
                    raw[first][: region["startColumn"] - 1]
                    + part["insertedContent"]["text"]
                    + raw[last][region["endColumn"] - 1 :]
                )
                raw[first : last + 1] = new.split("\n")
        fixed = json.loads("\n".join(raw))
        assert "".join(fixed["cells"][2]["source"]) == FIXED.replace("losses = []", "losses = []  # é\t")

    @pytest.mark.heavy
    def test_the_lines_of_a_string_are_those_of_its_json_line(self, tmp_path: Path) -> None:
        write(tmp_path / "nb.ipynb", notebook(code(SETUP), code(LOOP)))
        raw = (tmp_path / "nb.ipynb").read_text(encoding="utf-8").split("\n")
        line = next(number for number, text_ in enumerate(raw, 1) if "losses = []\\n" in text_)
        column = raw[line - 1].index("losses.append(loss)") + 1
        github = next(row for row in self.run(tmp_path, "github").splitlines() if "TL301" in row)
        assert f"line={line},endLine={line},col={column}," in github


@pytest.mark.heavy
def test_a_notebook_from_stdin(tmp_path: Path) -> None:
    data = write(tmp_path / "nb.ipynb", notebook(code(lines(SETUP)), code(lines(LOOP))))
    command = [sys.executable, "-m", "trainlint", "check", "--isolated", "--fix", "-", "--stdin-filename", "nb.ipynb"]
    done = subprocess.run(command, cwd=tmp_path, input=data, capture_output=True, check=False, env=environment())
    assert done.returncode == 0
    assert "".join(json.loads(done.stdout)["cells"][1]["source"]) == FIXED
    assert (tmp_path / "nb.ipynb").read_bytes() == data
