"""From the figures that were measured to rows that say which budgets are kept: for the terminal, and for a README."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from plotted import plot

BEGIN, END = "<!-- benchmarks: begin -->", "<!-- benchmarks: end -->"
MEGABYTE = 1 << 20
# With fewer lines than this, what a line costs is lost in what a run costs.
ENOUGH = 100_000
# The same for a repository whose figure is shown by itself.
TELLING = 10_000

Results = Mapping[str, Any]


class Row(NamedTuple):
    """One line of the report. ``actual`` and ``budget`` are in ``unit``; ``at_least`` says that more is better."""

    work: str
    actual: float
    budget: float | None
    unit: str
    detail: str
    at_least: bool = False

    @property
    def kept(self) -> bool:
        """Whether the budget is kept, if there is one."""
        if self.budget is None:
            return True
        return self.actual >= self.budget if self.at_least else self.actual <= self.budget

    @property
    def limit(self) -> str:
        """The budget in words."""
        return "none" if self.budget is None else f"{'≥' if self.at_least else '≤'} {self.budget:g}"


def rows_of(results: Results) -> list[Row]:
    """Every row that the figures are enough for."""
    return [*_cold(results), *_warm(results), *_memory(results), *_small(results), *_growth(results), *_others(results)]


def total(results: Results, key: str) -> float | None:
    """The sum of a figure over the repositories; None when one of them lacks it."""
    figures = [one[key] for one in results["repositories"]]
    return None if None in figures else sum(figures)


def shares(results: Results) -> list[tuple[str, float]]:
    """The cold scan of each repository that is large enough, in parses, highest first."""
    telling = [one for one in results["repositories"] if one["lines"] >= TELLING]
    return sorted(((one["name"], one["cpu"] / one["parse"]) for one in telling), key=lambda share: -share[1])


def _cold(results: Results) -> list[Row]:
    parse, cpu, usual = (total(results, key) or 0.0 for key in ("parse", "cpu", "usual cpu"))
    each = [share for _, share in shares(results)]
    spread = f"; {min(each):.1f} to {max(each):.1f} in one repository" if len(each) > 1 else ""
    rows = [
        Row("cold scan, CPU, all rules", cpu / parse, 4, "× ast.parse", f"{figure(cpu)} s against {figure(parse)} s{spread}"),
        Row("cold scan, CPU, default rules", usual / parse, None, "× ast.parse", f"{figure(usual)} s against {figure(parse)} s"),
    ]
    wall, ruff = total(results, "wall"), total(results, "ruff")
    if wall is not None and ruff is not None:
        detail = f"{figure(wall)} s with -j 2 against {figure(ruff)} s on two threads"
        rows.append(Row("cold scan, wall time, all rules", wall / ruff, 6, "× ruff", detail))
    return rows


def _warm(results: Results) -> list[Row]:
    """Of those repositories that are large enough for a cache."""
    kept = [one for one in results["repositories"] if one["warm"] is not None]
    if not kept:
        return []
    rows = []
    warm, read = (sum(one[key] for one in kept) for key in ("warm", "read"))
    if all(one["ruff"] is not None for one in kept):
        ruff = sum(one["ruff"] for one in kept)
        detail = f"{figure(warm)} s against {figure(ruff)} s"
        rows.append(Row("warm scan, wall time, nothing changed", warm / ruff, 1.5, "× cold ruff", detail))
    beyond = warm - len(kept) * results["least"]["clean"]
    detail = f"{figure(beyond)} s against {figure(read)} s"
    return [*rows, Row("warm scan without start-up", beyond / read, 2, "× reading and hashing", detail)]


def _memory(results: Results) -> list[Row]:
    largest = max(results["repositories"], key=lambda one: one["lines"])
    if largest["lines"] < ENOUGH:
        return []
    least, peak = results["least"]["peak"], largest["peak"]
    scaled = (least + (peak - least) * 1_000_000 / largest["lines"]) / MEGABYTE
    detail = f"{peak / MEGABYTE:.0f} MB for {largest['lines']:,} lines, {least / MEGABYTE:.0f} MB for 4"
    return [Row("memory at 1,000,000 lines", scaled, 400, "MB", detail)]


def _small(results: Results) -> list[Row]:
    nothing, clean = results["least"]["nothing"], results["least"]["clean"]
    detail = f"{clean * 1000:.0f} ms against {nothing * 1000:.1f} ms"
    rows = [Row("start-up, one clean file", clean / nothing, 12, "× python -c pass", detail)]
    one = results["one file"]
    if one is not None:
        detail = f"{figure(one['wall'])} s, at most {figure(one['slowest'])} s, of {one['files']} files of {one['name']}"
        rows.append(Row("one file, with what it imports", one["wall"] / nothing, None, "× python -c pass", detail))
    keys = results["keystrokes"]
    if keys is not None:
        lines = f"a file of {keys['lines']:,} lines"
        rows.append(Row("an answer in an editor, typing", keys["typing"], 20, "× ast.parse", lines))
        rows.append(Row("an answer in an editor, after a pause", keys["thinking"], 20, "× ast.parse", lines))
    return rows


def _growth(results: Results) -> list[Row]:
    points = results["growth"]
    if points[-1][0] < ENOUGH:
        return []
    figures = ", ".join(f"{lines:,}: {microseconds:.0f}" for lines, microseconds in points)
    ratio = points[-1][1] / points[0][1]
    return [Row("growth, CPU for each line", ratio, 1.5, f"× at {points[0][0]:,} lines", f"µs a line at {figures}")]


def _others(results: Results) -> list[Row]:
    rows = []
    compared = results["others"]
    ours = next(one["wall"] for one in results["repositories"] if one["name"] == compared["name"])
    for tool, name, budget in (("torchfix", "TorchFix", 60), ("pylint", "pylint", None)):
        if tool in compared:
            detail = f"{figure(compared[tool])} s against {figure(ours)} s on {compared['name']}"
            rows.append(Row(f"against {name}, wall time", compared[tool] / ours, budget, "× faster", detail, at_least=True))
    return rows


# ---- for people ------------------------------------------------------------------------------------------------------


def figure(value: float) -> str:
    """A number with as many digits as it deserves."""
    digits = max(0, 3 - len(str(int(value))))
    return f"{value:,.{digits}f}"


def about(results: Results) -> str:
    """What was measured, where, in a sentence."""
    facts, found = results["about"], results["repositories"]
    files, lines = (sum(one[key] for one in found) for key in ("files", "lines"))
    what = found[0]["name"] if len(found) == 1 else f"{len(found)} repositories"
    tools = "".join(f", {tool} {number}" for tool, number in facts["tools"].items())
    where = f"{facts['cores']} cores, {facts['system']}, load {facts['load']} at the start"
    ours = f"trainlint {facts['trainlint']}" + (f" at {facts['commit'][:10]}" if facts["commit"] else "")
    return f"{what}, {files:,} files, {lines:,} lines; {where}; Python {facts['python']}{tools}; {ours}"


def as_table(results: Results) -> str:
    """The rows for the terminal."""
    lines = [about(results), ""]
    for row in rows_of(results):
        verdict = "    " if row.budget is None else "ok  " if row.kept else "OVER"
        lines.append(f"{verdict} {row.work:<38} {figure(row.actual):>7} {row.unit:<22} (budget {row.limit}; {row.detail})")
    return "\n".join(lines)


def markdown(rows: Sequence[Row]) -> str:
    """The rows for a README."""
    lines = ["| what | measured | budget | kept | seconds, or what they are of |", "|---|---|---|---|---|"]
    for row in rows:
        verdict = "–" if row.budget is None else "yes" if row.kept else "**no**"
        limit = "–" if row.budget is None else row.limit
        lines.append(f"| {row.work} | {figure(row.actual)} {row.unit} | {limit} | {verdict} | {row.detail} |")
    return "\n".join(lines)


def block(results: Results, picture: str) -> str:
    """What stands between the markers of a README. ``picture`` is where the plot lies, as seen from there."""
    rows = rows_of(results)
    over = [row.work for row in rows if not row.kept]
    verdict = f"Not kept: {'; '.join(over)}." if over else "All of them are kept."
    if results["about"]["load"] > results["about"]["cores"] / 2:
        verdict += "\nOther programs were running meanwhile: what is measured as wall time is too high."
    torchfix = "--torchfix PATH " if "torchfix" in results["about"]["tools"] else ""
    command = f"python benchmarks/budgets.py {torchfix}--runs {results['about']['runs']} --write benchmarks/README.md FOLDER"
    measured = [
        f"- {one['name']}{' at ' + one['commit'][:10] if one['commit'] else ''}: {one['lines']:,} lines, "
        f"{figure(one['cpu'])} s against {figure(one['parse'])} s for `ast.parse`"
        for one in results["repositories"]
    ]
    said = "The budgets, with all rules on: ratios of what was measured in turns in one run, since seconds are one machine's."
    parts = [
        BEGIN,
        f"{said}\n{verdict}",
        markdown(rows),
        f"![{summary(results)}]({picture})",
        f"Measured on {about(results)}. The table above says what each row means. To measure it again:",
        f"```sh\n{command}\n```",
        "<details><summary>What FOLDER held, with the CPU of a cold scan</summary>",
        "\n".join(measured),
        "</details>",
        END,
    ]
    return "\n\n".join(parts)


def summary(results: Results) -> str:
    """The plot in words."""
    rows = {row.work: row for row in rows_of(results)}
    cold = rows["cold scan, CPU, all rules"]
    words = [f"A cold scan with all rules costs {figure(cold.actual)} times what ast.parse costs (budget {cold.limit})"]
    words += [
        f"{row.work} {figure(row.actual)} {row.unit}"
        for name, row in rows.items()
        if name.startswith(("warm", "against", "growth"))
    ]
    return "; ".join(words)


def bars(results: Results) -> list[tuple[str, float]]:
    """Wall seconds of each tool on the repository on which all of them were run."""
    compared = results["others"]
    one = next(one for one in results["repositories"] if one["name"] == compared["name"])
    named = {"reading and hashing": "read", "ruff": "ruff", "trainlint, nothing changed": "warm", "trainlint, cold": "wall"}
    found = [(name, one[key]) for name, key in named.items() if one[key] is not None]
    return found + [(name, compared[name.lower()]) for name in ("pylint", "TorchFix") if name.lower() in compared]


def picture(results: Results) -> str:
    """The plot."""
    title = "What trainlint costs"
    return plot(title, summary(results) + ".", shares(results), bars(results), results["others"]["name"], results["growth"])


def written(readme: str, results: Results, where: str) -> str:
    """A README with the block of these figures. Raises ValueError when it has no markers for it."""
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"there is no {BEGIN} … {END}")
    return before + block(results, where) + after


def publish(results: Results, readme: Path, folder: Path) -> None:
    """Keep the figures and the plot in a folder beside this script, and write the block into the README."""
    folder.mkdir(exist_ok=True)
    where = "results/budgets.svg"
    text = written(readme.read_text(encoding="utf-8"), results, where)
    (folder / "budgets.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    (folder / "budgets.svg").write_text(picture(results), encoding="utf-8")
    readme.write_text(text, encoding="utf-8")
