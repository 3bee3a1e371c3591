"""The page for a browser, read with a parser: it holds what was found, and nothing of a file becomes part of its markup."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.driven import ROOT, trainlint
from tests.page.checklists import checklist, line, place
from tests.page.parsed import Node, parse
from tests.report.samples import HOIST, TRAIN, Lines, finding, unsafe
from trainlint.app.report.formats import Look, render
from trainlint.app.report.html_page import page
from trainlint.app.report.html_page.rank_drawings import RANKS, lanes_of
from trainlint.app.report.printable import escape
from trainlint.app.report.style import Style
from trainlint.codes import TITLES
from trainlint.config.settings import FOR_PEOPLE, FORMATS
from trainlint.finding import Applicability, Edit, Finding, Level, Place, Repair, Span
from trainlint.spmd.divergence_report import ranks
from trainlint.spmd.symbols import WORLD

HANGS = (
    "`barrier` runs on rank 0 only and hangs there: the other ranks never reach it\n"
    "rank 0 runs: barrier (helper.py:2); the ranks other than 0: next all_reduce (train.py:6)\n"
    "Call it outside the test."
)
WAY = (
    Place(TRAIN, Span(5, 8, 5, 17), "rank 0 gets past this test, the ranks other than 0 do not"),
    Place(Path("helper.py"), Span(1, 1, 1, 2), "`finish` calls `wait` here"),
    Place(Path("helper.py"), Span(2, 5, 2, 14), "the collective `barrier` runs here"),
)
HELPER = "def wait():\n    barrier()\n"


def made(*findings: Finding, lines: Lines | None = None, **more: object) -> Node:
    return parse(page(findings, lines_of=lines or Lines(), **more))  # type: ignore[arg-type]


def project() -> Lines:
    return Lines(cells={("train.py", None): Lines().text, ("helper.py", None): HELPER})


def lanes(root: Node) -> tuple[Node, Node, Node]:
    drawn = root.one("div", "lanes")
    return drawn.one("ol", "parting"), drawn.one("div", "reach"), drawn.one("div", "miss")


class TestFindings:
    def test_a_finding_with_its_code_its_reason_and_its_repair(self) -> None:
        root = made(finding(message="only rank 0 runs `all_reduce`\nThe others wait.", repair=HOIST))
        one = root.one("details", "finding")
        assert (one.attributes["data-level"], one.attributes["data-repair"]) == ("error", "safe")
        assert one.one("span", "headline").text == "only rank 0 runs all_reduce"
        assert [code.text for code in one.one("span", "headline").all("code")] == ["all_reduce"]
        assert one.one("span", "facts").text == "●errorTL101rank-conditional-collectiveline 6safe repairdist.all_reduce(loss)"
        assert one.one("p", "reason").text == "The others wait."
        frame, change = one.all("pre")
        assert [row.text for row in frame.all("span", "row")] == [
            "4def train(rank, loss):",
            "5    if rank == 0:",
            "6        dist.all_reduce(loss)",
            "7    return loss",
        ]
        assert frame.one("mark").text == "dist.all_reduce(loss)"
        assert [row.text for row in change.all("span", "del")] == [
            "  -removed:     if rank == 0:",
            "  -removed:         dist.all_reduce(loss)",
        ]
        assert [row.text for row in change.all("span", "add")] == ["5 +added:     dist.all_reduce(loss)"]

    def test_places_around_it(self) -> None:
        root = made(finding(related=(Place(Path("main.py"), Span(2, 1, 2, 4), "called from `main`"),)))
        (related,) = root.one("ol", "related").all("li")
        assert related.one("p").text == "called from main main.py:2:1"

    def test_by_family_then_by_file(self) -> None:
        root = made(
            finding(path=Path("a.py")),
            finding(path=Path("a.py"), code="TL301", name="tensor-accumulation"),
            finding(path=Path("b/c.py")),
        )
        families = list(root.all("section", "family"))
        assert [one.attributes["id"] for one in families] == ["family-distributed", "family-memory"]
        assert [[each.one("h3").text for each in one.all("section", "file")] for one in families] == [
            ["a.py 1", "b/c.py 1"],
            ["a.py 1"],
        ]
        assert families[0].one("h2").text.lower() == f"{TITLES['distributed']} 2"

    def test_a_rule_of_nobody_is_shown_last(self) -> None:
        root = made(finding(code="ZZ901"), finding())
        assert [one.attributes["id"] for one in root.all("section", "family")] == ["family-distributed", "family-other"]

    def test_a_notebook(self) -> None:
        repair = Repair(Applicability.SAFE, "Import it", (Edit(Span(1, 1, 1, 1), "import os\n", 1),))
        lines = Lines(cells={("a.ipynb", 1): "import sys\n", ("a.ipynb", 2): Lines().text})
        root = made(finding(path=Path("a.ipynb"), cell=2, repair=repair), lines=lines)
        assert root.one("span", "at").text == "cell 2, line 6"
        assert next(root.one("p", "where").all("a")).text == "a.ipynb:cell 2:6:9"
        assert root.one("p", "cell").text == "in cell 1:"

    def test_a_file_that_is_gone_has_no_frame(self) -> None:
        root = made(finding(related=WAY, repair=unsafe()), lines=Lines(cells={}))
        assert list(root.all("pre")) == []

    def test_nothing(self) -> None:
        root = made()
        assert root.one("h1").text == "No findings"
        assert root.one("p", "nothing").text == "Nothing was found."

    def test_what_repairs_there_are(self) -> None:
        both = finding(repair=HOIST), finding(repair=unsafe())
        assert made(*both).one("p", "lead").text == "trainlint check --fix repairs 1 of them, --unsafe-fixes 1 more."
        assert made(*both, unsafe=True).one("p", "lead").text == "trainlint check --fix repairs 2 of them."
        assert made(both[1]).one("p", "lead").text == "--unsafe-fixes would repair 1 of them."

    def test_a_long_line_is_cut_around_the_place(self) -> None:
        text = "x = [" + "1, " * 20_000 + "call(), " + "2, " * 20_000 + "]\n"
        at = text.index("call") + 1
        root = made(finding(Span(1, at, 1, at + 6)), lines=Lines(text))
        (row,) = root.all("span", "row")
        assert len(row.text) < 420
        assert row.text.count("...") == 2
        assert row.one("mark").text == "call()"

    def test_a_place_of_many_lines_shows_its_ends(self) -> None:
        text = "".join(f"line{number}\n" for number in range(1, 60))
        root = made(finding(Span(10, 1, 50, 7)), lines=Lines(text))
        shown = [row.one("i").text.strip() for row in root.all("span", "row")]
        assert shown == ["8", "9", "10", "11", "12", "...", "49", "50", "51", "52"]

    def test_names_of_findings_stay_the_same_and_are_their_own(self) -> None:
        found = [finding(), finding(), finding(Span(5, 5, 5, 7))]
        names = [one.attributes["id"] for one in made(*found).all("details", "finding")]
        assert len(set(names)) == 3
        later = Lines("# a comment\n" + Lines().text)
        moved = [finding(Span(7, 9, 7, 30)), finding(Span(7, 9, 7, 30)), finding(Span(6, 5, 6, 7))]
        assert [one.attributes["id"] for one in made(*moved, lines=later).all("details", "finding")] == names


class TestLanes:
    def test_what_each_side_runs(self) -> None:
        parting, reach, miss = lanes(made(finding(message=HANGS, related=WAY), lines=project()))
        assert [step.text for step in parting.all("li")] == [
            "if rank == 0:rank 0 gets past this test, the ranks other than 0 do nottrain.py:5"
        ]
        assert reach.one("p", "who").text == "0rank 0"
        assert [step.text for step in reach.all("li")] == [
            "dist.all_reduce(loss)reaches this calltrain.py:6",
            "def wait():finish calls wait herehelper.py:1",
            "barrier()the collective barrier runs herehelper.py:2hangs here",
        ]
        assert miss.one("p", "who").text.endswith("the ranks other than 0")
        assert [step.text for step in miss.all("li")] == ["next: all_reducetrain.py:6never come here"]

    def test_who_left_is_shown_where(self) -> None:
        message = HANGS.replace("next all_reduce (train.py:6)", "nothing, they returned at train.py:7")
        left = Place(TRAIN, Span(7, 5, 7, 16), "the ranks other than 0 return here")
        _, _, miss = lanes(made(finding(message=message, related=(*WAY, left)), lines=project()))
        assert [step.text for step in miss.all("li")] == ["return lossreturn heretrain.py:7", "never come here"]

    def test_the_reason_follows_and_nothing_is_said_twice(self) -> None:
        root = made(finding(message=HANGS, related=WAY), lines=project())
        assert root.one("p", "reason").text == "Call it outside the test."
        assert list(root.all("ol", "related")) == []

    def test_what_hangs_in_some_cases_only_says_in_which(self) -> None:
        message = HANGS.replace("hangs there:", "hangs there with FSDP, and otherwise loses states:")
        assert (
            lanes(made(finding(message=message, related=WAY), lines=project()))[1].text.strip().endswith("hangs here with FSDP")
        )

    def test_what_does_not_hang_is_not_said_to(self) -> None:
        message = HANGS.replace("runs on rank 0 only and hangs there", "holds the shards of rank 0 only")
        assert "fate" not in page([finding(message=message, related=WAY)], lines_of=project()).partition("<body>")[2]

    @pytest.mark.parametrize("said", ["Of 1009 items, for example, four ranks", "Four ranks, for example,"])
    def test_what_four_ranks_get_of_an_uneven_loop(self, said: str) -> None:
        headline = "some ranks run more iterations of this loop than others, and then hang in `all_reduce`"
        message = f"{headline}\n{said} run 253, 252, 252 and 253 iterations. Give"
        four = made(finding(message=message, related=WAY)).one("div", "four")
        assert [lane.one("li").text for lane in four.all("div", "lane")] == [
            "runs 253goes on, and hangs",
            "runs 252is done",
            "runs 252is done",
            "runs 253goes on, and hangs",
        ]
        for other in (message.replace("253", "252"), message.replace("some ranks run", "some run"), headline):
            assert list(made(finding(message=other)).all("div", "lanes")) == []

    def test_the_rule_says_it_as_the_page_reads_it(self) -> None:
        said = (ROOT / "tests" / "said" / "TL109.txt").read_text(encoding="utf-8").splitlines()
        pairs = [(before.partition(": ")[2], after.partition(": ")[2]) for before, after in _pairs(said) if " ranks" in after]
        messages = ["\n".join(pair) for pair in pairs if pair[0].startswith("some ranks run more iterations")]
        assert len(messages) > 3
        assert all(list(made(finding(message=message)).all("div", "four")) for message in messages)

    def test_other_findings_have_none(self) -> None:
        for message in ("it hangs there", "it hangs\nrank 0 runs: barrier", "x\nrank 9 runs: barrier (a.py:1); rank 0: nothing"):
            assert lanes_of(finding(message=message)) is None

    def test_every_sentence_that_is_said_can_be_drawn(self) -> None:
        """All that the rules' own pages make the analysis say of two sides."""
        said = [
            (before.partition(": ")[2], sentence.partition(": ")[2])
            for file in sorted((ROOT / "tests" / "said").glob("TL1*.txt"))
            for before, sentence in _pairs(file.read_text(encoding="utf-8").splitlines())
            if re.search(r": (?:rank 0|some ranks|the .*ranks.*|local rank.*) runs?: ", sentence)
        ]
        assert len(said) > 20
        drawn = [lanes_of(finding(message=f"{headline}\n{sentence}")) for headline, sentence in said]
        assert None not in drawn
        fated = [one is not None and bool(one.reach.fate) for one in drawn]
        quiet = [headline for (headline, _), fate in zip(said, fated, strict=True) if not fate]
        assert all("hang" not in headline for headline in quiet)
        assert len(quiet) < 3

    def test_every_side_the_analysis_names_is_known(self) -> None:
        named = {ranks(arms) for arms in product((True, False), repeat=WORLD)} | {"the other ranks"}
        assert named == set(RANKS)


