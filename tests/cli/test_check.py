"""``trainlint check``: what it asks of the engine, what it prints, and its exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Engine, Run
from tests.report.samples import HOIST, SCRIPT, TRAIN, finding, unsafe
from trainlint.app.engine.result import FixMode, Result

CONCISE = "train.py:6:9: TL101 [*] only rank 0 runs `dist.all_reduce`\n"
ONE = ("TL101", "rank-conditional-collective")


def found(*findings: object, **more: object) -> Result:
    lines = SCRIPT.splitlines()
    return Result(findings=list(findings), checked=[Path("train.py")], lines_of=lambda _path, _cell: lines, **more)  # type: ignore[arg-type]


class TestOutput:
    def test_clean(self, run: Run, engine: Engine) -> None:
        done = run("check")
        assert (done.exit_code, done.stdout, done.stderr) == (0, "All checks passed!\n", "")
        assert engine.asked[0]["paths"] == [Path()]
        assert engine.mode is FixMode.NONE

    def test_full_is_the_default(self, run: Run, engine: Engine) -> None:
        engine.result = found(finding(repair=HOIST))
        done = run("check", "train.py")
        assert done.exit_code == 1
        assert done.stdout.startswith("TL101 [*] only rank 0 runs `dist.all_reduce`\n --> train.py:6:9\n  |\n4 | def train")
        assert done.stdout.endswith("6 |     return loss\n  |\n\nFound 1 error.\n[*] 1 fixable with the `--fix` option.\n")
        assert not done.stderr
        assert engine.asked[0]["paths"] == [TRAIN]

    def test_concise(self, run: Run, engine: Engine) -> None:
        engine.result = found(finding(repair=HOIST))
        done = run("check", "--output-format", "concise")
        assert done.stdout == CONCISE + "Found 1 error.\n[*] 1 fixable with the `--fix` option.\n"

    def test_quiet_prints_findings_and_nothing_else(self, run: Run, engine: Engine) -> None:
        engine.result = found(finding(repair=HOIST))
        assert run("check", "--output-format=concise", "-q").stdout == CONCISE
        engine.result = Result()
        done = run("check", "--quiet")
        assert (done.stdout, done.stderr) == ("", "")

    def test_json_is_nothing_but_json(self, run: Run, engine: Engine) -> None:
        engine.result = found(finding())
        done = run("check", "--output-format", "json")
        assert [each["code"] for each in json.loads(done.stdout)] == ["TL101"]
        engine.result = found()
        assert run("check", "--output-format", "json").stdout == "[]\n"

    def test_findings_are_sorted(self, run: Run, engine: Engine) -> None:
        b, a = finding(path=Path("b.py")), finding(path=Path("a.py"))
        engine.result = found(b, a)
        lines = run("check", "--output-format", "concise", "-q").stdout.splitlines()
        assert [line.split(":")[0] for line in lines] == ["a.py", "b.py"]

    def test_statistics(self, run: Run, engine: Engine) -> None:
        engine.result = found(finding(), finding(repair=HOIST))
        done = run("check", "--statistics")
        expected = "2\tTL101\t[-] rank-conditional-collective\nFound 2 errors.\n[*] 1 fixable with the `--fix` option.\n"
        assert (done.exit_code, done.stdout) == (1, expected)
        done = run("check", "--statistics", "--output-format", "json")
        assert json.loads(done.stdout)[0]["fixable_count"] == 1

    def test_output_file(self, run: Run, engine: Engine, tmp_path: Path) -> None:
        engine.result = found(finding(repair=HOIST))
        done = run("check", "-o", "out.txt", "--output-format", "concise", env={"FORCE_COLOR": "1"})
        assert (done.exit_code, done.stdout) == (1, "")
        assert (tmp_path / "out.txt").read_text().startswith(CONCISE)

    def test_an_output_file_that_cannot_be_written(self, run: Run, engine: Engine) -> None:
        engine.result = found()
        done = run("check", "-o", "missing/out.txt")
        assert done.exit_code == 2
        assert done.stderr == "Error: missing/out.txt cannot be written: No such file or directory\n"

    @pytest.mark.parametrize(
        ("words", "env", "coloured"),
        [
            ((), {}, False),
            ((), {"FORCE_COLOR": "1"}, True),
            ((), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
            (("--color", "always"), {"NO_COLOR": "1"}, True),
            (("--color", "never"), {"FORCE_COLOR": "1"}, False),
        ],
    )
    def test_colour(self, run: Run, engine: Engine, words: tuple[str, ...], env: dict[str, str], coloured: bool) -> None:
        engine.result = found(finding())
        assert ("\x1b[" in run("check", *words, env=env).stdout) is coloured

    def test_verbose_tells_on_stderr(self, run: Run, engine: Engine) -> None:
        engine.result = found(statistics={"files parsed": 7})
        done = run("check", "-v")
        assert done.stdout == "All checks passed!\n"
        assert "configuration: none\nfiles checked: 1\nfiles parsed: 7\nseconds: 0." in done.stderr

    def test_no_files(self, run: Run, engine: Engine) -> None:
        engine.result = Result()
        done = run("check")
        assert done.exit_code == 0
        assert done.stderr == "warning: No Python files found under the given path(s)\n"


class TestRepairs:
    def test_fix(self, run: Run, engine: Engine) -> None:
        engine.result = found(finding(), fixed={TRAIN: {ONE: 2}})
        done = run("check", "--fix", "--output-format", "concise", "-q")
        assert engine.mode is FixMode.APPLY
        assert engine.asked[0]["unsafe"] is False
        assert done.exit_code == 1
        assert "Found 3 findings (2 fixed, 1 remaining).\n" in run("check", "--fix").stdout

    def test_unsafe_fixes(self, run: Run, engine: Engine) -> None:
        engine.result = found(finding(repair=unsafe()))
        done = run("check", "--unsafe-fixes", "--output-format", "concise")
        assert engine.asked[0]["unsafe"] is True
        assert engine.mode is FixMode.NONE
        assert done.stdout == CONCISE + "Found 1 error.\n[*] 1 fixable with the `--fix` option.\n"

    def test_no_fix_overrules_the_configuration(self, run: Run, engine: Engine, tmp_path: Path) -> None:
        (tmp_path / "trainlint.toml").write_text("fix = true\n")
        run("check")
        run("check", "--no-fix")
        assert [asked["fix"] for asked in engine.asked] == [FixMode.APPLY, FixMode.NONE]

    def test_show_fixes(self, run: Run, engine: Engine) -> None:
        engine.result = found(fixed={TRAIN: {ONE: 1}})
        assert run("check", "--fix", "--show-fixes").stdout == (
            "Fixed 1 finding:\n"
            "- train.py:\n"
            "    1 \N{MULTIPLICATION SIGN} TL101 (rank-conditional-collective)\n"
            "\n"
            "Found 1 finding (1 fixed, 0 remaining).\n"
        )

    def test_diff(self, run: Run, engine: Engine) -> None:
        engine.result = found(finding(repair=unsafe()), fixed={TRAIN: {ONE: 1}}, diffs=[(TRAIN, "a\n", "b\n")])
        done = run("check", "--diff")
        assert engine.mode is FixMode.DIFF
        assert done.exit_code == 1
        assert done.stdout == "--- train.py\n+++ train.py\n@@ -1 +1 @@\n-a\n+b\n\n"
        assert done.stderr == "Would fix 1 finding (1 additional fix available with `--unsafe-fixes`).\n"
        assert not run("check", "--diff", "-q").stderr

    def test_diff_wins_over_fix(self, run: Run, engine: Engine) -> None:
        run("check", "--fix", "--diff")
        assert engine.mode is FixMode.DIFF

    def test_a_diff_of_nothing_is_clean_even_with_findings(self, run: Run, engine: Engine) -> None:
        engine.result = found(finding())
        done = run("check", "--diff")
        assert (done.exit_code, done.stdout, done.stderr) == (0, "", "No findings would be fixed.\n")


class TestStdin:
    def test_the_code_and_its_name_reach_the_engine(self, run: Run, engine: Engine) -> None:
        run("check", "-", "--stdin-filename", "pkg/x.py", input="x = 1\n")
        run("check", "-", input="y")
        assert [asked["stdin"] for asked in engine.asked] == [(b"x = 1\n", Path("pkg/x.py")), (b"y", Path("-"))]
        assert engine.asked[0]["paths"] == []

    def test_without_a_dash_nothing_is_read(self, run: Run, engine: Engine) -> None:
        run("check", input="x = 1\n")
        assert engine.asked[0]["stdin"] is None

    def test_repaired_code_goes_to_stdout_and_findings_to_stderr(self, run: Run, engine: Engine) -> None:
        engine.result = found(finding(), stdin_output=b"x = '\xff'\r\n")
        done = run("check", "-", "--fix", "--output-format", "concise", input="x")
        assert done.stdout_bytes == b"x = '\xff'\r\n"
        assert done.stderr == CONCISE.replace("[*] ", "") + "Found 1 error.\n"

    def test_the_configuration_is_that_of_the_name(self, run: Run, engine: Engine, tmp_path: Path) -> None:
        (tmp_path / "pkg").mkdir()
        (tmp_path / "pkg/trainlint.toml").write_text("jobs = 3\n")
        run("check", "-", "--stdin-filename", "pkg/x.py", input="")
        assert engine.settings.jobs == 3


class TestExitCode:
    @pytest.mark.parametrize(
        ("words", "result", "code"),
        [
            ((), found(), 0),
            ((), found(finding()), 1),
            (("--exit-zero",), found(finding()), 0),
            (("-e",), found(finding()), 0),
            (("--fix",), found(fixed={TRAIN: {ONE: 1}}), 0),
            (("--fix", "--exit-non-zero-on-fix"), found(fixed={TRAIN: {ONE: 1}}), 1),
            (("--fix", "--exit-non-zero-on-fix"), found(), 0),
            (("--diff", "--exit-zero"), found(diffs=[(TRAIN, "a", "b")]), 0),
            ((), found(finding(code="TL005"), internal_errors=1), 2),
            (("--exit-zero",), found(internal_errors=1), 2),
            (("--exit-zero",), found(errors=["nope"]), 2),
        ],
    )
    def test_exit_code(self, run: Run, engine: Engine, words: tuple[str, ...], result: Result, code: int) -> None:
        engine.result = result
        assert run("check", *words).exit_code == code

    def test_a_missing_path_is_said_and_hides_no_finding(self, run: Run, engine: Engine) -> None:
        engine.result = found(finding(repair=HOIST), errors=["no\x1b[2J.py: No such file or directory"])
        done = run("check", "no.py", "--output-format=concise", "-q")
        assert done.exit_code == 2
        assert done.stdout == CONCISE
        assert done.stderr == "Error: no\\x1b[2J.py: No such file or directory\n"

    def test_all_checks_passed_is_not_said_when_nothing_was_checked(self, run: Run, engine: Engine) -> None:
        engine.result = Result(errors=["no.py: No such file or directory"])
        assert not run("check", "no.py").stdout


class TestSettings:
    def test_lists_may_be_repeated_and_have_commas(self, run: Run, engine: Engine) -> None:
        run("check", "--select", "TL1, TL2", "--select", "TL301", "--ignore", "TL101", "--extend-exclude", "a,b")
        assert engine.settings.select == ("TL1", "TL2", "TL301")
        assert engine.settings.ignore == ("TL101",)
        assert engine.settings.extend_exclude == ("a", "b")
        assert engine.settings.exclude is None
        assert "TL102" in engine.settings.codes
        assert "TL101" not in engine.settings.codes
        assert "TL401" not in engine.settings.codes

    def test_every_switch_reaches_the_settings(self, run: Run, engine: Engine) -> None:
        words = ["--force-exclude", "--ignore-noqa", "--preview", "--no-respect-gitignore", "--show-fixes", "--no-cache"]
        run("check", *words, "-j", "3", "--extend-select", "TL801", "--extend-ignore", "TL2", "--exclude", "x")
        settings = engine.settings
        assert (settings.force_exclude, settings.ignore_noqa, settings.preview, settings.show_fixes) == (True,) * 4
        assert (settings.respect_gitignore, settings.jobs, settings.exclude) == (False, 3, ("x",))
        assert "TL801" in settings.codes
        assert "TL201" not in settings.codes

    def test_config_takes_options_and_a_file(self, run: Run, engine: Engine, tmp_path: Path) -> None:
        (tmp_path / "other.toml").write_text("jobs = 5\n")
        (tmp_path / "trainlint.toml").write_text("jobs = 6\npreview = true\n")
        run("check", "--config", "other.toml", "--config", "fix = true")
        assert (engine.settings.jobs, engine.settings.preview, engine.settings.fix) == (5, False, True)

    def test_isolated_passes_over_files(self, run: Run, engine: Engine, tmp_path: Path) -> None:
        (tmp_path / "trainlint.toml").write_text("jobs = 6\n")
        run("check", "--isolated")
        run("check")
        assert [asked["settings"].jobs for asked in engine.asked] == [None, 6]

    def test_show_settings_says_where_each_came_from(self, run: Run, engine: Engine, tmp_path: Path) -> None:
        (tmp_path / "trainlint.toml").write_text("jobs = 6\n")
        done = run("check", "--show-settings", "--preview")
        assert done.exit_code == 0
        assert f"jobs = 6  # {tmp_path}/trainlint.toml\n" in done.stdout
        assert "preview = true  # command line\n" in done.stdout
        assert not engine.asked

    def test_the_output_format_of_the_configuration(self, run: Run, engine: Engine, tmp_path: Path) -> None:
        (tmp_path / "trainlint.toml").write_text('output-format = "json"\n')
        assert run("check").stdout == "[]\n"
        assert run("check", "--output-format", "full").stdout == "All checks passed!\n"
        assert len(engine.asked) == 2


class TestUsage:
    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("--fixx",), "No such option '--fixx'"),
            (("--output-format", "xml"), "'xml' is not one of 'full', 'concise'"),
            (("-j", "0"), "0 is not in the range x>=1"),
            (("--diff", "--show-fixes"), "--show-fixes cannot be used with --diff"),
            (("-q", "-v"), "--verbose cannot be used with --quiet"),
            (("-", "x.py"), "cannot be checked together with other paths"),
            (("--select", "TL1011"), 'unknown rule selector "TL1011"; did you mean "TL101"?'),
            (("--select", "missing-set-epok"), 'did you mean "missing-set-epoch"?'),
            (("--config", "selct = []"), 'did you mean "select"?'),
            (("--config", "none.toml"), '"none.toml"'),
        ],
    )
    def test_mistakes_are_named_and_nothing_runs(self, run: Run, engine: Engine, words: tuple[str, ...], said: str) -> None:
        done = run("check", *words)
        assert done.exit_code == 2
        assert said in done.stderr.replace("No such option: --fixx", "No such option '--fixx'")
        assert not done.stdout
        assert not engine.asked

    def test_an_option_of_nearly_that_name_is_suggested(self, run: Run) -> None:
        assert "--fix" in run("check", "--fixx").stderr.partition("Did you mean")[2]

    def test_a_broken_configuration_names_file_and_key(self, run: Run, engine: Engine, tmp_path: Path) -> None:
        (tmp_path / "trainlint.toml").write_text('selec = ["TL1"]\n')
        done = run("check")
        assert done.exit_code == 2
        assert done.stderr.startswith(f"Error: {tmp_path}/trainlint.toml: selec: ")
        assert 'did you mean "select"?' in done.stderr
        assert not engine.asked


class TestAdvice:
    """Advice is off; at a terminal a run says how much there is."""

    CODE = (
        "from torch.utils.data import DataLoader\n\n\n"
        "def train(model, data, optimizer):\n"
        "    for x, y in DataLoader(data, batch_size=4, num_workers=2):\n"
        "        optimizer.zero_grad(set_to_none=False)\n"
        "        model(x.cuda(), y.cuda()).backward()\n"
        "        optimizer.step()\n"
    )

    @pytest.fixture
    def terminal(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("trainlint.app.cli.run._is_terminal", lambda: True)

    @pytest.mark.usefixtures("terminal")
    def test_it_is_counted_for_somebody_at_a_terminal(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "train.py").write_text(self.CODE)
        done = run("check", "--isolated")
        assert (done.exit_code, done.stdout) == (0, "All checks passed!\n2 more pieces of advice with the `--advice` option.\n")
        shown = run("check", "--isolated", "--advice", "--output-format", "concise")
        assert shown.exit_code == 1
        assert [line.split(" ")[1] for line in shown.stdout.splitlines()[:2]] == ["TL206", "TL308"]
        assert "Found 2 pieces of advice.\n" in shown.stdout
        assert run("check", "--isolated", "--ignore", "TL308").stdout.endswith(
            "1 more piece of advice with the `--advice` option.\n"
        )

    @pytest.mark.usefixtures("terminal")
    def test_a_comment_for_advice_is_not_unused_where_advice_is_off(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "train.py").write_text("x = 1  # trainlint: ignore[TL205]\n")
        assert run("check", "--isolated").stdout == "All checks passed!\n"
        assert "TL002" in run("check", "--isolated", "--advice").stdout

    def test_nothing_is_counted_for_a_program(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "train.py").write_text(self.CODE)
        assert run("check", "--isolated").stdout == "All checks passed!\n"


class TestTime:
    def test_what_there_was_no_time_for_is_said(self, run: Run, engine: Engine) -> None:
        engine.result = found(unjudged=["TL002", "TL101", "TL102"], goes_on=True)
        done = run("check", "--max-seconds", "0.5")
        assert (done.exit_code, done.stdout) == (3, "Nothing was found in what there was time for.\n")
        sentence = "TL101 and 2 other rules were not judged in 0.5 s (`--max-seconds`); the next run goes on from there"
        assert done.stderr == f"warning: {sentence}\n"
        assert run("check", "--max-seconds", "0.5", "-q").stderr == done.stderr
        assert run("check", "--max-seconds", "0.5", "--exit-zero").exit_code == 0
        for form in ("json", "sarif", "github", "gitlab", "junit"):
            assert "TL101 and 2 other rules were not judged" in run("check", "--max-seconds=0.5", "--output-format", form).stdout

    def test_findings_come_first(self, run: Run, engine: Engine) -> None:
        engine.result = found(finding(), unjudged=["TL101"], goes_on=False)
        done = run("check", "--max-seconds", "2", "--output-format=concise")
        assert (done.exit_code, done.stdout) == (1, CONCISE.replace(" [*]", "") + "Found 1 error.\n")
        assert "TL101 was not judged in 2 s (`--max-seconds`); nothing was kept that would help the next run" in done.stderr

    @pytest.mark.parametrize("given", ["0", "-1", "nan", "inf", "soon", ""])
    def test_what_is_no_time_is_refused(self, run: Run, given: str) -> None:
        assert run("check", f"--max-seconds={given}").exit_code == 2

    def test_where_something_is_written_it_does_not_count(self, run: Run, engine: Engine) -> None:
        for more in ("--fix", "--diff", "--add-ignore", "--write-baseline=known.json"):
            run("check", "--max-seconds", "5", more)
            assert engine.asked[-1]["deadline"] is None
        run("check", "--max-seconds", "5")
        assert engine.asked[-1]["deadline"].seconds == 5

    def test_a_commit_hook_has_a_time_of_its_own(self, run: Run, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
        engine.result = found(unjudged=["TL101"], goes_on=True)
        monkeypatch.setenv("PRE_COMMIT", "1")
        monkeypatch.delenv("CI", raising=False)
        done = run("check")
        assert engine.asked[-1]["deadline"].seconds == 10
        assert done.exit_code == 0  # nobody has asked for the limit: the commit is not refused for it
        assert "TL101 was not judged in 10 s" in done.stderr
        monkeypatch.setenv("CI", "true")
        run("check")
        assert engine.asked[-1]["deadline"] is None

    def test_what_was_spent_is_said_as_text_and_as_data(self, run: Run, engine: Engine) -> None:
        engine.result = found()
        done = run("check", "--profile")
        assert done.stdout == "All checks passed!\n"
        assert done.stderr.splitlines()[0].split() == ["CPU", "sec.", "of", "all"]
        spent = json.loads(run("check", "--profile", "--output-format=json").stderr)
        assert spent["cpu_seconds"] == pytest.approx(sum(row["seconds"] for row in spent["spent"]), abs=0.01)
        assert not run("check").stderr
