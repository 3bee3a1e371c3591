"""The workflows, as far as they can be read without the server that runs them."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

import yaml

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[1]
CI = ROOT / ".ci" / "run"


def workflow(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / ".github" / "workflows" / name).read_text(encoding="utf-8"))
    return loaded


def steps_of(job: dict[str, Any], action: str) -> list[dict[str, Any]]:
    return [step for step in job["steps"] if step.get("uses", "").partition("@")[0] == action]


def test_ci_runs_the_script_on_every_python_that_is_declared() -> None:
    job = workflow("ci.yml")["jobs"]["everything"]
    assert [step["run"] for step in job["steps"] if "run" in step] == [CI.relative_to(ROOT).as_posix()]
    assert os.access(CI, os.X_OK)
    (setup,) = steps_of(job, "actions/setup-python")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {match[1] for each in project["classifiers"] if (match := re.fullmatch(r".* :: (3\.\d+)", each))}
    assert set(setup["with"]["python-version"].split()) == declared


def test_the_sessions_that_ci_runs_exist() -> None:
    sessions = set(re.findall(r"@nox\.session.*\ndef (\w+)\(", (ROOT / "noxfile.py").read_text(encoding="utf-8")))
    asked = set(re.findall(r'"\$nox" -s (\w+)', CI.read_text(encoding="utf-8")))
    assert "vscode" in asked
    assert asked <= sessions


def test_only_the_job_that_publishes_may_say_who_it_is_and_it_publishes_what_was_tested() -> None:
    release = workflow("release.yml")
    build, publish = release["jobs"]["build"], release["jobs"]["publish"]
    assert (release["permissions"], build.get("permissions")) == ({"contents": "read"}, None)
    assert publish["permissions"] == {"id-token": "write"}
    assert publish["needs"] == "build"
    (kept,) = (step for step in steps_of(build, "actions/upload-artifact") if step["with"]["name"] == "dist")
    (taken,) = steps_of(publish, "actions/download-artifact")
    assert kept["with"]["path"].rstrip("/") == taken["with"]["path"]
    commands = "\n".join(step.get("run", "") for step in build["steps"])
    for path in re.findall(r"tests/\S+\.py", commands):
        assert (ROOT / path).is_file()
    assert "tests/test_wheel.py" in commands
