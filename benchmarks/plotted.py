"""The plot: an SVG laid by hand, in colours that can be read on white and on black."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape

# On white and on GitHub's dark ground alike: words have a contrast of at least 4, marks of at least 3. (A style sheet would ask
# for the theme of the system, which need not be that of the page.)
WORDS, KEPT, OVER, LINES = "#747b85", "#2f81f7", "#d1662a", "#8b949e"
WIDTH, BAR, GAP = 860, 14, 22
LEFT = 250


def plot(
    title: str,
    description: str,
    shares: Sequence[tuple[str, float]],
    bars: Sequence[tuple[str, float]],
    compared: str,
    growth: Sequence[tuple[int, float]],
    budget: float = 4,
) -> str:
    """Three panels below one another: parses for each repository, seconds of each tool (logarithmic), and CPU for each line."""
    parts: list[str] = []
    top = 30
    parts += _heading(top, "CPU of a cold scan with all rules, in ast.parse of the same files")
    top = _bars(parts, top + 14, [(name, value, f"{value:.1f}") for name, value in shares], 0.0, budget)
    top += 40
    parts += _heading(top, f"Wall time on {compared}, logarithmic")
    low = min(seconds for _, seconds in bars) / 2
    top = _bars(parts, top + 14, [(name, seconds, f"{seconds:.2f} s") for name, seconds in bars], low, None)
    top += 40
    parts += _heading(top, "CPU for each line as the code grows, in microseconds")
    top = _curve(parts, top + 20, growth)
    height = top + 20
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    named = 'role="img" aria-labelledby="title description" font-family="system-ui, sans-serif" font-size="13"'
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {named}>',
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="description">{escape(description)}</desc>',
    ]
    return "\n".join([*head, *parts, "</svg>\n"])


def _text(x: float, y: float, text: str, anchor: str = "start", weight: str = "normal") -> str:
    return f'<text x="{x:g}" y="{y:g}" fill="{WORDS}" text-anchor="{anchor}" font-weight="{weight}">{escape(text)}</text>'


def _line(x: float, y: float, across: float, down: float, colour: str, dashes: str = "none") -> str:
    return f'<path d="M{x:.1f} {y:.1f}l{across:.1f} {down:.1f}" stroke="{colour}" stroke-dasharray="{dashes}"/>'


def _heading(y: float, text: str) -> Iterator[str]:
    yield _text(10, y, text, weight="bold")


def _bars(parts: list[str], top: int, bars: Sequence[tuple[str, float, str]], low: float, budget: float | None) -> int:
    """Add horizontal bars with a name and a figure each, from zero, or logarithmic from ``low``; returns where they end."""
    space = WIDTH - LEFT - 90
    high = max([budget or 0.0, *(value for _, value, _ in bars)])

    def length(value: float) -> float:
        return space * (math.log(value / low) / math.log(high / low) if low else value / high)

    for number, (name, value, said) in enumerate(bars):
        y = top + number * GAP
        over = budget is not None and value > budget
        parts.append(_text(LEFT - 8, y + 12, name, "end"))
        parts.append(f'<rect x="{LEFT}" y="{y}" width="{length(value):.1f}" height="{BAR}" fill="{OVER if over else KEPT}"/>')
        parts.append(_text(LEFT + length(value) + 6, y + 12, said))
    end = top + len(bars) * GAP
    if budget is not None:
        parts.append(_line(LEFT + length(budget), top - 4, 0, end - top + 4, LINES, "4 3"))
        parts.append(_text(LEFT + length(budget), end + 12, f"budget {budget:g}", "middle"))
        return end + 12
    return end


def _curve(parts: list[str], top: int, points: Sequence[tuple[int, float]]) -> int:
    """Add the points over a logarithmic axis of lines; returns where that ends."""
    height, space = 110, WIDTH - LEFT - 90
    highest = max(value for _, value in points) * 1.15
    first, last = points[0][0], max(points[-1][0], points[0][0] + 1)
    places = [
        (LEFT + space * math.log(lines / first) / math.log(last / first), top + height * (1 - value / highest))
        for lines, value in points
    ]
    parts.append(_line(LEFT, top + height, space, 0, LINES))
    parts.append(
        f'<polyline fill="none" stroke="{KEPT}" stroke-width="2" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in places)}"/>'
    )
    for (lines, value), (x, y) in zip(points, places, strict=True):
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{KEPT}"/>')
        parts.append(_text(x, y - 9, f"{value:.0f}", "middle"))
        parts.append(_text(x, top + height + 16, f"{lines:,}", "middle"))
    parts.append(_text(LEFT - 8, top + height + 16, "lines", "end"))
    return top + height + 16
