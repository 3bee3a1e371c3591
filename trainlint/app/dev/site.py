"""The generated pages of the site in ``docs/``: rules, options, architecture, the benchmark, and a hang as trainlint draws it.

Each is made of what the repository has anyway, when the site is built (``docs/hooks.py``), and nothing of it is kept.
"""

from __future__ import annotations

import html
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from trainlint.app.dev.expectations import without
from trainlint.app.engine.driver import check
from trainlint.app.engine.result import Result
from trainlint.app.report.formats import Look, render
from trainlint.app.report.style import Style
from trainlint.codes import CODES, FAMILIES, LEVEL_WORDS, Code, state_of
from trainlint.config import Overrides, find_settings
from trainlint.config.options import OPTIONS, Option
from trainlint.rules import registry

ROOT = Path(__file__).resolve().parents[3]

FRAMEWORKS: Mapping[str, str] = {
    "torch": "PyTorch", "torchvision": "PyTorch", "torch_xla": "PyTorch/XLA", "accelerate": "Accelerate",
    "deepspeed": "DeepSpeed", "lightning": "Lightning", "pytorch_lightning": "Lightning", "transformers": "Transformers",
    "jax": "JAX", "flax": "JAX", "optax": "JAX", "tensorflow": "TensorFlow", "keras": "TensorFlow", "horovod": "Horovod",
    "megatron": "Megatron",
}  # fmt: skip
"""What code imports -> the framework, as the index of the rules names it."""

BESIDE = "beside the code"
"""In place of a framework: launch scripts, configurations, images, requirements."""

_REPAIRS = {"s": "safe", "u": "unsafe", "d": "shown only"}
_CODE = re.compile(r"\bTL\d{3}\b")
_FENCE = re.compile(r"^(```+)(.*)$")
_EXPECTED = re.compile(r"(?:#|//) expect(?:-likely)?: TL")
_BELOW = re.compile(r"^\s*(?:#|//) expect-below: ")
_FOR_TESTS = re.compile(r" *# expect: TL\d{3}\b")
_IMPORT = re.compile(r"^\s*(?:import|from) (\w+)", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]*)\)")
_VERSION = re.compile(r"\b(PyTorch|torch_xla|JAX|TensorFlow|Keras|accelerate|transformers|DeepSpeed|Lightning) (\d+\.\d[\d.]*\b)")
_HANG = "sample_repos/fsdp_lm"


class RulePage(NamedTuple):
    """A rule's page, and what the index says of it."""

    row: Code
    source: Path

    @property
    def path(self) -> str:
        """Where the page is in the site."""
        return f"rules/{self.row.family}/{self.source.name}"

    @property
    def level(self) -> str:
        """The level, as a word."""
        return LEVEL_WORDS[self.row.level]

    @property
    def state(self) -> str:
        """When the rule runs: by default (``on``), with ``--preview``, with ``--advice``."""
        return state_of(self.row.code)[0]

    @property
    def repair(self) -> str:
        """The kinds of repair."""
        return ", ".join(_REPAIRS[kind] for kind in self.row.repairs) or "none"

    @property
    def since(self) -> str:
        """The first version of trainlint with the rule, as the page's status line says."""
        found = re.search(r"· since (\S+)$", self.text, re.MULTILINE)
        return found[1] if found else "0.1"

    @property
    def text(self) -> str:
        """The page as it is in the repository."""
        return self.source.read_text(encoding="utf-8")

    @property
    def frameworks(self) -> list[str]:
        """Whose code the page shows as wrong; of rules on other files, :data:`BESIDE`; none where it is about any code."""
        shown = self.text.partition("\n## When it stays silent")[0]
        found = {FRAMEWORKS[name] for name in _IMPORT.findall(shown) if name in FRAMEWORKS}
        if self.row.family == "linter":
            return []  # it is about the run
        if self.row.code in registry.reads([self.row.code]):
            found.add(BESIDE)
        return sorted(found)

    @property
    def versions(self) -> str:
        """The releases whose documentation or source the page rests on."""
        references = self.text.partition("\n## References")[2]
        return ", ".join(sorted({f"{name} {number.rstrip('.')}" for name, number in _VERSION.findall(references)}))


def rule_pages() -> list[RulePage]:
    """Every rule that ships, by code."""
    found = [next((ROOT / "rules" / CODES[code].family).glob(f"{code}-*.md")) for code in registry.shipped()]
    return sorted((RulePage(CODES[page.name[:5]], page) for page in found), key=lambda page: page.row.code)