def _pairs(lines: list[str]) -> list[tuple[str, str]]:
    return list(zip(lines, lines[1:], strict=False))


class TestChecklist:
    def test_its_lines_with_verdict_reason_and_evidence(self) -> None:
        root = made(finding(), checklist=checklist())
        assert root.one("h1").text == "Pre-flight check of train.py"
        assert [one.attributes["data-verdict"] for one in root.all("details", "check")] == [
            "unknown",
            "seen",
            "missing",
            "not-needed",
        ]
        gpus, precision, _, _ = root.all("details", "check")
        assert gpus.one("span", "why").text == "Why gpus. To know: nvidia-smi topo -m"
        assert precision.one("span", "why").text == "Why mixed precision. train.py:6 and 1 more"
        assert [each.text for each in precision.one("ol", "evidence").all("li")] == [
            "dist.all_reduce(loss)train.py:6here",
            "if rank == 0:train.py:5and this",
        ]
        assert [group.one("h3").text for group in root.all("section", "group")] == ["Hardware 1", "Code 2", "Ranks 1"]
        assert len(list(root.all("details", "finding"))) == 1

    def test_a_line_leads_to_the_findings_it_is_answered_by(self) -> None:
        data = checklist(
            line("collectives", "missing", codes=["TL101", "TL102"], evidence=[place(5), place(6)]),
            line("seeds", "seen", codes=["TL901"]),
        )
        data["jobs"][0]["findings"] = [0, 2, 7]
        found = finding(code="TL301"), finding(), finding(Span(5, 8, 5, 17), "it `hangs`\nthere")
        root = made(*found, checklist=data)
        (link,) = root.one("ul", "found").all("li")
        assert link.text == "TL101 train.py:5it hangs"
        assert [each.one("small").text for each in root.one("ol", "evidence").all("li")] == [
            "train.py:6"
        ]  # the other is linked to
        (there,) = [
            one for one in root.all("details", "finding") if f"#{one.attributes['id']}" == next(link.all("a")).attributes["href"]
        ]
        assert there.one("span", "headline").text == "it hangs"

    def test_several_scripts(self) -> None:
        root = made(checklist=checklist(jobs=2))
        assert root.one("h1").text == "Pre-flight check of 2 training scripts"
        assert [one.attributes["id"] for one in root.all("section", "job")] == ["job-1", "job-2"]
        assert [a.attributes["href"] for a in root.one("nav", "parts").all("a")] == ["#job-1", "#job-2", "#all-findings"]
        assert (
            root.one("nav", "parts").one("ol").text.split("\n")[0]
            == "train.py1 missing1 cannot be known from the code1 seen1 not needed"
        )

    def test_no_script_that_trains(self) -> None:
        root = made(checklist={**checklist(), "jobs": [], "problems": ["a.py cannot be read"]})
        assert [one.text for one in root.all("p", "nothing")] == ["No script that trains was found.", "Nothing was found."]
        assert root.one("ul", "problems").text.strip() == "a.py cannot be read"

    def test_evidence_that_is_gone_is_named_all_the_same(self) -> None:
        root = made(checklist=checklist(line("seeds", "seen", evidence=[place(900), place(0)])))
        assert [each.text for each in root.one("ol", "evidence").all("li")] == ["train.py:900here", "train.py:0here"]


