"""The site in docs/: what is generated is complete, and in what mkdocs builds of it every link leads somewhere."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from trainlint.app.dev.site import FRAMEWORKS, RulePage, completed, from_repository, rule_index, rule_page, rule_pages
from trainlint.codes import UNSETTLED
from trainlint.config.options import OPTIONS
from trainlint.rules import registry

ROOT = Path(__file__).resolve().parents[1]
PAGES = {page.row.code: page for page in rule_pages()}

# ---- what is generated ----------------------------------------------------------------------------------------------


def shown(code: str) -> str:
    return rule_page(PAGES[code], {page.row.code: page.path for page in PAGES.values()})


def facts(text: str) -> dict[str, str]:
    """What the table at the top of a page says."""
    names, _, values, *_ = (
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")
    )
    return dict(zip(names, values, strict=True))


def test_every_rule_has_a_page() -> None:
    assert set(PAGES) == set(registry.shipped())


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_a_page_says_level_state_repair_and_version(page: RulePage) -> None:
    (rule,) = registry.load([page.row.code])
    text = shown(page.row.code)
    assert text.startswith(f"# {rule.name} ({rule.code})\n")
    said = facts(text)
    assert (said["Level"], said["Repair"], said["Since"]) == (rule.level.value, page.repair, f"trainlint {rule.since}")
    assert page.state == ("advice" if rule.level.value == "advice" else "preview" if rule.code in UNSETTLED else "on")
    assert said["State"].startswith("on by default" if page.state == "on" else "off by default: ")
    assert "· since" not in text, "the status line is in the table"
    assert "# expect: " not in text
    assert "expect-below" not in text
    assert "\n## What it finds\n" in text


def test_lines_that_are_reported_are_marked_and_other_rules_are_linked() -> None:
    text = shown("TL710")
    assert '```py hl_lines="7 20"\nimport torch\n' in text
    assert "    scheduler = CosineAnnealingLR(optimizer, T_max=epochs)\n" in text
    assert "that is [TL711](TL711-optimizer-never-stepped.md)'s business" in text
    assert facts(text)["Written for"] == "PyTorch 2.13"
    assert "[TL710]" not in text


def test_frameworks_come_from_what_the_page_shows_as_wrong() -> None:
    assert PAGES["TL710"].frameworks == ["PyTorch", "Transformers"]
    assert PAGES["TL523"].frameworks == ["JAX"]
    assert PAGES["TL506"].frameworks == ["PyTorch", "PyTorch/XLA"]
    assert "beside the code" in PAGES["TL934"].frameworks
    assert {name for page in PAGES.values() for name in page.frameworks} - {*FRAMEWORKS.values(), "beside the code"} == set()


def test_the_index_has_every_rule_with_what_the_filters_ask() -> None:
    text = rule_index(list(PAGES.values()))
    rows = [line for line in text.splitlines() if line.startswith("<tr data-level")]
    assert len(rows) == len(PAGES)
    row = next(row for row in rows if ">TL523<" in row)
    assert 'data-level="warning"' in row or 'data-level="error"' in row
    assert 'data-framework="JAX"' in row
    assert 'href="compilers/TL523-prng-key-reuse.html"' in row
    for name in ("framework", "level", "state"):
        assert f'<select data-filter="{name}">' in text


def test_every_option_is_on_the_page_of_the_configuration() -> None:
    text = completed((ROOT / "docs" / "configuration.md").read_text(encoding="utf-8"))
    assert "<!-- generated" not in text
    for key, option in OPTIONS.items():
        part = text.partition(f"\n### {key} {{ #{key} }}\n")[2].partition("\n### ")[0]
        assert option.type in part
        assert option.default in part
        assert option.example in part


def test_links_of_the_repository_become_links_of_the_site_or_words(tmp_path: Path) -> None:
    source = tmp_path / "README.md"
    source.write_text("[a](../a/README.md#x) [b](b.py) [`c`](c.py) [d](https://d.example) [e](#e)\n```\n[a](b)\n```\n")
    text = from_repository(source, lambda path: "a.md" if path.name == "README.md" else None)
    assert text == "[a](a.md#x) `b` `c` [d](https://d.example) [e](#e)\n```\n[a](b)\n```\n"


def test_the_floors_and_walks_lead_to_the_packages() -> None:
    text = completed("<!-- generated: walks -->")
    assert "[`program`](program.md)" in text
    assert "**A finding, from bytes to report.**" in text


# ---- what is built --------------------------------------------------------------------------------------------------

BUILT = pytest.mark.skipif(
    importlib.util.find_spec("mkdocs") is None or importlib.util.find_spec("material") is None,
    reason="mkdocs is not installed: `nox -s docs` has it",
)


class Links(HTMLParser):
    """The targets and the addresses in one page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in {"href", "src"} and value is not None and (tag, "canonical") != ("link", dict(attrs).get("rel")):
                self.targets.append(value)
            if name == "id" or (name, tag) == ("name", "a"):
                self.anchors.add(value or "")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, as it was built, or as it is built now."""
    already = os.environ.get("TRAINLINT_SITE")
    if already:
        return Path(already)
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Links]:
    return {page: Links(page.read_text(encoding="utf-8")) for page in sorted(site.rglob("*.html")) if page.name != "404.html"}


def dead(pages: dict[Path, Links]) -> Iterator[str]:
    for page, links in pages.items():
        for target in links.targets:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            path = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            if not path.is_file():
                yield f"{page}: {target}: there is no such file"
            elif parts.fragment and path in pages and unquote(parts.fragment) not in pages[path].anchors:
                yield f"{page}: {target}: there is no such place"


@BUILT
def test_every_link_leads_somewhere(pages: dict[Path, Links]) -> None:
    assert sum(len(links.targets) for links in pages.values()) > 1000
    assert list(dead(pages)) == []


@BUILT
def test_the_built_site_has_every_page(site: Path) -> None:
    for page in PAGES.values():
        assert (site / page.path).with_suffix(".html").is_file()
    for name in ("index", "getting-started", "tour", "configuration", "suppressions", "integrations", "benchmark"):
        assert (site / f"{name}.html").is_file()
    packages = {readme.parent.name for readme in (ROOT / "trainlint").glob("*/README.md")}
    assert packages <= {page.stem for page in (site / "architecture").glob("*.html")}


@BUILT
def test_the_hang_is_drawn(site: Path) -> None:
    page = (site / "hang.html").read_text(encoding="utf-8")
    assert "rank 0" in page
    assert '<details class="finding" open=""' in page
    assert "# expect" not in page
    assert str(ROOT) not in page
    tour = (site / "tour.html").read_text(encoding="utf-8")
    assert "all_gather_object" in tour
    assert "<!-- generated" not in tour


@BUILT
def test_it_loads_nothing_from_the_network(pages: dict[Path, Links], site: Path) -> None:
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert 'src="http' not in text
        assert "fonts.googleapis" not in text
    assert "//unpkg.com" not in (site / "index.html").read_text(encoding="utf-8")


def test_a_dead_link_would_be_seen(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text('<a href="b.html">b</a> <a href="#x">x</a> <a href="a.html#y">y</a> <h1 id="y">y</h1>')
    found = list(dead({page: Links(page.read_text())}))
    assert [line.partition(": ")[2] for line in found] == ["b.html: there is no such file", "#x: there is no such place"]