def generated() -> dict[str, str]:
    """Every page and file that is made when the site is built: path in the site -> text."""
    rules = rule_pages()
    paths = {page.row.code: page.path for page in rules}
    files = {page.path: rule_page(page, paths) for page in rules}
    files["rules/index.md"] = rule_index(rules)
    for readme in sorted((ROOT / "trainlint").rglob("README.md")):
        files[f"architecture/{readme.parent.name}.md"] = from_repository(readme, _architecture)
    files["hang.html"] = hang_page()
    files["benchmark.md"] = from_repository(ROOT / "benchmarks" / "realbugs" / "README.md", lambda _: None)
    return files


def rule_page(page: RulePage, paths: Mapping[str, str]) -> str:
    """A rule's page: what is to be known of it in a table, the wrong lines marked, and other rules linked."""
    title, _, rest = page.text.partition("\n")
    body = rest.lstrip("\n").partition("\n")[2]
    facts = {
        "Level": page.level,
        "State": {
            "on": "on by default",
            "preview": f"off by default: `--preview` or `--extend-select {page.row.code}`",
            "advice": f"off by default: `--advice` or `--extend-select {page.row.code}`",
        }[page.state],
        "Repair": page.repair,
        "Frameworks": ", ".join(page.frameworks) or "any",
        "Since": f"trainlint {page.since}",
        "Written for": page.versions,
    }
    said = {name: value for name, value in facts.items() if value}
    table = "\n".join(f"| {' | '.join(row)} |" for row in (said, ["---"] * len(said), said.values()))
    family = f"[{page.row.family}](../index.md#{page.row.family}): {FAMILIES[page.row.family]}"
    return f"{title}\n\n{family}\n\n{table}\n{_readable(body, page, paths)}"


def _readable(text: str, page: RulePage, paths: Mapping[str, str]) -> str:
    """The text of a page for readers: in prose codes become links; in code, lines that are reported are marked."""
    lines: list[str] = []
    block: list[str] | None = None
    for line in text.splitlines():
        fence = _FENCE.match(line)
        if block is not None:
            block.append(line)
            if fence and not fence[2]:
                lines += _block(block)
                block = None
        elif fence:
            block = [line]
        else:
            lines.append(_linked(line, page, paths))
    return "\n".join([*lines, ""])


def _block(lines: Sequence[str]) -> Iterator[str]:
    """A fenced block without the comments that are for the tests."""
    code = [line for line in lines[1:-1] if not _BELOW.match(line)]
    marked = " ".join(str(number) for number, line in enumerate(code, 1) if _EXPECTED.search(line))
    language = (lines[0].strip("`").split() or ["text"])[0].replace("requirements", "text")
    yield f'```{language} hl_lines="{marked}"' if marked else f"```{language}"
    yield from without("\n".join(code)).split("\n")
    yield "```"


def _linked(line: str, page: RulePage, paths: Mapping[str, str]) -> str:
    """A line of prose in which the codes of other rules lead to their pages; what is code or a link stays."""
    parts = re.split(r"(`[^`]*`|\[[^\]]*\]\([^)]*\))", line)
    here = Path(page.path).parent

    def link(found: re.Match[str]) -> str:
        code = found[0]
        if code == page.row.code or code not in paths:
            return code
        return f"[{code}]({os.path.relpath(paths[code], here)})"

    return "".join(part if part[:1] in {"`", "["} else _CODE.sub(link, part) for part in parts)


def rule_index(rules: Sequence[RulePage]) -> str:
    """All rules, family by family; each row says what the filters ask."""
    frameworks = sorted({name for page in rules for name in page.frameworks})
    choices = {"framework": [*frameworks, "any"], "level": list(LEVEL_WORDS.values()), "state": ["on", "preview", "advice"]}
    filters = "\n".join(
        f'<label>{name.capitalize()} <select data-filter="{name}"><option value="">all</option>'
        + "".join(f"<option>{choice}</option>" for choice in values)
        + "</select></label>"
        for name, values in choices.items()
    )
    parts = [
        "---\nhide: [toc]\n---\n\n# Rules",
        "**On** rules run by default, **preview** rules with `--preview`, **advice** with `--advice`, and all where selected.",
        f'<form class="rule-filters" hidden>\n{filters}\n<output></output>\n</form>',
    ]
    for family, about in FAMILIES.items():
        rows = [_row(page) for page in rules if page.row.family == family]
        title = f"## {family} {{ #{family} }}\n\n{about[0].upper()}{about[1:]}."
        head = "".join(f"<th>{name}</th>" for name in ("Code", "Name", "What it finds", "Level", "State", "Repair", "Frameworks"))
        table = f"<table><thead><tr>{head}</tr></thead><tbody>\n{chr(10).join(rows)}\n</tbody></table>"
        parts.append(f'<section class="rule-family" markdown="block">\n\n{title}\n\n{table}\n\n</section>')
    return "\n\n".join(parts) + "\n"


