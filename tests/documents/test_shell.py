"""Shell scripts: the words of commands, as far as the script says what they are."""

from __future__ import annotations

import pytest

from trainlint.documents.shell import Script, read_shell
from trainlint.finding import Spot


def script(text: str) -> Script:
    read = read_shell(text.encode())
    assert read is not None
    return read


def texts(text: str, name: str = "run") -> list[str | None]:
    """The words of the only command of that name, without it."""
    (command,) = (command for command in script(text).commands if command.name == name)
    return [word.text for word in command.words[1:]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("run --a 1 'b c' \"d\" e\\ f \\\n  g", ["--a", "1", "b c", "d", "e f", "g"]),
        ("N=8\nrun --n=$N ${N} \"$N\" '$N'", ["--n=8", "8", "8", "$N"]),
        ("N=8; export N; M=$((N * 2 + 1)); run $M", ["17"]),
        ('A="--x 1  --y"\nrun $A "$A"', ["--x", "1", "--y", "--x 1  --y"]),
        ('A="--x"\nA+=" 1"\nA="$A --y"\nrun $A', ["--x", "1", "--y"]),
        ('A=(--x 1)\nA+=(--y)\nrun ${A[@]} "${A[@]}"', ["--x", "1", "--y", "--x", "1", "--y"]),
        ("run $N", [None]),
        ("N=${N:-8}\nrun $N", [None]),
        ("if true; then N=1; fi\nrun $N", [None]),
        ("N=1\nif true; then N=2; fi\nrun $N", [None]),
        ("N=1\nfor N in 1 2; do true; done\nrun $N", [None]),
        ("f() { N=1; }\nrun $N", [None]),
        ("N=1\nread N\nrun $N", [None]),
        ("N=1\nsource settings.sh\nrun $N", [None]),
        ("N=1\nsource venv/bin/activate\nrun $N", ["1"]),
        ("N=$(nproc)\nrun $N", [None]),
        ("run {1..3} a{b,c}", [None, None]),
        ('X="$Y $Y"\nY=1\nZ="$Y $Y"\nrun "$X" "$Z"', [None, "1 1"]),
    ],
)
def test_words(text: str, words: list[str | None]) -> None:
    assert texts(text) == words


def test_what_is_known_of_a_word_is_its_beginning() -> None:
    (command,) = script("run --lr=$LR $MORE").commands
    assert [(word.start, word.many) for word in command.words[1:]] == [("--lr=", False), ("", True)]


def test_places_are_those_of_the_file() -> None:
    (command,) = script("\nrun \\\n  --é ü\n").commands
    assert [word.spot for word in command.words] == [Spot(2, 0, 2, 3), Spot(3, 2, 3, 6), Spot(3, 7, 3, 9)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[ -n "$A" ] && V=a==$A || V=b; run $V', [None]),
        ('V=a; [ -z "$B" ] && V=b; run $V', [None]),
        ("V=a; test -d x && V=b; run $V", [None]),
        ("V=a; ls | grep -q x && V=b; run $V", [None]),
        ("V=a; ! [[ $B ]] && cd x && V=b; run $V", [None]),
        ("cd x && V=b && run $V", ["b"]),
        ("cd x && V=b; run $V", ["b"]),
        ("V=a; cd x || exit 1; run $V", ["a"]),
    ],
)
def test_lists(text: str, words: list[str | None]) -> None:
    assert texts(text) == words


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("if [[ $A != *,* ]]; then a; else run; fi", {"A"}),
        ("if [ $A = 1 ]; then a; elif [ ${#B} -gt 1 ]; then run; fi", {"A", "B"}),
        ("if [ $A = 1 ]; then a; b=$C; fi; run", set()),
        ("if [ $A = 1 ]; then C=1 a $D; if [ $B = 1 ]; then run; fi; fi", {"A", "B"}),
        ("case $A in 1) run;; esac", {"A"}),
        ("while [ $A -lt 3 ]; do run $B; done", {"A"}),
        ("[ $A = 1 ] && cd $B && run || a $C", {"A"}),
        ("run $A", set()),
    ],
)
def test_what_a_command_hangs_on(text: str, names: set[str]) -> None:
    (command,) = (command for command in script(text).commands if command.name == "run")
    assert command.tested == names


def test_what_may_not_run_is_conditional() -> None:
    commands = script("a\nif b; then c; fi\nd && e\n(f)\ng() { h; }\nfor i in 1; do j; done\nk | l\nm $(n)").commands
    assert [command.name for command in commands if not command.conditional] == ["a", "d", "e", "k", "l", "m"]


def test_environment() -> None:
    read = script("export A=1 B='x y'\nC=2 D=$A run\nE=3\nexport E\n")
    assert [(each.name, each.value.text) for each in read.assignments if each.exported] == [("A", "1"), ("B", "x y"), ("E", "3")]
    assert [(each.name, each.value.text) for each in read.commands[0].environment] == [("C", "2"), ("D", "1")]


def test_directives_of_batch_systems() -> None:
    read = script(
        "#!/bin/bash\n#SBATCH --nodes=2 --ntasks-per-node 4\n#SBATCH -N3 -p gpu # two\n# SBATCH --no\n#PBS -l nodes=1\nrun\n"
    )
    assert [(each.system, each.option, each.value) for each in read.directives] == [
        ("#SBATCH", "--nodes", "2"),
        ("#SBATCH", "--ntasks-per-node", "4"),
        ("#SBATCH", "-N", "3"),
        ("#SBATCH", "-p", "gpu"),
        ("#PBS", "-l", "nodes=1"),
    ]


def test_here_documents_are_no_commands() -> None:
    assert [command.name for command in script("cat <<EOF > job.sh\nrun --x\nEOF\nb").commands] == ["cat", "b"]


def test_what_is_no_script_is_nothing() -> None:
    assert read_shell(b"((( }}} {{% if %}} ) ;; esac <<<") is None


def test_long_scripts_are_read() -> None:
    assert len(script("a && " * 3000 + "b").commands) == 3001
    assert len(script("run x\n" * 3000).commands) == 3000


@pytest.mark.parametrize(
    ("assigned", "words"),
    [
        ('A="--lr 1 --data $DATA --tp=$TP"', [("--lr", False), ("1", False), ("--data", False), (None, True), (None, True)]),
        ('A="--lr 1"\nA="$A $MORE"', [("--lr", False), ("1", False), (None, True)]),
        ('A="--lr 1"\nA+=" --bf16 $1"', [("--lr", False), ("1", False), ("--bf16", False), (None, True)]),
        ('A="x$B y"', [(None, True), ("y", False)]),
        ('if a; then\nA="--lr $LR"\nfi', [(None, True)]),
        ("A=$B", [(None, True)]),
        ("A=()", [(None, True)]),
    ],
)
def test_a_variable_that_is_known_in_part(assigned: str, words: list[tuple[str | None, bool]]) -> None:
    """Its known words are there; one that has an unknown part may be any number of them."""
    command = script(f"{assigned}\nrun $A\n").commands[-1]
    assert [(word.text, word.many) for word in command.words[1:]] == words


def test_an_array_without_elements_is_no_word() -> None:
    assert texts('A=()\nrun "${A[@]}" x\n') == ["x"]


@pytest.mark.parametrize("line", ["#SBATCH", "#$", "#PBS   "])
def test_an_order_without_options(line: str) -> None:
    assert script(f"#!/bin/bash\n{line}\nrun\n").directives == []
