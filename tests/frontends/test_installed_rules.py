"""Rules of other packages: the example package is installed and used, and bad ones are told from good ones."""

from __future__ import annotations

import json
import shutil
import subprocess
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.frontends.environments import ROOT, Environment, rule

EXAMPLE = ROOT / "tests" / "example_rules"

SHARDS = """\
from acme_store import open_shard as shard


def batches(path, careful):
    return shard(path, verify=careful)


def start(path):
    return batches(path, careful=False)
"""
FLUSH = "import acme_store\n\n\ndef save(rank):\n    if rank == 0:\n        acme_store.flush_all()\n"
RULE = rule()


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Where the example package is installed."""
    made = Environment(tmp_path_factory.mktemp("environment"))
    made.install(EXAMPLE)
    return made


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "shards.py").write_text(SHARDS, encoding="utf-8")
    (tmp_path / "flush.py").write_text(FLUSH, encoding="utf-8")
    return tmp_path


Trainlint = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def trainlint(environment: Environment, project: Path) -> Trainlint:
    def run(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
        return environment.run("-m", "trainlint", *words, cwd=project, **more)

    return run


def findings(done: subprocess.CompletedProcess[str]) -> list[tuple[str, str]]:
    assert done.stderr == ""
    objects = json.loads(done.stdout)
    return [(f"{Path(each['filename']).name}:{each['location']['row']}", each["code"]) for each in objects]


class TestTheExample:
    def test_its_rules_are_on_and_its_tables_count(self, trainlint: Trainlint) -> None:
        done = trainlint("check", ".", "--output-format", "json")
        assert findings(done) == [("flush.py:6", "TL101"), ("shards.py:5", "XX001")]
        assert done.returncode == 1
        urls = {each["code"]: each["url"] for each in json.loads(done.stdout)}
        assert urls == {"TL101": None, "XX001": "https://acme.example/rules/XX001-unverified-shard"}

    @pytest.mark.heavy
    @pytest.mark.parametrize("selector", ["XX", "XX0", "XX001", "unverified-shard"])
    def test_selected(self, trainlint: Trainlint, selector: str) -> None:
        done = trainlint("check", ".", "--output-format", "json", "--select", selector)
        assert findings(done) == [("shards.py:5", "XX001")]

    @pytest.mark.heavy
    def test_ignored(self, trainlint: Trainlint, project: Path) -> None:
        assert findings(trainlint("check", "shards.py", "--output-format", "json", "--ignore", "XX")) == []
        (project / "trainlint.toml").write_text('[levels]\nXX001 = "advice"\n', encoding="utf-8")
        assert findings(trainlint("check", "shards.py", "--output-format", "json")) == []

    @pytest.mark.heavy
    @pytest.mark.parametrize("comment", ["noqa: XX001", "trainlint: ignore[XX001]", "trainlint: ignore[unverified-shard]"])
    def test_suppressed(self, trainlint: Trainlint, project: Path, comment: str) -> None:
        text = SHARDS.replace("verify=careful)", f"verify=careful)  # {comment}")
        (project / "shards.py").write_text(text, encoding="utf-8")
        assert trainlint("check", "shards.py").stdout == "All checks passed!\n"
        (project / "shards.py").write_text(f"X = 1  # {comment}\n", encoding="utf-8")
        assert "TL002" in trainlint("check", "shards.py").stdout

    @pytest.mark.heavy
    def test_the_users_tables_extend_its_own(self, trainlint: Trainlint, project: Path) -> None:
        (project / "shards.py").write_text("import own\n\nown.open_all(1, sure=False)\n", encoding="utf-8")
        assert findings(trainlint("check", "shards.py", "--output-format", "json")) == []
        (project / "trainlint.toml").write_text('[knowledge.xx.readers]\n"own.open_all" = "sure"\n', encoding="utf-8")
        assert findings(trainlint("check", "shards.py", "--output-format", "json")) == [("shards.py:3", "XX001")]
        (project / "trainlint.toml").write_text('[knowledge.yy.readers]\n"own.open_all" = "sure"\n', encoding="utf-8")
        assert "there is no such table" in trainlint("check", "shards.py").stderr

    @pytest.mark.heavy
    def test_explained(self, trainlint: Trainlint) -> None:
        page = trainlint("rule", "XX001").stdout
        assert page.startswith("# unverified-shard (XX001)\n")
        assert "# expect" not in page
        assert trainlint("rule", "unverified-shard").stdout == page
        assert "XX001  warning  on       unsafe          unverified-shard\n" in trainlint("rule", "--all").stdout

    @pytest.mark.heavy
    def test_settings(self, trainlint: Trainlint) -> None:
        shown = trainlint("check", "--show-settings").stdout
        assert "# rules of trainlint-example: XX001\n" in shown
        assert " XX001\n" in shown

    @pytest.mark.heavy
    def test_sarif_has_page_and_address(self, trainlint: Trainlint) -> None:
        log = json.loads(trainlint("check", "--output-format", "sarif", "--select", "XX", ".").stdout)
        (rule,) = log["runs"][0]["tool"]["driver"]["rules"]
        assert rule["helpUri"] == "https://acme.example/rules/XX001-unverified-shard"
        assert rule["help"]["text"].startswith("# unverified-shard (XX001)")
        assert rule["properties"]["tags"] == ["trainlint-example", "rules for users of acme_store"]

    @pytest.mark.heavy
    def test_the_page_is_what_the_rule_does(self, trainlint: Trainlint) -> None:
        done = trainlint("dev", "pages", "XX001")
        assert (done.stdout, done.returncode) == ("1 pages, 0 problems\n", 0)

    @pytest.mark.heavy
    def test_pylint(self, environment: Environment, project: Path) -> None:
        def run(*words: str) -> str:
            return environment.run("-m", "pylint", "--load-plugins=trainlint.pylint_plugin", *words, cwd=project).stdout

        (project / ".git").mkdir()
        found = json.loads(run("--output-format=json2", "--disable=all", "--enable=unverified-shard", "shards.py"))["messages"]
        assert [(each["symbol"], each["messageId"], each["line"]) for each in found] == [("unverified-shard", "W9201", 5)]
        assert "unverified-shard (W9201)" in run("--help-msg=unverified-shard").replace(":", "")
        text = SHARDS.replace("verify=careful)", "verify=careful)  # pylint: disable=unverified-shard")
        (project / "shards.py").write_text(text, encoding="utf-8")
        assert "W9201" not in run("--disable=all", "--enable=unverified-shard", "shards.py")

    @pytest.mark.heavy
    def test_flake8(self, environment: Environment, project: Path) -> None:
        def run(*words: str) -> str:
            return environment.run("-m", "flake8", *words, cwd=project).stdout

        assert "shards.py:5:12: XX001" in run("--extend-select", "XX", "shards.py")
        assert "XX001" not in run("shards.py")


@pytest.mark.heavy  # pip fills the environment from the package index
def test_installed_by_pip(tmp_path: Path, project: Path) -> None:
    venv.create(tmp_path / "environment", with_pip=True, symlinks=True)
    python = tmp_path / "environment" / "bin" / "python"
    for name in (ROOT, EXAMPLE):
        copy = tmp_path / f"copy-of-{name.name}"
        shutil.copytree(name, copy, ignore=shutil.ignore_patterns(".git", ".venv*", "tests", "__pycache__", ".*_cache"))
        command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(copy)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    done = subprocess.run(
        [str(tmp_path / "environment" / "bin" / "trainlint"), "check", "--output-format", "json", "."],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ("shards.py:5", "XX001") in findings(done)


class Maker:
    """Installs a package of rules that is made file by file."""

    def __init__(self, folder: Path) -> None:
        self.environment = Environment(folder / "environment")
        self.folder = folder / "project"
        self.folder.mkdir()
        (self.folder / "flush.py").write_text(
            FLUSH.replace("acme_store.flush_all", "barrier").replace("import acme_store", BARRIER)
        )

    def check(self, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        command = ("-m", "trainlint", "check", "--isolated", "--output-format", "concise", *words, ".")
        return self.environment.run(*command, cwd=self.folder, **more)

    def refused(self, *said: str) -> None:
        """The run goes on with all other rules, says what is wrong, and ends with 2."""
        done = self.check()
        assert "flush.py:6:9: TL101" in done.stdout
        assert done.returncode == 2
        assert done.stderr.startswith("Error: rules of yy-rules 1.0 (")
        assert [part for part in said if part not in done.stderr] == []
        assert "Traceback" not in done.stderr


BARRIER = "from torch.distributed import barrier"


@pytest.fixture
def maker(tmp_path: Path) -> Maker:
    return Maker(tmp_path)


@pytest.mark.heavy
class TestBadPackages:
    def test_the_test_can_fail(self, maker: Maker) -> None:
        maker.environment.add_rules()
        done = maker.check()
        assert (done.stderr, done.returncode) == ("", 1)
        assert "YY001" in maker.check("--show-settings").stdout

    def test_a_package_that_is_not_there(self, maker: Maker) -> None:
        shutil.rmtree(maker.environment.add_rules())
        maker.refused("entry point YY = yy_rules", "ModuleNotFoundError: No module named 'yy_rules'")

    def test_an_import_that_fails(self, maker: Maker) -> None:
        maker.environment.add_rules(yy001_some_name="import nowhere\n" + RULE, yy002_other="raise SystemExit(0)")
        maker.refused("(yy001_some_name.py): ", "No module named 'nowhere'", "(yy002_other.py): ", "SystemExit: 0")

    @pytest.mark.parametrize("prefix", ["TL", "TLX", "yy", "Y", "YYYY", "Y1"])
    def test_a_prefix_that_is_none(self, maker: Maker, prefix: str) -> None:
        maker.environment.add_rules(entry=f"{prefix} = yy_rules")
        maker.refused("two or three capital letters", f'"{prefix}"')

    def test_another_code_than_the_file_says(self, maker: Maker) -> None:
        maker.environment.add_rules(yy001_some_name=RULE.replace("YY001", "YY002"))
        maker.refused("(yy001_some_name.py): ", '"YY001"', '"YY002"')

    def test_a_code_twice(self, maker: Maker) -> None:
        folder = maker.environment.add_rules(yy001_the_same=RULE.replace("some-name", "the-same"))
        (folder / "pages" / "YY001-the-same.md").write_text("# the-same (YY001)\n")
        maker.refused("(yy001_the_same.py): YY001 is declared in yy001_some_name.py already")

    def test_letters_twice(self, maker: Maker) -> None:
        folder = maker.environment.add_rules(name="aa_rules", entry="YY = aa_rules")
        assert folder.is_dir()
        maker.environment.add_rules()
        maker.refused("(entry point YY = yy_rules): ", "codes that begin with YY are those of aa-rules")

    def test_a_name_that_is_ours(self, maker: Maker) -> None:
        maker.environment.add_rules(
            yy002_missing_set_epoch=RULE.replace("YY001", "YY002").replace("some-name", "missing-set-epoch")
        )
        maker.refused("there is another rule with the name missing-set-epoch")

    def test_no_page(self, maker: Maker) -> None:
        shutil.rmtree(maker.environment.add_rules() / "pages")
        maker.refused("there is no page pages/YY001-some-name.md")

    def test_no_declaration(self, maker: Maker) -> None:
        maker.environment.add_rules(yy001_some_name="RULES = []\n")
        maker.refused("the module must declare RULE")

    @pytest.mark.parametrize(
        ("before", "after", "said"),
        [
            ("Level.WARNING", "'bad'", "the level must be"),
            ('fix="none"', 'fix="maybe"', "fix must be one of safe, unsafe, display, none"),
            ('certainty="flow"', 'certainty="high"', "certainty must be one of"),
            ('needs=("collective",)', 'needs="collective"', "needs must be a tuple"),
            ("@RULE.find", "", "has no @RULE.find"),
        ],
    )
    def test_a_wrong_declaration(self, maker: Maker, before: str, after: str, said: str) -> None:
        maker.environment.add_rules(yy001_some_name=RULE.replace(before, after))
        maker.refused(said)

    def test_a_need_that_nothing_is_known_of(self, maker: Maker) -> None:
        maker.environment.add_rules(yy001_some_name=RULE.replace('"collective",', '"unicorn",'))
        done = maker.check()
        assert "nothing is known that YY001 needs: unicorn" in done.stderr
        assert done.returncode == 2

    @pytest.mark.parametrize(
        ("table", "said"),
        [("[nothing]\nx = 1\n", "there is no such table"), ("[yy.own]\nx = 1\n", "must be a string"), ("[", "knowledge.toml")],
    )
    def test_wrong_tables(self, maker: Maker, table: str, said: str) -> None:
        folder = maker.environment.add_rules()
        (folder / "knowledge.toml").write_text(table)
        done = maker.check()
        assert said in done.stderr
        assert "flush.py:6:9: TL101" in done.stdout
        assert done.returncode == 2

    def test_a_rule_that_fails(self, maker: Maker) -> None:
        maker.environment.add_rules(yy001_some_name=RULE.replace("yield from ()", "raise ValueError('x')"))
        done = maker.check()
        assert "TL005 YY001 failed with ValueError" in done.stdout
        assert "flush.py:6:9: TL101" in done.stdout
        assert done.returncode == 2


@pytest.mark.heavy
class TestBadPackagesInOtherLinters:
    """They say once what cannot be used, where people look for what is wrong, and report all else."""

    def test_pylint(self, maker: Maker) -> None:
        shutil.rmtree(maker.environment.add_rules())
        (maker.folder / "other.py").write_text("X = 1\n")
        enabled = "--enable=rank-conditional-collective,trainlint-configuration"
        words = ("-m", "pylint", "--load-plugins=trainlint.pylint_plugin", "--output-format=json2", "--disable=all", enabled)
        done = maker.environment.run(*words, "flush.py", "other.py", cwd=maker.folder)
        found = [(each["symbol"], each["message"]) for each in json.loads(done.stdout)["messages"]]
        assert sorted(symbol for symbol, _ in found) == ["rank-conditional-collective", "trainlint-configuration"]
        assert any("rules of yy-rules 1.0" in text for _, text in found)

    def test_flake8(self, maker: Maker) -> None:
        shutil.rmtree(maker.environment.add_rules())
        (maker.folder / "other.py").write_text("X = 1\n")
        done = maker.environment.run("-m", "flake8", "--select", "TL", "-j", "1", cwd=maker.folder)
        assert done.stdout.count("TL000 rules of yy-rules 1.0") == 1
        assert "flush.py:6:9: TL101" in done.stdout


class TestTheScannedTree:
    """What is checked brings no rules, also when it looks like an installed package and Python would import from it."""

    PROOF = "from pathlib import Path\nPath('ran').touch()\n"

    def test_metadata_in_the_working_folder(self, maker: Maker) -> None:
        metadata = maker.folder / "evil-1.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n")
        (metadata / "entry_points.txt").write_text("[trainlint.rules]\nYY = evil\n")
        (maker.folder / "evil.py").write_text(self.PROOF)
        for variables in ({}, {"PYTHONPATH": str(maker.folder)}):
            done = maker.check(**variables)
            assert (done.stderr, done.returncode) == ("", 1)
            assert not (maker.folder / "ran").exists()

    def test_a_module_with_the_name_of_a_package(self, maker: Maker) -> None:
        maker.environment.add_rules()
        (maker.folder / "yy_rules.py").write_text(self.PROOF)
        done = maker.check()
        assert (done.stderr, done.returncode) == ("", 1)
        assert not (maker.folder / "ran").exists()


def test_without_such_packages_no_metadata_is_imported(tmp_path: Path) -> None:
    made = Environment(tmp_path / "environment")
    program = "import sys; import trainlint.codes; print('importlib.metadata' in sys.modules, len(trainlint.codes.PREFIXES))"
    assert made.run("-c", program, cwd=tmp_path).stdout == "False 1\n"
    made.install(EXAMPLE)
    assert made.run("-c", program, cwd=tmp_path).stdout == "True 2\n"
