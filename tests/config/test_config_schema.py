"""The JSON schema of the configuration is what the options say, and judges a configuration as trainlint does."""

from __future__ import annotations

import json
import sys

import pytest
from click.testing import CliRunner
from jsonschema import Draft7Validator

from trainlint.app.cli.main import main as trainlint
from trainlint.app.dev.schema import FILE, main, text
from trainlint.catalogue import TABLE
from trainlint.codes import INSTALLED
from trainlint.config import ConfigError, Settings, find_settings
from trainlint.config.options import LEVELS, OPTIONS
from trainlint.config.settings import FORMATS
from trainlint.config.target import FRAMEWORKS
from trainlint.knowledge.checking import mistakes
from trainlint.knowledge.load import shipped

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SCHEMA = json.loads(FILE.read_text(encoding="utf-8"))
VALIDATOR = Draft7Validator(SCHEMA)

TYPES = {
    "selectors": "array",
    "selector table": "object",
    "strings": "array",
    "boolean": "boolean",
    "choice": "string",
    "count": "integer",
    "seconds": "number",
    "file": "string",
    "levels": "object",
    "versions": "object",
    "tables": "object",
}


def test_it_is_up_to_date(capsys):
    assert FILE.read_text(encoding="utf-8") == text(), "run `trainlint dev schema --bless`"
    assert main(bless=False) == 0
    assert "up to date" in capsys.readouterr().out


def test_one_that_is_not_is_written_when_asked_for(tmp_path, monkeypatch, capsys):
    file = tmp_path / "schema.json"
    monkeypatch.setattr("trainlint.app.dev.schema.FILE", file)
    assert main(bless=False) == 1
    assert "--bless" in capsys.readouterr().out
    assert not file.exists()
    assert main(bless=True) == 0
    assert file.read_text(encoding="utf-8") == text()


def test_it_is_a_schema_as_schemastore_has_them():
    Draft7Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"] == "http://json-schema.org/draft-07/schema#"
    assert SCHEMA["$id"] == "https://json.schemastore.org/trainlint.json"


def test_it_has_every_option():
    assert list(SCHEMA["properties"]) == list(OPTIONS)


@pytest.mark.parametrize("key", OPTIONS)
def test_an_option_has_its_type_description_default_and_values(key, tmp_path):
    option, found = OPTIONS[key], SCHEMA["properties"][key]
    assert found["type"] == TYPES[option.kind]
    assert " ".join(option.description.split()) in found["description"]
    value = getattr(Settings(tmp_path), option.field)
    if value is None:
        assert option.default in found["description"]
    else:
        assert found["default"] == json.loads(json.dumps(value))
        assert VALIDATOR.is_valid({key: found["default"]})
    assert found.get("enum", []) == list(option.choices)


def test_the_allowed_values():
    (ours, _) = SCHEMA["definitions"]["selector"]["anyOf"]
    rows = [line.split() for line in TABLE.strip().splitlines()]
    assert {row[0] for row in rows} | {row[-1] for row in rows} | {"ALL", "TL", "TL1", "TL10"} <= set(ours["enum"])
    assert SCHEMA["properties"]["output-format"]["enum"] == list(FORMATS)
    assert SCHEMA["properties"]["levels"]["additionalProperties"]["enum"] == list(LEVELS)
    assert list(SCHEMA["properties"]["target-versions"]["properties"]) == list(FRAMEWORKS)
    assert set(SCHEMA["properties"]["knowledge"]["properties"]) == {name.partition(".")[0] for name in shipped()}


def judge(table: str, folder) -> bool:
    """Whether trainlint takes the configuration, in a folder below one that has a base."""
    (folder / "trainlint.toml").touch()
    own = folder / "project"
    own.mkdir()
    (own / "trainlint.toml").write_text(table)
    try:
        find_settings(own, check_knowledge=mistakes)
    except ConfigError:
        return False
    return True


VALID = [
    "",
    *(option.example.replace("[tool.trainlint.", "[").replace("[tool.trainlint]\n", "") for option in OPTIONS.values()),
    'select = ["ALL", "TL", "TL1", "TL10", "TL101", "missing-set-epoch"]\nignore = []',
    'levels = {ALL = "off", TL1 = "error", data-parallel = "warning", TL101 = "advice"}',
    'target-versions = {torch = "==2.4.*", Torch_XLA = "~=2.4", "pytorch.lightning" = ">= 2 , <3", jax = "!=0.4.30"}',
    "jobs = 256",
    'per-file-ignores = {"!train/**" = ["TL7"], "a b" = []}',
    'knowledge.collectives."mylib.sync" = 0\nknowledge.ranks."mylib.rank" = "rank"',
    'knowledge.preempted."mylib.stop" = ["a"]',
]

INVALID = [
    "selct = []",
    "per_file_ignores = {}",
    'select = "TL1"',
    "select = [1]",
    'select = [["TL1"]]',
    'ignore = ["TL1O1"]',
    'ignore = ["tl101"]',
    'extend-select = ["mising-set-epoch"]',
    'extend-ignore = ["TL1011"]',
    "fix = 1",
    'preview = "yes"',
    "jobs = true",
    "jobs = 1.5",
    "jobs = 0",
    "jobs = 257",
    'output-format = "jsn"',
    "levels = 3",
    'levels.TL101 = "eror"',
    'levels.TL1O1 = "off"',
    "levels.TL101 = []",
    'per-file-ignores."tests/*" = ["TL1O1"]',
    'per-file-ignores."tests/*" = "TL1"',
    "exclude = [1]",
    'exclude = "a"',
    'baseline = ""',
    "cache-dir = []",
    'target-versions.torhc = ">=2"',
    'target-versions.pytorch = ">=2"',
    "target-versions.torch = 2.4",
    'target-versions.torch = "2.4"',
    'target-versions.torch = "~=2"',
    'target-versions.torch = ">=2.4 <3"',
    'target-versions.torch = "===2"',
    "knowledge = []",
    "knowledge.colectives = {}",
    'knowledge.collectives."mylib.sync" = "x"',
    'knowledge.ranks."mylib.rank" = "rnk"',
    "knowledge.preempted.x = 1",
]


@pytest.mark.skipif(bool(INSTALLED.rows), reason="rules of other packages mean more selectors")
@pytest.mark.parametrize(("table", "valid"), [*((each, True) for each in VALID), *((each, False) for each in INVALID)])
def test_it_judges_as_trainlint_does(table, valid, tmp_path):
    assert judge(table, tmp_path) is valid
    assert VALIDATOR.is_valid(tomllib.loads(table)) is valid


def test_what_ships_has_no_mistakes():
    assert not list(mistakes(shipped()))


def test_selectors_of_other_packages_are_no_mistakes():
    assert VALIDATOR.is_valid({"select": ["XX", "XX0", "ABC001"]})


def test_config_prints_it():
    assert CliRunner().invoke(trainlint, ["config", "--schema"]).stdout == text()
