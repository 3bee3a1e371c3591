"""``python -m tests.oracle`` scores the analysis on random programs, and shows where it disagrees with the interpreter."""

from __future__ import annotations

import argparse

from tests.oracle.generator import generate
from tests.oracle.interpreter import judge
from tests.oracle.minimise import disagreement, minimise
from tests.oracle.scorer import Result, compare, score


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle", description=__doc__)
    parser.add_argument("--programs", type=int, default=500, help="how many")
    parser.add_argument("--seed", type=int, default=0, help="the number of the first")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--show", type=int, metavar="SEED", help="print one program and what both say of it")
    parser.add_argument("--minimise", type=int, nargs="+", metavar="SEED", help="print these programs, as small as they disagree")
    options = parser.parse_args()
    for seed in options.minimise or ():
        result = compare(generate(seed))
        small = compare(minimise(result.program, disagreement(result)))
        print(f"# ==== {_line(small)}\n{small.program.text()}", flush=True)
    if options.minimise:
        return
    if options.show is not None:
        program = generate(options.show)
        print(program.text())
        print(judge(program))
        print(_line(compare(program)))
        return
    report = score(range(options.seed, options.seed + options.programs), options.workers)
    print(report.text())
    for result in report.disagreements:
        print(_line(result))
    for result in report.misnamed:
        print("lines", _line(result))


def _line(result: Result) -> str:
    said = "; ".join(f"{found.code} {found.line[0]}:{found.line[1]}" for found in result.found) or "nothing"
    return f"{result.program.seed}: {result.kind}, reported: {said}"


if __name__ == "__main__":
    main()
