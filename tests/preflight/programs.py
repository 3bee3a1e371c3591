"""Small programs, all of them looked at in one run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from trainlint.app.cli.run import Request, settings_for
from trainlint.app.preflight.report import as_data
from trainlint.app.preflight.run import preflight


def verdicts(folder: Path, sources: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """For each program, by its name, the verdicts of its lines."""
    for number, text in enumerate(sources.values()):
        (folder / str(number) / ".git").mkdir(parents=True)
        (folder / str(number) / "train.py").write_text(text, encoding="utf-8")
    report = as_data(preflight([folder], settings_for(Request(paths=(str(folder),), isolated=True))))
    names = list(sources)
    return {
        names[int(Path(job["script"]).parent.name)]: {line["name"]: line["verdict"] for line in job["lines"]}
        for job in report["jobs"]
    }
