"""The GitHub action: its steps are run as the runner runs them, in their order, with the same variables."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.frontends.conftest import BAD


def action(repository: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((repository / "action.yml").read_text(encoding="utf-8"))
    return loaded


def filled(text: str, inputs: dict[str, str]) -> str:
    """The runner's expressions, as far as this action uses them."""
    return re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda match: inputs[match[1]], text)


def wanted(step: dict[str, Any], inputs: dict[str, str]) -> bool:
    condition = step.get("if")
    return condition is None or (condition == "${{ inputs.sarif == 'true' }}" and inputs["sarif"] == "true")


@pytest.mark.heavy  # installs the checkout with its dependencies
def test_the_steps(repository: Path, tmp_path: Path) -> None:
    declared = action(repository)
    inputs = {name: about["default"] for name, about in declared["inputs"].items()}
    inputs.update(sarif="true", python=sys.executable, paths="train.py other", args="--isolated")
    project, temp = tmp_path / "project", tmp_path / "temp"
    (project / "other").mkdir(parents=True)
    temp.mkdir()
    (project / "train.py").write_text(BAD, encoding="utf-8")
    (project / "other" / "fine.py").write_text("X = 1\n", encoding="utf-8")
    variables = tmp_path / "variables"
    variables.touch()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment.update(
        GITHUB_ACTIONS="true", RUNNER_TEMP=str(temp), GITHUB_ACTION_PATH=str(repository), GITHUB_ENV=str(variables)
    )
    outputs = {}
    for step in declared["runs"]["steps"]:
        if "run" not in step or not wanted(step, inputs):
            continue
        own = {name: filled(value, inputs) for name, value in step.get("env", {}).items()}
        told = dict(line.split("=", 1) for line in variables.read_text(encoding="utf-8").splitlines())
        script = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        outputs[step["name"]] = subprocess.run(
            script, cwd=project, env={**environment, **told, **own}, capture_output=True, text=True, check=False
        )
    assert [done.returncode for done in outputs.values()] == [0, 0, 1], outputs
    assert outputs["Run trainlint"].stdout.startswith("::error file=train.py,line=6,endLine=6,col=9,")
    log = json.loads((temp / "trainlint.sarif").read_text(encoding="utf-8"))
    assert [result["ruleId"] for result in log["runs"][0]["results"]] == ["TL101"]


def test_inputs_never_become_part_of_a_script(repository: Path) -> None:
    for step in action(repository)["runs"]["steps"]:
        assert "${{" not in step.get("run", "")
