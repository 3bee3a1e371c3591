"""The arithmetic of the benchmark; what benchmarks/README.md shows is what it would write from the figures that are kept."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

published = pytest.importorskip("published", reason="benchmarks/ needs a Unix")
budgets = pytest.importorskip("budgets")

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "benchmarks" / "results"
MEGABYTE = 1 << 20

# Round figures, so that every row can be computed in the head.
REPOSITORY = {
    "name": "large",
    "commit": "0123456789abcdef",
    "files": 900,
    "lines": 200_000,
    "parse": 2.0,
    "cpu": 6.0,
    "wall": 5.0,
    "peak": 120 * MEGABYTE,
    "usual cpu": 4.0,
    "read": 0.1,
    "warm": 0.3,
    "ruff": 1.0,
}
RESULTS: dict[str, Any] = {
    "about": {
        "trainlint": "1.2",
        "commit": "fedcba9876543210",
        "python": "3.11.7",
        "system": "Linux x86_64",
        "cores": 2,
        "load": 0.1,
        "runs": 3,
        "tools": {"ruff": "0.17.6", "torchfix": "0.7.0"},
    },
    "repositories": [
        REPOSITORY,
        {**REPOSITORY, "name": "small", "lines": 20_000, "parse": 1.0, "cpu": 9.0, "warm": None, "peak": 100 * MEGABYTE},
        {**REPOSITORY, "name": "tiny", "lines": 9_999, "parse": 0.5, "cpu": 5.0},
    ],
    "least": {"peak": 20 * MEGABYTE, "nothing": 0.02, "clean": 0.1},
    "one file": {"name": "large", "files": 5, "wall": 0.4, "slowest": 0.9},
    "keystrokes": {"lines": 1_100, "typing": 12.0, "thinking": 21.0},
    "growth": [[10_000, 20.0], [100_000, 25.0]],
    "others": {"name": "small", "lines": 20_000, "torchfix": 400.0, "pylint": 100.0},
}


def rows(results: dict[str, Any] = RESULTS) -> dict[str, Any]:
    return {row.work: row for row in published.rows_of(results)}


def drawn() -> ET.Element:
    return ET.fromstring(published.picture(RESULTS))  # noqa: S314 - we wrote it


def without(**changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(RESULTS), **changes}


class TestArithmetic:
    @pytest.mark.parametrize(
        ("work", "actual", "kept"),
        [
            ("cold scan, CPU, all rules", 20 / 3.5, False),  # what all repositories cost, by what parsing all of them does
            ("cold scan, CPU, default rules", 12 / 3.5, True),
            ("cold scan, wall time, all rules", 5.0, True),
            ("warm scan, wall time, nothing changed", 0.6 / 2, True),  # only where there is a cache: ruff's time of these
            ("warm scan without start-up", (0.6 - 0.2) / 0.2, True),
            ("memory at 1,000,000 lines", 20 + 100 * 5, False),  # what a run takes anyhow does not grow
            ("start-up, one clean file", 5.0, True),
            ("one file, with what it imports", 20.0, True),
            ("an answer in an editor, typing", 12.0, True),
            ("an answer in an editor, after a pause", 21.0, False),
            ("growth, CPU for each line", 1.25, True),
            ("against TorchFix, wall time", 80.0, True),
            ("against pylint, wall time", 20.0, True),
        ],
    )
    def test_a_row(self, work: str, actual: float, kept: bool) -> None:
        row = rows()[work]
        assert row.actual == pytest.approx(actual)
        assert row.kept is kept

    def test_these_are_all(self) -> None:
        assert len(rows()) == 13

    @pytest.mark.parametrize(("at_least", "kept"), [(False, [True, True, False]), (True, [False, True, True])])
    def test_a_budget_that_is_met_exactly_is_kept(self, at_least: bool, kept: list[bool]) -> None:
        assert [published.Row("w", actual, 4, "x", "d", at_least).kept for actual in (3.99, 4, 4.01)] == kept

    def test_what_was_not_measured_has_no_row(self) -> None:
        bare = without(keystrokes=None, others={"name": "small", "lines": 20_000}, growth=[[10_000, 1.0]])
        bare["one file"] = None
        bare["repositories"] = [{**REPOSITORY, "name": "small", "lines": 99_999, "ruff": None, "warm": None}]
        assert list(rows(bare)) == ["cold scan, CPU, all rules", "cold scan, CPU, default rules", "start-up, one clean file"]

    def test_a_repository_without_ruff_leaves_no_ratio_of_the_others(self) -> None:
        some = without()
        some["repositories"][0]["ruff"] = None
        assert not [work for work, row in rows(some).items() if "ruff" in row.unit]

    def test_samples_grow_threefold_up_to_all(self) -> None:
        assert budgets.sizes(1_000_000) == [10_000, 30_000, 100_000, 300_000, 1_000_000]
        assert budgets.sizes(31_000) == [10_000, 31_000]
        assert budgets.sizes(5_000) == [5_000]

    @pytest.mark.parametrize(
        ("value", "said"), [(0.123, "0.12"), (4.0, "4.00"), (4.004, "4.00"), (12.34, "12.3"), (345.6, "346"), (12345.6, "12,346")]
    )
    def test_figures_have_three_digits(self, value: float, said: str) -> None:
        assert published.figure(value) == said


class TestTheBlock:
    def test_it_says_what_is_not_kept(self) -> None:
        text = published.block(RESULTS, "plot.svg")
        assert "Not kept: cold scan, CPU, all rules; memory at 1,000,000 lines; an answer in an editor, after a pause." in text
        assert text.count("**no**") == 3
        assert "| cold scan, CPU, all rules | 5.71 × ast.parse | ≤ 4 | **no** | 20.0 s against 3.50 s; 3.0 to 9.0 in" in text
        assert "| against pylint, wall time | 20.0 × faster | – | – |" in text

    def test_it_says_where_it_was_measured_and_how_to_do_it_again(self) -> None:
        text = published.block(RESULTS, "plot.svg")
        assert "3 repositories, 2,700 files, 229,999 lines; 2 cores, Linux x86_64, load 0.1 at the start; Python 3.11.7" in text
        assert "python benchmarks/budgets.py --torchfix PATH --runs 3 --write benchmarks/README.md FOLDER" in text
        assert "- large at 0123456789: 200,000 lines" in text

    @pytest.mark.parametrize(("load", "said"), [(0.9, False), (1.1, True)])
    def test_a_machine_that_was_busy_is_not_hidden(self, load: float, said: bool) -> None:
        text = published.block(without(about={**RESULTS["about"], "load": load}), "plot.svg")
        assert ("Other programs were running meanwhile" in text) is said

    def test_it_is_put_between_the_markers_and_nowhere_else(self) -> None:
        readme = f"before\n{published.BEGIN}\nold\n{published.END}\nafter\n"
        once = published.written(readme, RESULTS, "plot.svg")
        assert once.startswith("before\n" + published.BEGIN)
        assert once.endswith(published.END + "\nafter\n")
        assert "\nold\n" not in once
        assert published.written(once, RESULTS, "plot.svg") == once

    @pytest.mark.parametrize("readme", ["", published.BEGIN, f"{published.END} {published.BEGIN}"])
    def test_a_file_without_markers_is_left_alone(self, tmp_path: Path, readme: str) -> None:
        path = tmp_path / "README.md"
        path.write_text(readme)
        with pytest.raises(ValueError, match="there is no"):
            published.publish(RESULTS, path, tmp_path / "results")
        assert path.read_text() == readme
        assert not list((tmp_path / "results").glob("*"))


class TestThePlot:
    def test_it_can_be_read_aloud(self) -> None:
        svg = drawn()
        ids = {element.get("id"): element.text for element in svg}
        assert svg.get("role") == "img"
        assert [ids[name] for name in str(svg.get("aria-labelledby")).split()] == [
            "What trainlint costs",
            published.summary(RESULTS) + ".",
        ]

    def test_bars_are_as_long_as_their_figures(self) -> None:
        svg = drawn()
        shares = [float(str(bar.get("width"))) for bar in svg.iter("{http://www.w3.org/2000/svg}rect")][:2]
        assert shares[0] / shares[1] == pytest.approx(9 / 3, rel=0.01)

    def test_what_is_over_the_budget_has_another_colour(self) -> None:
        svg = drawn()
        first, second, *_ = (bar.get("fill") for bar in svg.iter("{http://www.w3.org/2000/svg}rect"))
        assert first != second

    def test_nothing_is_laid_outside(self) -> None:
        svg = drawn()
        width, height = (float(size) for size in str(svg.get("viewBox")).split()[2:])
        for element in svg.iter():
            assert 0 <= float(element.get("x", 0)) <= width
            assert 0 <= float(element.get("y", 0)) <= height

    @pytest.mark.parametrize("ground", ["#ffffff", "#0d1117"])
    def test_it_can_be_seen_on_light_and_dark_pages(self, ground: str) -> None:
        svg = drawn()
        for element in svg.iter():
            colour = element.get("fill" if element.tag.endswith(("text", "rect", "circle")) else "stroke", "none")
            if colour != "none":
                assert contrast(colour, ground) >= (4 if element.tag.endswith("text") else 3), (element.tag, colour)


def contrast(one: str, other: str) -> float:
    """As WCAG 2 computes it."""

    def light(colour: str) -> float:
        parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


class TestWhatIsKept:
    def test_the_readme_shows_the_figures_that_are_kept(self) -> None:
        readme = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
        results = json.loads((KEPT / "budgets.json").read_text(encoding="utf-8"))
        (picture,) = re.findall(r"\]\((results/\S+\.svg)\)", readme)
        assert published.written(readme, results, picture) == readme
        assert (ROOT / "benchmarks" / picture).read_text(encoding="utf-8") == published.picture(results)