# -- safety ----------------------------------------------------------------------------------------------------------

EVIL = """"><script>alert(1)</script><img src=x onerror='alert(1)'> </style></pre> <!-- &lt; `</code>` javascript:x ${1}"""
TAGS = {
    *("a", "aside", "b", "body", "button", "code", "dd", "details", "div", "dl", "dt", "fieldset", "footer", "form", "h1", "h2"),
    *(
        "h3",
        "head",
        "header",
        "html",
        "i",
        "input",
        "kbd",
        "label",
        "legend",
        "li",
        "main",
        "mark",
        "meta",
        "nav",
        "ol",
        "option",
    ),
    *("p", "pre", "script", "section", "select", "small", "span", "strong", "style", "summary", "title", "ul", "wbr"),
}


def hostile(evil: str) -> str:
    """A page in which everything that comes from a repository, or from the analysis, is ``evil``."""
    inline = evil.replace("\n", " ").replace("\0", "")
    path = Path(inline or "x.py")
    places = (Place(path, Span(1, 1, 1, 5), evil), *WAY)
    repair = Repair(Applicability.UNSAFE, evil, (Edit(Span(1, 1, 1, 1), evil + "\n"),))
    found = [
        Finding("TL101", inline, Level.ERROR, path, Span(1, 1, 1, 9), evil + "\n" + evil, places, repair),
        finding(message=f"{evil.splitlines()[0] if evil.splitlines() else ''}\n" + HANGS.split("\n")[1], related=places),
        finding(message=HANGS.replace("helper.py", inline), related=places),
    ]
    data = checklist(
        line(inline, "seen", inline, why=evil, command=evil, source=evil, evidence=[place(1, evil, inline or "x")]), script=inline
    )
    data["problems"] = [evil]
    data["jobs"][0]["launches"] = [{"path": inline, "filename": inline, "row": 1, "text": evil}]
    data["jobs"][0]["framework"] = evil
    return page(found, data, lines_of=lambda _path, _cell: [inline] * 3)