def _row(page: RulePage) -> str:
    (rule,) = registry.load([page.row.code])
    address = page.path.removeprefix("rules/").removesuffix(".md") + ".html"
    summary = re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(rule.summary, quote=False))
    frameworks = page.frameworks or ["any"]
    cells = (
        f'<a href="{address}">{page.row.code}</a>',
        page.row.name,
        summary,
        page.level,
        page.state,
        page.repair,
        ", ".join(frameworks),
    )
    data = f'data-level="{page.level}" data-state="{page.state}" data-framework="{html.escape("|".join(frameworks))}"'
    return f"<tr {data}>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def from_repository(source: Path, where: Callable[[Path], str | None]) -> str:
    """A Markdown file of the repository; ``where`` tells where in the site the file of a link is, if it is there at all."""

    def link(found: re.Match[str]) -> str:
        name, target = found.groups()
        if not target or "://" in target or target.startswith("#"):
            return found[0]
        path, _, anchor = target.partition("#")
        place = where((source.parent / path).resolve())
        if place is None:
            return name if "`" in name else f"`{name}`"
        return f"[{name}]({place}{'#' if anchor else ''}{anchor})"

    parts = re.split(r"(^```.*?^```$)", source.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return "".join(part if part.startswith("```") else _LINK.sub(link, part) for part in parts)


def _architecture(path: Path) -> str | None:
    """Where the README of a package is, seen from the page of another one."""
    inside = path.name == "README.md" and ROOT / "trainlint" in path.parents
    return f"{path.parent.name}.md" if inside else None


def options() -> str:
    """Every option of the configuration, under a heading of its own."""
    return "\n\n".join(map(_option, OPTIONS.values()))


def _option(option: Option) -> str:
    default = option.default if re.search(r"[a-z] [a-z]|^none$", option.default) else f"`{option.default}`"
    header = "" if option.example.startswith("[") else "[tool.trainlint]\n"
    about = " ".join(option.description.split()).replace("*", r"\*")
    return (
        f"### {option.key} {{ #{option.key} }}\n\n{about}\n\n- **Type**: {option.type}\n- **Default**: {default}\n\n"
        f"```toml\n{header}{option.example}\n```"
    )


def walks() -> str:
    """The floors and the three walks through the code, as CONTRIBUTING has them."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    part = text.partition("\n## Find your way\n")[2].partition("\n## ")[0]

    def link(found: re.Match[str]) -> str:
        name, target = found.groups()
        inside = re.fullmatch(r"trainlint/(?:app/)?(\w+)/README\.md", target)
        return f"[{name}]({inside[1]}.md)" if inside else name

    return _LINK.sub(link, part)


def hang_page() -> str:
    """What trainlint says of a sample that hangs, for a browser: the ranks are drawn side by side, every finding unfolded."""
    return _said_of_hang("html").replace('<details class="finding"', '<details class="finding" open=""')


def hang_text() -> str:
    """The same for a terminal."""
    return f"```text\n{_said_of_hang('full')}```"


def _said_of_hang(form: str) -> str:
    result = _hang()
    findings = sorted(result.findings, key=lambda finding: finding.sort_key)
    said = render(form, findings, Look(Style(), False, result.lines_of, result.in_file))
    return _FOR_TESTS.sub("", said.replace(f"{ROOT}{os.sep}", ""))


@cache
def _hang() -> Result:
    folder = ROOT / _HANG
    return check([folder], find_settings(folder, Overrides({"select": ["TL101"]}), isolated=True))


_PARTS: Mapping[str, Callable[[], str]] = {"options": options, "walks": walks, "hang": hang_text}
_PART = re.compile("<!-- generated: (" + "|".join(_PARTS) + ") -->")


def completed(text: str) -> str:
    """A page that is written by hand, with the parts in place of comments such as ``<!-- generated: options -->``."""
    return _PART.sub(lambda found: _PARTS[found[1]](), text)
