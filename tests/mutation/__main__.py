"""``python -m tests.mutation FOLDER``: do the tests see it when a condition of the analysis is changed?

Writes into FOLDER, which should lie outside the repository: ``lines`` and ``units.json`` (which test runs which line),
``sample.json``, and ``results.jsonl``, a line for each mutant that was judged. Begun again, it goes on where it stopped, with the
cases that are new among the expectations; after a change of the code, begin with a new folder. ``--again`` judges the survivors
once more, with more of the tests that run their line.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import multiprocessing
from collections import Counter
from pathlib import Path

from tests.mutation import sampling, units
from tests.mutation.running import AGAIN, MOST, Outcome, judge, warm_up

SEED = 9


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutation", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=1000, help="how many mutants (default: 1000)")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--again", action="store_true", help="judge the survivors of an earlier run once more")
    given = parser.parse_args()
    folder: Path = given.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    _measure_apart(folder)
    mutants = _sample(folder / "sample.json", given.count, given.seed)
    results = folder / "results.jsonl"
    done = _read(results)
    wanted = [each for each in mutants if (done[each.key]["outcome"] in {"survived", "not run"} if each.key in done else True)]
    if not given.again:
        wanted = [each for each in wanted if each.key not in done]
    warm_up()
    measured = units.Measured(folder)
    with results.open("a", encoding="utf-8") as file:
        for mutant in wanted:
            outcome = judge(mutant, measured, AGAIN if given.again else MOST)
            file.write(json.dumps({"mutant": mutant.key, **dataclasses.asdict(outcome)}) + "\n")
            file.flush()
            _say(mutant, outcome)
    _sum_up(_read(results))


def _measure_apart(folder: Path) -> None:
    """Measure in a process of its own: threads that tests leave behind would be missing in the children that become mutants."""
    process = multiprocessing.get_context("spawn").Process(target=units.measure, args=(folder,))
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit("a test fails without any mutation")


def _sample(path: Path, count: int, seed: int) -> list[sampling.Mutant]:
    """The sample, which takes minutes to draw, from where it was kept."""
    if not path.exists():
        path.write_text(json.dumps([dataclasses.asdict(each) for each in sampling.sample(count, seed)]), encoding="utf-8")
    return [sampling.Mutant(**each) for each in json.loads(path.read_text(encoding="utf-8"))][:count]


def _read(path: Path) -> dict[str, dict[str, object]]:
    """The results by mutant; of two the later counts."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {each["mutant"]: each for each in map(json.loads, lines)}


def _say(mutant: sampling.Mutant, outcome: Outcome) -> None:
    print(f"{outcome.outcome:8} {outcome.seconds:6.1f} s  {mutant.key}  {outcome.by}", flush=True)


def _sum_up(results: dict[str, dict[str, object]]) -> None:
    by_part: dict[str, Counter[str]] = {}
    for key, each in results.items():
        if each["outcome"] == "no mutant":
            continue
        by_part.setdefault(key.split("/")[1], Counter())[str(each["outcome"])] += 1
    for part, counts in {**by_part, "all": sum(by_part.values(), Counter())}.items():
        caught = counts["killed"] + counts["timeout"]
        print(f"{part:6} {caught} of {counts.total()} caught ({caught / counts.total():.1%}): {dict(counts)}")


if __name__ == "__main__":
    main()