def harmless(text: str) -> Node:
    """Nothing in the page but our own elements, script and style, and nothing that loads or runs anything."""
    root = parse(text)
    assert {node.tag for node in root.all()} <= TAGS - {"html"}
    for node in root.all():
        assert not {name for name in node.attributes if name.startswith("on")}
        assert not {"style", "src", "srcset", "action", "formaction", "srcdoc"} & set(node.attributes)
        href = node.attributes.get("href")
        assert href is None or href.startswith(("#", "https://"))
        assert node.tag != "meta" or node.attributes.get("http-equiv") in (None, "Content-Security-Policy")
    root.one("style")
    root.one("script")
    return root


class TestSafety:
    def test_nothing_of_a_file_becomes_markup(self) -> None:
        text = hostile(EVIL)
        root = harmless(text)
        assert "alert(1)" not in root.one("script").text
        shown = root.one("body").text
        assert shown.count("<script>alert(1)</script>") >= 10
        assert text.isascii()

    @given(
        st.text(alphabet=st.one_of(st.characters(), st.sampled_from("<>&\"'`/\\\n\r\t\0-!#[:\u202e\u2028\ud800")), max_size=40)
    )
    def test_whatever_it_says(self, evil: str) -> None:
        root = harmless(hostile(evil))
        first, *_ = root.all("details", "finding")
        assert len(list(root.all("details", "finding"))) == 3
        assert escape(evil.partition("\n")[0].replace("\t", "")).replace("`", "") in first.text.replace("\t", "").replace("`", "")

    def test_what_a_reader_could_not_see_is_spelled_out(self) -> None:
        root = made(finding(message="a\u202eb\x1b[31mc\x00\ufffe\ufdd0"), lines=Lines("x = 1  # \u2066\n" * 9))
        assert root.one("span", "headline").text == r"a\u202eb\x1b[31mc\x00\ufffe\ufdd0"
        assert r"\u2066" in next(root.all("pre")).text

    def test_a_build_server_reads_no_command_in_it(self) -> None:
        for form in ("##vso[task.complete]", "##[error]x", "::error::x"):
            text = hostile(f"{form}\n{form}")
            assert "##vso[" not in text
            assert "##[" not in text
            assert not [one for one in text.splitlines() if one.lstrip().startswith("::")]

    def test_the_policy_lets_in_our_own_style_and_script_alone(self) -> None:
        root = made(finding())
        (policy,) = [node.attributes["content"] for node in root.all("meta") if "http-equiv" in node.attributes]
        parts = dict(part.strip().split(" ", 1) for part in (policy or "").split(";"))
        assert parts == {
            "default-src": "'none'",
            "style-src": _hash(root.one("style").text),
            "script-src": _hash(root.one("script").text),
            "base-uri": "'none'",
            "form-action": "'none'",
        }

    def test_style_and_script_load_nothing(self) -> None:
        root = made(finding())
        style, script = root.one("style").text, root.one("script").text
        assert not re.search(r"url\(|@import|https?:|//[a-z]", style)
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacent|document\.write|eval|Function\(|fetch|XMLHttp|import\(|https?:", script
        )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


# -- as a format -----------------------------------------------------------------------------------------------------


def test_it_is_a_format_like_the_others() -> None:
    assert "html" in FORMATS
    assert "html" not in FOR_PEOPLE  # no summary behind the document
    text = render("html", [finding()], Look(Style(), False, Lines()))
    assert text == page([finding()], lines_of=Lines())
    assert text.endswith("</html>\n")


TRAIN_SOURCE = """\
import torch.distributed as dist
from helper import finish


def log(rank, loss):
    if rank == 0:
        dist.all_reduce(loss)
        print(loss.item())


def save(rank, losses):
    if rank != 0:
        return None
    return finish(losses)
"""
HELPER_SOURCE = "import torch.distributed as dist\n\n\ndef finish(tensors):\n    dist.barrier()\n    return tensors\n"


def _check(folder: Path, form: str, seed: str, *words: str, **more: str) -> str:
    """The output of a check of all rules in a format."""
    command = ("check", "--isolated", "--no-cache", "--select", "ALL", "--output-format", form, *words)
    done = trainlint(folder, *command, PYTHONHASHSEED=seed, **more)
    assert done.returncode == 1
    return done.stdout


def _agree(page_: str, objects: list[dict[str, Any]], root: Path) -> None:
    """The page has the findings, the repairs and the lanes that the JSON has."""
    read = parse(page_)
    shown = [
        (one.one("span", "tag").text, one.one("span", "name").text, one.attributes["data-level"], next(one.all("a")).text)
        for one in read.all("details", "finding")
    ]
    places = [
        f"{Path(each['filename']).relative_to(root)}:{each['location']['row']}:{each['location']['column']}" for each in objects
    ]
    expected = [(each["code"], each["name"], each["level"], place) for each, place in zip(objects, places, strict=True)]
    assert sorted(shown) == sorted(expected)
    assert len(list(read.all("div", "mend"))) == sum(each["fix"] is not None for each in objects) > 0
    sides = [each for each in objects if re.search(r" runs?: .*; ", each["message"])]
    assert len(list(read.all("div", "lanes"))) == len(sides) > 1


def test_the_page_has_the_findings_that_the_json_has_byte_for_byte_in_each_run(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TRAIN_SOURCE, encoding="utf-8")
    (tmp_path / "helper.py").write_text(HELPER_SOURCE, encoding="utf-8")
    _check(tmp_path, "html", "1", "--output-file", "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    _agree(text, json.loads(_check(tmp_path, "json", "2")), tmp_path)
    assert _check(tmp_path, "html", "3", LC_ALL="C", COLUMNS="40") == text


@pytest.mark.heavy
def test_so_it_is_with_the_samples() -> None:
    sample = "sample_repos"
    _agree(_check(ROOT, "html", "1", sample), json.loads(_check(ROOT, "json", "2", sample)), ROOT)
