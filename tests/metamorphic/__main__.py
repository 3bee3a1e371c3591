"""``python -m tests.metamorphic`` writes the table anew, ``--show TL301 closure`` prints the programs of a cell."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.metamorphic import page, table
from tests.metamorphic.program import Unfit
from tests.metamorphic.seed_files import all_seeds, seed


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.metamorphic", description=__doc__)
    parser.add_argument("codes", nargs="*", help="the rules whose rows are written anew (default: all)")
    parser.add_argument(
        "--show", nargs=2, metavar=("CODE", "COLUMN"), help="print the programs of a cell, and what is said of them"
    )
    parser.add_argument("--plain", action="store_true", help="only say whether the seeds are right as they stand")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    if options.show:
        return _show(*options.show)
    there = all_seeds()
    chosen = [path for code, path in there.items() if not options.codes or code in options.codes]
    with ProcessPoolExecutor(options.workers) as pool:
        if options.plain:
            return _plain(list(zip(chosen, pool.map(_plain_of, chosen), strict=True)))
        kept = {name: row for name, row in table.read().items() if name[:5] in there}
        for path, rows in zip(chosen, pool.map(_rows_of, chosen), strict=True):
            kept = {name: row for name, row in kept.items() if name[:5] != path.stem} | rows
            table.write(kept)
            for name, row in rows.items():
                print(f"{name:8}", *row, flush=True)
    page.write(kept)
    return 0


def _rows_of(path: Path) -> dict[str, table.Row]:
    return table.rows(seed(path))


def _plain_of(path: Path) -> str:
    try:
        of = seed(path)
        bad, good = table.plain(of)
    except (ValueError, SyntaxError) as error:
        return repr(error)
    faults = [*([] if of.code in bad else ["bad: not reported"]), *(["good: reported"] if of.code in good else [])]
    return ", ".join([*faults, *([f"bad {sorted(bad)}, good {sorted(good)}"] if faults else [])])


def _plain(found: list[tuple[Path, str]]) -> int:
    for path, said in found:
        if said:
            print(f"{path.stem}: {said}")
    return int(any(said for _, said in found))


def _show(name: str, column: str) -> int:
    code, _, number = name.partition(".")
    of = seed(all_seeds()[code])
    columns = [*table.carrier_columns("VALUE2" if number == "2" else "VALUE"), *table.SHAPE_COLUMNS]
    chosen = next((each for each in columns if each.name == column), None)
    if chosen is None and column != "plain":
        print("columns: plain,", ", ".join(each.name for each in columns))
        return 2
    for kind, program in zip(("bad", "good"), of.programs(), strict=True):
        print(f"======== {kind}")
        try:
            files = (program if chosen is None else chosen.make(program)).texts()
        except Unfit as reason:
            print(f"no such program: {reason}")
            continue
        for path, text in files.items():
            print(f"# ---- {path}\n{text}")
        for found in table.check(files):
            print(f"{found.path.name}:{found.span.line} {found.code} {found.message}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
