"""From the name of an output format to the text. Each format is imported when it is used."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from trainlint.app.report.places import InFile, LinesOf
from trainlint.app.report.style import Style
from trainlint.finding import Finding

#: The module and the function of each format, and which parts of :class:`Look` it is given besides the findings.
_RENDERERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "full": ("full.render", ("lines_of", "style", "unsafe")),
    "concise": ("concise.render", ("style", "unsafe")),
    "grouped": ("concise.render_grouped", ("style", "unsafe")),
    "json": ("json_format.render", ()),
    "json-lines": ("json_format.render_lines", ()),
    "html": ("html_page.render", ("lines_of", "unsafe")),
    "markdown": ("markdown.render", ("lines_of",)),
    "github": ("annotations.render_github", ("in_file",)),
    "sarif": ("sarif.render", ("lines_of", "in_file")),
    "gitlab": ("build_servers.render_gitlab", ("lines_of", "in_file")),
    "rdjson": ("rdjson.render", ("lines_of", "in_file")),
    "junit": ("build_servers.render_junit", ()),
    "azure": ("annotations.render_azure", ("in_file",)),
    "pylint": ("concise.render_for_pylint", ()),
}


#: What build servers take for a command of their own wherever they see it (:mod:`trainlint.app.report.printable`), as it looks in
#: JSON and in XML: only texts can hold it, and there a character may be spelled by its number.
_COMMAND = re.compile(r"##(?=(?:vso)?\[)", re.IGNORECASE)
_HARMLESS = {**dict.fromkeys(("json", "json-lines", "sarif", "gitlab", "rdjson"), r"#\\u0023"), "junit": "#&#35;"}


class Look(NamedTuple):
    """How findings are shown: colours and width, whether unsafe repairs count as repairs, and the lines of the files.

    ``in_file`` says where the places of notebooks are in their files; None: not known.
    """

    style: Style
    unsafe: bool
    lines_of: LinesOf
    in_file: InFile | None = None


def render(form: str, findings: Sequence[Finding], look: Look) -> str:
    """The findings in a format of ``trainlint.config.settings.FORMATS``; also without findings a whole document."""
    name, wanted = _RENDERERS[form]
    module, _, function = name.partition(".")
    write: Callable[..., str] = getattr(import_module(f"trainlint.app.report.{module}"), function)
    given: dict[str, Any] = {part: getattr(look, part) for part in wanted}
    text = write(findings, **given)
    return _COMMAND.sub(_HARMLESS[form], text) if form in _HARMLESS and "##" in text else text
