"""``trainlint server``, in an editor."""

from __future__ import annotations

import ast
import asyncio
import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from lsprotocol import types
from pytest_lsp import client_capabilities

from tests.frontends.editor import ROOT, Editor, editing

NO_SYNC = "import torch.distributed as dist\n\n\ndef sync():\n    pass\n"
SYNC = NO_SYNC.replace("pass", "dist.barrier()")
TRAIN = """\
import torch.distributed as dist
from ranks import sync

if dist.get_rank() == 0:
    sync()
"""
HANGS = "import torch.distributed as dist\n\nif dist.get_rank() == 0:\n    dist.barrier()\n"
LEAKS = """\
def train(model, loader, optimizer):
    total = 0.0
    for batch in loader:
        loss = model(batch)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        total += loss
    return total


x = 1  # trainlint: ignore[TL101]
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("")
    (folder / "ranks.py").write_text(NO_SYNC)
    (folder / "train.py").write_text(TRAIN)
    return folder


def here(line: int, character: int) -> types.Range:
    return types.Range(types.Position(line, character), types.Position(line, character))


def test_a_session(project: Path) -> None:
    """One long session: what an editor does first, and what everybody does."""
    train, ranks = project / "train.py", project / "ranks.py"

    async def session() -> None:
        async with editing(project) as editor:
            editor.open(train)
            assert await editor.answer(train) == []

            # Facts come from a buffer that was not saved; the finding says where it comes from.
            editor.open(ranks, SYNC)
            await editor.until_codes(train, "TL101")
            (diagnostic,) = editor.diagnostics[train]
            assert diagnostic.range == types.Range(types.Position(4, 4), types.Position(4, 10))
            assert diagnostic.severity is types.DiagnosticSeverity.Error
            assert diagnostic.source == "trainlint"
            assert re.fullmatch("`barrier` runs on rank 0 only.*", diagnostic.message)
            assert diagnostic.code_description is not None
            assert diagnostic.code_description.href.endswith("TL101-rank-conditional-collective.md")
            related = diagnostic.related_information or ()
            assert [(place.location.uri, place.location.range.start.line) for place in related] == [
                (train.as_uri(), 3),
                (ranks.as_uri(), 4),
            ]

            # Why, on the finding and nowhere else, with a link to the page of the rule.
            why = await editor.hover(train, 4, 6)
            parts = ("A collective completes when every rank", "- line 5 of ranks.py: the collective `barrier` runs here")
            assert why is not None
            assert all(part in why for part in (diagnostic.message, *parts))
            assert why.endswith(f"[TL101 rank-conditional-collective]({diagnostic.code_description.href})")
            assert await editor.hover(train, 0, 3) is None

            # A comment that suppresses it, and does so.
            (suppress,) = [one for one in await editor.actions(train, here(4, 5)) if one.title.startswith("Suppress")]
            assert suppress.diagnostics == (diagnostic,)
            commented = editor.edited(train, suppress)
            assert commented == TRAIN.replace("    sync()", "    sync()  # trainlint: ignore[TL101]")
            editor.change(train, commented)
            assert await editor.answer(train) == []

            # The comment is of no use any more: that is shown faded, and a safe repair takes it away.
            editor.change(ranks, NO_SYNC)
            await editor.until_codes(train, "TL002")
            (unused,) = editor.diagnostics[train]
            assert unused.tags == (types.DiagnosticTag.Unnecessary,)
            remove = (await editor.actions(train, unused.range))[0]
            assert remove.is_preferred
            assert editor.edited(train, remove) == TRAIN
            (everything,) = await editor.actions(train, here(0, 0), ["source.fixAll"])
            assert everything.kind == "source.fixAll.trainlint"
            assert editor.edited(train, everything) == TRAIN
            assert await editor.actions(train, here(0, 0)) == []  # nothing to be done here
            assert await editor.actions(train, here(0, 0), ["refactor"]) == []

            # What is closed counts as it is on disk, and has no findings any more.
            editor.change(ranks, SYNC)
            editor.change(train, TRAIN)
            await editor.until_codes(train, "TL101")
            editor.close(ranks)
            await editor.until_codes(train)
            editor.close(train)
            await editor.until_codes(train)

    asyncio.run(session())


def test_without_pygls_it_says_what_to_install() -> None:
    program = "import sys; sys.modules['pygls'] = None; from trainlint.app.cli.main import main; main(['server', '--stdio'])"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "the server needs the package pygls" in done.stderr


@pytest.mark.heavy
class TestKeystrokes:
    def test_findings_come_and_go_at_once(self, project: Path) -> None:
        async def session() -> None:
            train = project / "train.py"
            async with editing(project) as editor:
                editor.open(train, HANGS)
                assert await editor.answer(train) == ["TL101"]
                for text, codes in [
                    ("\n" + HANGS, ["TL101"]),
                    (HANGS.replace("== 0", ">= 0"), []),
                    (HANGS, ["TL101"]),
                    (HANGS + "\nif dist.get_rank() == 1:\n    dist.all_reduce(x)\n", ["TL101", "TL101"]),
                    ("", []),
                ]:
                    editor.change(train, text)
                    assert await editor.answer(train) == codes
                editor.change(train, "\n\n" + HANGS)
                await editor.answer(train)
                assert editor.diagnostics[train][0].range.start == types.Position(5, 4)

        asyncio.run(session())

    def test_a_text_that_does_not_parse_keeps_its_findings(self, project: Path) -> None:
        async def session() -> None:
            train = project / "train.py"
            async with editing(project) as editor:
                editor.open(train, HANGS)
                assert await editor.answer(train) == ["TL101"]
                editor.change(train, HANGS.replace("\n\n", "\n\nprint(\n", 1))
                assert await editor.answer(train) == ["TL101"]
                assert editor.diagnostics[train][0].range.start == types.Position(4, 4)
                await editor.until_codes(train, "TL101", "TL001")  # nobody types any more
                editor.change(train, HANGS.replace("\n\n", "\n\nprint(()\n", 1))
                assert await editor.answer(train) == ["TL101", "TL001"]
                editor.change(train, HANGS.replace("\n\n", "\n\nprint()\n", 1))
                assert await editor.answer(train) == ["TL101"]

        asyncio.run(session())

    def test_a_text_that_never_parsed(self, project: Path) -> None:
        async def session() -> None:
            train = project / "train.py"
            async with editing(project) as editor:
                editor.open(train, HANGS + "print(\n")
                assert await editor.answer(train) == ["TL001"]
                editor.change(train, HANGS + "print(1\n")
                assert await editor.answer(train) == ["TL001"]
                editor.change(train, HANGS + "print(1)\n")
                assert await editor.answer(train) == ["TL101"]

        asyncio.run(session())

    def test_what_cannot_be_seen_from_near_stays(self, tmp_path: Path) -> None:
        """The collective is behind a file that is too large to be judged at every keystroke."""
        (tmp_path / "pyproject.toml").write_text("")
        large = "".join(f"def f{number}(x):\n    return x.all_reduce({number})\n\n\n" for number in range(4000))
        (tmp_path / "ranks.py").write_text(SYNC + large)
        train = tmp_path / "train.py"
        train.write_text(TRAIN)

        async def session() -> None:
            async with editing(tmp_path) as editor:
                editor.open(train)
                assert await editor.answer(train) == ["TL101"]
                editor.change(train, TRAIN.replace("\n\n", "\n\nx = 1\n", 1))
                assert await editor.answer(train) == ["TL101"]
                assert editor.diagnostics[train][0].range.start == types.Position(5, 4)
                editor.change(train, TRAIN.replace("== 0", ">= 0"))
                await editor.until_codes(train)

        asyncio.run(session())


@pytest.mark.heavy
class TestPositions:
    TEXT = "import torch.distributed as dist\n\nif dist.get_rank() == 0: s = '😀🐍é', dist.all_reduce(x), '🐍'\n"

    @pytest.mark.parametrize(
        ("offered", "agreed", "column"),
        [(None, "utf-16", 38), (["utf-32", "utf-16"], "utf-32", 36), (["utf-8"], "utf-8", 43), (["utf-7"], "utf-16", 38)],
    )
    def test_columns_count_what_was_agreed_on(self, project: Path, offered: list[str] | None, agreed: str, column: int) -> None:
        async def session() -> None:
            train = project / "train.py"
            async with editing(project, encodings=offered) as editor:
                assert editor.server is not None
                assert editor.server.capabilities.position_encoding == agreed
                editor.open(train, self.TEXT)
                assert await editor.answer(train) == ["TL101"]
                (diagnostic,) = editor.diagnostics[train]
                assert (diagnostic.range.start.line, diagnostic.range.start.character) == (2, column)
                assert await editor.hover(train, 2, column + 1) is not None
                assert await editor.hover(train, 2, column - 1) is None

        asyncio.run(session())

    def test_edits_behind_astral_characters(self, project: Path) -> None:
        async def session() -> None:
            train = project / "train.py"
            text = "x = '😀🐍'  # trainlint: ignore[TL101] 🐍\ny = 1\n"
            async with editing(project) as editor:
                editor.open(train, text)
                assert await editor.answer(train) == ["TL002"]
                (remove, *_) = await editor.actions(train, editor.diagnostics[train][0].range)
                assert editor.edited(train, remove) == "x = '😀🐍'\ny = 1\n"

        asyncio.run(session())

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_lines_are_those_of_the_protocol(self, project: Path, end: str) -> None:
        """A form feed, or a separator of Unicode, ends no line."""

        async def session() -> None:
            train = project / "train.py"
            text = ("'''\u2028 \x85'''\n\x0c\n" + HANGS).replace("\n", end)
            async with editing(project) as editor:
                editor.open(train, text)
                assert await editor.answer(train) == ["TL101"]
                assert editor.diagnostics[train][0].range.start == types.Position(5, 4)
                (suppress,) = [one for one in await editor.actions(train, here(5, 5)) if one.title.startswith("Suppress")]
                after = editor.edited(train, suppress)
                assert after == text.replace("dist.barrier()", "dist.barrier()  # trainlint: ignore[TL101]")

        asyncio.run(session())

    def test_a_text_that_declares_another_encoding(self, project: Path) -> None:
        async def session() -> None:
            train = project / "train.py"
            async with editing(project) as editor:
                editor.open(
                    train, "# coding: latin-1\n" + HANGS.replace("== 0:", "== len('é'): s = 'éé';").replace("\n    ", " ")
                )
                assert await editor.answer(train) == ["TL101"]
                assert editor.diagnostics[train][0].range.start == types.Position(3, 42)

        asyncio.run(session())


@pytest.mark.heavy
class TestConfiguration:
    def test_files_of_the_project(self, project: Path) -> None:
        async def session() -> None:
            train = project / "train.py"
            async with editing(project) as editor:
                await editor.until(lambda: bool(editor.registered))
                watchers = [one for one in editor.registered if one.method == types.WORKSPACE_DID_CHANGE_WATCHED_FILES]
                assert "**/pyproject.toml" in str(watchers)
                editor.open(train, HANGS)
                assert await editor.answer(train) == ["TL101"]
                configuration = project / "pyproject.toml"
                configuration.write_text('[tool.trainlint]\nignore = ["TL101"]\n')
                editor.changed_on_disk(configuration)
                await editor.until_codes(train)
                configuration.write_text('[tool.trainlint]\nignore = ["TL1O1"]\n')
                editor.changed_on_disk(configuration)
                await editor.until(lambda: bool(editor.messages))
                assert 'unknown rule selector "TL1O1"' in editor.messages[0]
                editor.change(train, HANGS + "\n")
                assert await editor.answer(train) == []  # by the last configuration that was right
                (project / "trainlint.toml").write_text("")
                editor.changed_on_disk(project / "trainlint.toml")
                await editor.until_codes(train, "TL101")
                assert len(editor.messages) == 1

        asyncio.run(session())

    def test_other_files_on_the_disk(self, project: Path) -> None:
        async def session() -> None:
            train = project / "train.py"
            async with editing(project) as editor:
                editor.open(train)
                assert await editor.answer(train) == []
                (project / "ranks.py").write_text(SYNC)
                editor.changed_on_disk(project / "ranks.py")
                await editor.until_codes(train, "TL101")
                (project / "ranks.py").unlink()
                editor.changed_on_disk(project / "ranks.py")
                await editor.until_codes(train)

        asyncio.run(session())

    def test_the_editors_settings(self, project: Path) -> None:
        async def session() -> None:
            train = project / "train.py"
            async with editing(project, options={"settings": {"ignore": ["TL101"]}}) as editor:
                editor.open(train, HANGS)
                assert await editor.answer(train) == []
                editor.settings = {"extendIgnore": ["TL102"]}
                editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
                await editor.until_codes(train, "TL101")
                editor.settings = {"extendIgnore": 5}
                editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
                await editor.until(lambda: bool(editor.messages))
                assert "extend-ignore" in editor.messages[0]

        asyncio.run(session())

    def test_settings_of_a_client_that_cannot_be_asked(self, project: Path) -> None:
        async def session() -> None:
            train = project / "train.py"
            async with editing(project, capabilities=types.ClientCapabilities()) as editor:
                editor.open(train, HANGS)
                assert await editor.answer(train) == ["TL101"]
                settings = {"trainlint": {"select": ["TL2"]}}
                editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=settings))
                await editor.until_codes(train)

        asyncio.run(session())

    def test_a_baseline(self, project: Path) -> None:
        (project / "train.py").write_text(HANGS)
        command = [sys.executable, "-m", "trainlint", "check", "--write-baseline", "known.json", "."]
        subprocess.run(command, cwd=project, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True, capture_output=True)
        (project / "pyproject.toml").write_text('[tool.trainlint]\nbaseline = "known.json"\n')

        async def session() -> None:
            train = project / "train.py"
            async with editing(project) as editor:
                editor.open(train)
                assert await editor.answer(train) == []
                editor.change(train, HANGS + "\n\nif dist.get_rank() == 1:\n    dist.all_reduce(x)\n")
                assert await editor.answer(train) == ["TL101"]

        asyncio.run(session())


@pytest.mark.heavy
class TestClients:
    def test_one_that_can_do_nothing(self, project: Path) -> None:
        async def session() -> None:
            train = project / "train.py"
            async with editing(project, capabilities=types.ClientCapabilities()) as editor:
                editor.open(train, HANGS)
                assert await editor.answer(train) == ["TL101"]
                (diagnostic,) = editor.diagnostics[train]
                assert diagnostic.related_information is None
                assert diagnostic.code_description is None
                (suppress,) = [one for one in await editor.actions(train, here(3, 5)) if one.title.startswith("Suppress")]
                assert suppress.edit is not None
                assert list(suppress.edit.changes or ()) == [train.as_uri()]

        asyncio.run(session())

    @pytest.mark.parametrize("client", ["visual-studio-code", "neovim", "emacs"])
    def test_each_as_it_is(self, project: Path, client: str) -> None:
        """With the capabilities of real editors; pytest-lsp makes an error of what they could not take."""

        async def session() -> None:
            train = project / "train.py"
            async with editing(project, client=client) as editor:
                editor.open(train, HANGS)
                assert await editor.answer(train) == ["TL101"]
                assert len(await editor.actions(train, here(3, 5))) == 2
                assert await editor.hover(train, 3, 5) is not None

        asyncio.run(session())

    def test_files_that_are_not_of_the_project(self, project: Path) -> None:
        (project / ".gitignore").write_text("old/\n")
        (project / ".git").mkdir()
        for name in ("old/a.py", "venv/b.py"):
            (project / name).parent.mkdir()
            (project / name).write_text(HANGS)

        async def session() -> None:
            async with editing(project) as editor:
                for name in ("old/a.py", "venv/b.py"):
                    editor.open(project / name)
                    assert await editor.answer(project / name) == []
                (project / "launch").write_text(HANGS)
                editor.open(project / "launch")  # a script without an ending
                assert await editor.answer(project / "launch") == ["TL101"]
                editor.open(project / "new.py", HANGS)  # not saved yet
                assert await editor.answer(project / "new.py") == ["TL101"]
                editor.client.text_document_did_open(
                    types.DidOpenTextDocumentParams(types.TextDocumentItem("untitled:Untitled-1", "python", 1, HANGS))
                )

        asyncio.run(session())

    def test_a_file_beside_no_project(self, tmp_path: Path) -> None:
        workspace, elsewhere = tmp_path / "workspace", tmp_path / "elsewhere"
        for folder in (workspace, elsewhere, elsewhere / "deep"):
            folder.mkdir()
        (elsewhere / "ranks.py").write_text(SYNC)
        (elsewhere / "deep" / "other.py").write_text(HANGS)
        (elsewhere / "train.py").write_text(TRAIN)

        async def session() -> None:
            async with editing(workspace) as editor:
                editor.open(elsewhere / "train.py")
                assert await editor.answer(elsewhere / "train.py") == ["TL101"]

        asyncio.run(session())

    def test_a_finding_in_a_file_that_is_not_open(self, project: Path) -> None:
        """A barrier in the open file hangs a caller in another one: that is reported, as `check` does it."""

        async def session() -> None:
            train, ranks = project / "train.py", project / "ranks.py"
            async with editing(project) as editor:
                editor.open(ranks)
                assert await editor.answer(ranks) == []
                editor.change(ranks, SYNC)
                await editor.until_codes(train, "TL101")
                editor.close(ranks)
                await editor.until_codes(train)

        asyncio.run(session())


@pytest.mark.heavy
class TestRequests:
    def test_a_cancelled_one_is_given_up(self, project: Path) -> None:
        for number in range(60):
            (project / f"m{number}.py").write_text(HANGS + "\n".join(f"def f{n}(x):\n    dist.all_reduce(x)" for n in range(80)))

        async def session() -> None:
            train = project / "train.py"
            async with editing(project) as editor:
                editor.open(train, HANGS)
                context = types.CodeActionContext([])
                params = types.CodeActionParams(types.TextDocumentIdentifier(train.as_uri()), here(3, 5), context)
                request = editor.client.protocol.send_request(types.TEXT_DOCUMENT_CODE_ACTION, params, msg_id="given-up")
                editor.client.cancel_request(types.CancelParams(id="given-up"))
                with pytest.raises(Exception, match="is canceled"):
                    await asyncio.wait_for(asyncio.wrap_future(request), 20)
                assert train not in editor.diagnostics  # the project was not judged yet: nobody waited for that
                assert await editor.answer(train) == ["TL101"]

        asyncio.run(session())

    def test_actions_are_for_the_newest_text(self, project: Path) -> None:
        async def session() -> None:
            train = project / "train.py"
            async with editing(project) as editor:
                editor.open(train, HANGS)
                for number in range(20):
                    editor.change(train, "\n" * number + HANGS)
                actions = await editor.actions(train, here(22, 5))
                assert len(actions) == 2
                after = editor.edited(train, actions[1])
                assert after == "\n" * 19 + HANGS.replace("barrier()", "barrier()  # trainlint: ignore[TL101]")

        asyncio.run(session())

    def test_all_safe_repairs_at_once(self, project: Path) -> None:
        async def session() -> None:
            train = project / "train.py"
            async with editing(project) as editor:
                editor.open(train, LEAKS)
                assert await editor.answer(train) == ["TL302", "TL002"]
                (everything,) = await editor.actions(train, here(0, 0), ["source"])
                after = editor.edited(train, everything)
                assert after == LEAKS.replace("total += loss", "total += loss.detach()").replace(
                    "  # trainlint: ignore[TL101]", ""
                )
                editor.change(train, after)
                assert await editor.answer(train) == []
                assert await editor.actions(train, here(0, 0), ["source"]) == []

        asyncio.run(session())


@pytest.mark.heavy
@pytest.mark.parametrize("sample", ["fsdp_lm", "amp_segmenter", "ddp_classifier"])
def test_when_the_typing_stops_it_says_what_check_says(tmp_path: Path, sample: str) -> None:
    """Files of a sample are taken apart and put together again, line by line; at rest the findings are those of `check`."""
    project = tmp_path / sample
    shutil.copytree(ROOT / "sample_repos" / sample, project)
    (project / "pyproject.toml").write_text("")
    chance = random.Random(sample)  # noqa: S311 - a choice of edits
    files = sorted(project.rglob("*.py"))

    def without_a_line(lines: list[str], chance: random.Random) -> str:
        """A text that does not parse would keep its findings in the editor, and have none for `check`."""
        while True:
            gone = chance.randrange(len(lines))
            text = "".join(lines[:gone] + lines[gone + 1 :])
            try:
                ast.parse(text)
            except SyntaxError:
                continue
            return text

    def checked() -> dict[str, list[tuple[str, int]]]:
        command = [sys.executable, "-m", "trainlint", "check", "--output-format", "json", "."]
        done = subprocess.run(
            command, cwd=project, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, check=False, timeout=60
        )
        found: dict[str, list[tuple[str, int]]] = {}
        for finding in json.loads(done.stdout):
            place = (finding["code"], finding["location"]["row"])
            found.setdefault(str((project / finding["filename"]).resolve()), []).append(place)
        return {path: sorted(places) for path, places in found.items()}

    def shown(editor: Editor) -> dict[str, list[tuple[str, int]]]:
        return {
            str(path): sorted((str(each.code), each.range.start.line + 1) for each in diagnostics)
            for path, diagnostics in editor.diagnostics.items()
            if diagnostics
        }

    async def session() -> None:
        async with editing(project) as editor:
            for path in files:
                editor.open(path)
            for _ in range(4):
                for path in chance.sample(files, 3):
                    lines = editor.texts[path].splitlines(keepends=True)
                    text = without_a_line(lines, chance)
                    editor.change(path, text)
                    await editor.answer(path)
                for path in files:
                    path.write_text(editor.texts[path])
                wanted = checked()
                try:
                    await editor.until(lambda wanted=wanted: shown(editor) == wanted)
                except asyncio.TimeoutError:
                    assert shown(editor) == wanted

    asyncio.run(session())


def pulling() -> types.ClientCapabilities:
    """A client that asks for diagnostics, as that of VS Code does."""
    can = client_capabilities("visual-studio-code")
    assert can.text_document is not None
    assert can.workspace is not None
    can.text_document.diagnostic = types.DiagnosticClientCapabilities()
    can.workspace.diagnostics = types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
    return can


class TestPulledDiagnostics:
    def test_a_client_that_asks_is_answered_and_told_to_ask_again(self, project: Path) -> None:
        async def session() -> None:
            train, ranks = project / "train.py", project / "ranks.py"
            async with editing(project, capabilities=pulling()) as editor:
                assert editor.server is not None
                assert editor.server.capabilities.diagnostic_provider == types.DiagnosticOptions(True, False, "trainlint")
                editor.open(train)
                assert await editor.pull(train) == []
                editor.open(ranks, SYNC)
                await editor.until(lambda: editor.refreshed > 0)
                assert await editor.pull(train) == ["TL101"]
                editor.change(train, TRAIN.replace("== 0", "== 0 "))
                assert await editor.pull(train) == ["TL101"]
                assert editor.codes(train) == []  # nothing is shown twice

        asyncio.run(session())

    def test_a_client_that_cannot_be_told_gets_them_published(self, project: Path) -> None:
        async def session() -> None:
            train = project / "train.py"
            async with editing(project, client="neovim") as editor:
                editor.open(train, HANGS)
                assert await editor.answer(train) == ["TL101"]
                assert await editor.pull(train) == []

        asyncio.run(session())


def test_what_was_published_is_not_published_again(project: Path) -> None:
    """A change is answered at once; when the whole project was judged and says the same, nothing more is sent."""

    async def session() -> None:
        train = project / "train.py"
        async with editing(project) as editor:
            editor.open(train, HANGS)
            assert await editor.answer(train) == ["TL101"]
            before = editor.published
            for number in range(3):
                editor.change(train, HANGS + f"x = {number}\n")
                assert await editor.answer(train) == ["TL101"]
                editor.save(train)
                await asyncio.sleep(0.5)  # the project is judged
            assert editor.published - before == 3

    asyncio.run(session())
