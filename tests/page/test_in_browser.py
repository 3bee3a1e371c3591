"""The page in a headless Chromium: `nox -s browser` finds or installs one, and says so when there is none to be had.

`TRAINLINT_CHROMIUM` names the program to use; otherwise it is the one on the PATH, otherwise playwright's own.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.page.checklists import checklist, line, place
from tests.page.test_page import EVIL, HANGS, HELPER, WAY, hostile
from tests.report.samples import HOIST, Lines, finding, unsafe
from trainlint.app.report.html_page import page as written
from trainlint.finding import Finding, Level, Place, Span

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = pytest.mark.browser

#: Width and height of windows; the colours that a reader asks for.
WINDOWS = ((400, 800), (1600, 1000))
SCHEMES = ("light", "dark")
LONG = Path("src/a_folder_with_a_long_name/another_folder_with_a_long_name/and_a_file_whose_name_is_long_too.py")
SOURCES = Lines(
    cells={
        ("train.py", None): Lines().text,
        ("helper.py", None): HELPER,
        ("data.py", None): "loader = DataLoader(" + "a_very_long_argument=1, " * 40 + ")\n",
        (str(LONG), None): Lines().text,
    }
)


def findings() -> list[Finding]:
    """Of every level and kind: two that hang, in two families and four files."""
    told = "the losses keep their graphs\nMemory grows with every step of the loop, until there is none left."
    loop = Place(Path("train.py"), Span(4, 1, 4, 9), "each iteration of this loop adds one more")
    return [
        finding(message=HANGS, related=WAY, repair=HOIST),
        finding(message=HANGS, related=WAY, path=LONG, repair=unsafe()),
        finding(
            Span(1, 1, 1, 30),
            "workers are made anew",
            code="TL211",
            name="respawned-workers",
            level=Level.ADVICE,
            path=Path("data.py"),
        ),
        finding(Span(7, 5, 7, 16), told, code="TL301", name="tensor-accumulation", level=Level.WARNING, related=(loop,)),
    ]


def report() -> str:
    data = checklist(
        line("gpus", "unknown", "Hardware", command="nvidia-smi topo -m"),
        line("mixed precision", "seen", evidence=[place(6)]),
        line("clipping", "missing", evidence=[place(1, path=str(LONG))]),
        line("sampler", "not-needed", "Ranks"),
    )
    return written(findings(), data, lines_of=SOURCES)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    program = os.environ.get("TRAINLINT_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    with sync_playwright() as playwright:
        # No sandbox: as root, which is usual in containers, Chromium has none. It opens our own pages only.
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


class Windows:
    """Opens pages, and remembers what a page should not have done: errors, and requests for anything but itself."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.browser, self.folder = browser, folder
        self.wrong: list[str] = []
        self.opened: list[Any] = []

    def open(self, text: str, size: tuple[int, int] = WINDOWS[1], scheme: str = "light", anchor: str = "", **more: Any) -> Page:
        file = self.folder / f"page{len(self.opened)}.html"
        file.write_text(text, encoding="utf-8")
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=scheme,  # type: ignore[arg-type]
            **more,
        )
        self.opened.append(context)
        page = context.new_page()
        page.on("console", lambda said: self.wrong.append(f"{said.type}: {said.text}"))
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("dialog", lambda dialog: self.wrong.append(f"a dialog: {dialog.message}"))
        page.on("request", lambda request: request.url.startswith(file.as_uri()) or self.wrong.append(request.url))
        page.goto(file.as_uri() + anchor)
        return page


@pytest.fixture
def windows(chromium: Browser, tmp_path: Path) -> Iterator[Windows]:
    made = Windows(chromium, tmp_path)
    yield made
    for context in made.opened:
        context.close()
    assert made.wrong == []


@pytest.fixture
def page(windows: Windows) -> Page:
    return windows.open(report())


def shown(page: Page) -> list[str]:
    """The codes of the findings that can be seen."""
    return [each.inner_text() for each in page.locator(".finding:visible .tag").all()]


def verdicts(page: Page) -> list[str]:
    """The verdicts of the lines of the checklist that can be seen."""
    return [each.get_attribute("data-verdict") or "" for each in page.locator(".check:visible").all()]


def focused(page: Page) -> str:
    """What has the focus: the code of the finding, the title of the line, otherwise the id."""
    said: str = page.evaluate(
        "(document.activeElement.querySelector('.tag, .headline:not(.finding *)') || {}).textContent || document.activeElement.id"
    )
    return said


def open_all(page: Page) -> None:
    page.evaluate("document.querySelectorAll('main details').forEach(each => { each.open = true })")


# -- looks -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "scheme"), list(product(WINDOWS, SCHEMES)))
def test_it_can_be_read(windows: Windows, size: tuple[int, int], scheme: str) -> None:
    """No line leads out of the window, nothing is too pale, and everything has its role and its name (by axe)."""
    from axe_playwright_python.sync_playwright import Axe

    page = windows.open(report(), size, scheme, bypass_csp=True)  # axe is a script of its own
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    open_all(page)
    page.evaluate("document.querySelector('.folded').open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    found = Axe().run(page)
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found.response["violations"]] == []
    assert found.response["passes"]
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, paper[4:-1].split(","))) > 380) == (scheme == "light")


@pytest.mark.parametrize("size", WINDOWS)
def test_both_sides_stand_beside_each_other_where_there_is_room(windows: Windows, size: tuple[int, int]) -> None:
    page = windows.open(report(), size)
    open_all(page)
    left, right = (page.locator(f".lane.{side}").first.bounding_box() for side in ("reach", "miss"))
    assert left is not None
    assert right is not None
    assert (left["y"] == right["y"]) == (size[0] == 1600)


def test_on_paper_everything_is_open(windows: Windows) -> None:
    for script in (True, False):
        page = windows.open(report(), java_script_enabled=script)
        page.emulate_media(media="print")
        assert not page.locator("aside").is_visible()
        bodies = page.locator(".body").all()
        assert len(bodies) == 8
        assert all((body.bounding_box() or {"height": 0})["height"] > 10 for body in bodies)


def test_what_a_repository_says_runs_nothing(windows: Windows) -> None:
    page = windows.open(hostile(EVIL))
    open_all(page)
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 1


# -- without the script ----------------------------------------------------------------------------------------------


def test_without_the_script_it_is_all_there(windows: Windows) -> None:
    page = windows.open(report(), java_script_enabled=False)
    assert not page.locator("#filter").is_visible()
    page.get_by_role("link", name="Graphs kept").click()
    assert page.url.endswith("#family-memory")
    one = page.locator("details", has_text="TL301")
    one.locator("summary").click()
    assert one.get_by_text("Memory grows").is_visible()
    assert len(shown(page)) == 4


# -- keys ------------------------------------------------------------------------------------------------------------


def test_a_click_opens_and_closes(page: Page) -> None:
    reason = page.get_by_text("Memory grows")
    assert not reason.is_visible()
    page.locator("summary", has_text="TL301").click()
    assert reason.is_visible()
    page.locator("summary", has_text="TL301").click()
    assert not reason.is_visible()


def test_keys_go_through_what_is_shown(page: Page) -> None:
    page.get_by_label("error").check()
    page.locator("h1").click()
    for key, at in (("j", "0"), ("j", "1"), ("j", "1"), ("k", "0"), ("ArrowDown", "1"), ("ArrowUp", "0"), ("k", "0")):
        page.keyboard.press(key)
        here = page.evaluate("[...document.querySelectorAll('.finding')].indexOf(document.activeElement.parentElement)")
        assert str(here) == at, key


def test_enter_opens_and_escape_closes(page: Page) -> None:
    page.locator("summary", has_text="TL301").focus()
    page.keyboard.press("Enter")
    assert page.get_by_text("Memory grows").is_visible()
    page.keyboard.press("Tab")
    assert focused(page) != "TL301"
    page.keyboard.press("Escape")
    assert not page.get_by_text("Memory grows").is_visible()
    assert focused(page) == "TL301"


def test_the_order_of_the_tabulator(page: Page) -> None:
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the report"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")  # the way to the findings
    page.keyboard.press("Tab")
    assert focused(page) == "Gpus"


def test_only_code_that_is_cut_off_is_a_stop_of_the_tabulator(page: Page) -> None:
    for file, stops in (("data.py", True), ("TL301", False)):
        one = page.locator(".file", has_text=file) if stops else page.locator(".finding", has_text=file)
        one.locator("summary").click()
        one.locator(f".code{'[tabindex]' if stops else ':not([tabindex])'}").first.wait_for()


def test_on_paper_the_colours_are_those_for_paper(windows: Windows) -> None:
    page = windows.open(report(), scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.querySelector('.level.error')).color") == "rgb(168, 32, 26)"


def test_slash_searches_and_escape_clears(page: Page) -> None:
    page.keyboard.press("/")
    assert focused(page) == "search"
    page.keyboard.type("graphs")
    page.get_by_text("Showing 0 of 4 checks, 1 of 4 findings.").wait_for()
    assert shown(page) == ["TL301"]
    page.keyboard.press("Enter")
    assert focused(page) == "TL301"
    page.keyboard.press("/")
    page.keyboard.press("Escape")
    page.get_by_text("Showing 4 checks, 4 findings.").wait_for()
    page.keyboard.press("Escape")
    assert focused(page) != "search"
    page.keyboard.press("Control+j")  # the browser's own
    assert page.locator(":focus.finding").count() == 0


# -- search and filters ----------------------------------------------------------------------------------------------


def test_search_knows_code_words_places_and_repairs(page: Page) -> None:
    search: Locator = page.get_by_label("Search")
    for words, codes in (
        ("tl2", ["TL211"]),
        ("ALL_REDUCE barrier", ["TL101", "TL101"]),
        ("a_folder_with", ["TL101"]),
        ("move the call out", ["TL101", "TL101"]),
        ("no such thing", []),
    ):
        search.fill(words)
        page.get_by_text(f"{len(codes)} of 4 findings").wait_for()
        assert shown(page) == codes
        assert page.locator(".family:visible").count() == len(set(codes))
    search.fill("nvidia")
    page.get_by_text("Showing 1 of 4 checks").wait_for()
    assert verdicts(page) == ["unknown"]


def test_filters_narrow_and_are_taken_back(page: Page) -> None:
    page.get_by_label("warning").check()
    assert shown(page) == ["TL301"]
    assert verdicts(page) == []  # who asks for warnings does not ask for the checklist
    page.get_by_label("error").check()
    assert shown(page) == ["TL101", "TL101", "TL301"]
    page.get_by_label("Every rank").check()
    assert shown(page) == ["TL101", "TL101"]
    page.get_by_label("unsafe repair").check()
    assert shown(page) == ["TL101"]
    assert page.locator("h2 .count:visible").all_inner_texts() == ["1"]
    page.get_by_role("button", name="Clear all").click()
    assert len(shown(page)) == len(verdicts(page)) == 4


def test_one_file(page: Page) -> None:
    page.get_by_label("File").select_option("data.py")
    assert shown(page) == ["TL211"]
    page.get_by_label("File").select_option("")
    assert len(shown(page)) == 4


def test_verdicts(page: Page) -> None:
    page.get_by_label("missing").check()
    page.get_by_label("cannot be known").check()
    assert verdicts(page) == ["unknown", "missing"]
    assert shown(page) == []
    page.get_by_label("advice").check()
    assert (verdicts(page), shown(page)) == (["unknown", "missing"], ["TL211"])


def test_one_script(windows: Windows) -> None:
    page = windows.open(written(findings(), checklist(jobs=2), lines_of=SOURCES))
    assert len(verdicts(page)) == 8
    page.get_by_label("Script").select_option("job-2")
    assert page.locator(".job:visible").count() == 1
    assert page.locator("#job-2").is_visible()
    assert shown(page) == []
    page.get_by_role("link", name="4 findings in 3 files").click()
    page.locator("#all-findings").wait_for()  # though it was filtered away
    assert len(shown(page)) == 4


def test_a_narrow_window_folds_the_filters(windows: Windows) -> None:
    page = windows.open(report(), WINDOWS[0])
    assert not page.get_by_label("warning").is_visible()
    page.get_by_text("Filter", exact=True).click()
    page.get_by_label("warning").check()
    assert shown(page) == ["TL301"]


def test_a_link_opens_the_finding(windows: Windows) -> None:
    page = windows.open(report())
    name = page.locator(".finding").last.get_attribute("id")
    there = windows.open(report(), anchor=f"#{name}")
    assert there.get_by_text("Memory grows").is_visible()
    # Also when it is filtered away just now.
    there.locator("summary", has_text="TL301").click()
    there.get_by_label("error").check()
    assert not there.locator(f"#{name}").is_visible()
    there.evaluate("location.hash = ''")
    there.evaluate(f"location.hash = '#{name}'")
    there.get_by_text("Memory grows").wait_for()


def test_five_thousand_findings(windows: Windows) -> None:
    text = Lines().text * 30
    many = [
        finding(
            Span(6 + 7 * (number % 25), 9, 6 + 7 * (number % 25), 30),
            HANGS,
            path=Path(f"src/file{number // 25}.py"),
            repair=HOIST,
        )
        for number in range(5_000)
    ]
    page = windows.open(written(many, lines_of=Lines(text)))
    page.get_by_text("Showing 5000 findings.").wait_for()
    # Measured: 0.2 s each on a machine that was busy otherwise; a page that lays out everything anew takes many times that.
    took = page.evaluate(
        """() => {
            const begin = performance.now();
            const file = document.getElementById("file");
            file.value = "src/file77.py";
            file.dispatchEvent(new Event("change", {bubbles: true}));
            document.body.getBoundingClientRect();
            return performance.now() - begin;
        }"""
    )
    assert len(shown(page)) == 25
    assert took < 3_000
    page.get_by_role("button", name="Clear all").click()
    page.keyboard.press("j")
    assert focused(page) == "TL101"
