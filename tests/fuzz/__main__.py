"""A long run: ``python -m tests.fuzz --minutes 20``. What fails is made smaller and written to a folder."""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from collections import Counter
from pathlib import Path

from tests.fuzz.bench import Broken, holds
from tests.fuzz.mutations import mutated
from tests.fuzz.programs import program
from tests.fuzz.shrinking import smaller


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--seed", type=int, default=0, help="the first of the seeds, one for each input")
    parser.add_argument("--into", type=Path, default=Path("fuzz-failures"), help="where inputs that fail are written")
    given = parser.parse_args()
    end = time.monotonic() + 60 * given.minutes
    seed, known = given.seed, Counter[str]()
    codes = Counter[str]()
    size = 0
    while time.monotonic() < end:
        chance = random.Random(seed)
        data = program(chance, chance.randrange(10, 400)).encode("utf-8", "surrogatepass") if seed % 2 else mutated(chance)
        size += len(data)
        kind = failure(data)
        if kind is None:
            seed += 1
            continue
        known[kind] += 1
        if known[kind] == 1:
            given.into.mkdir(parents=True, exist_ok=True)
            small = smaller(data, lambda text, kind=kind: failure(text) == kind)
            (given.into / f"seed_{seed}.py").write_bytes(small)
            print(f"seed {seed}: {kind}\n{small.decode('utf-8', 'replace')}\n", flush=True)
        seed += 1
    print(f"{seed - given.seed} inputs, {size} bytes, failures: {dict(known)} {codes or ''}")
    return 1 if known else 0


def failure(data: bytes) -> str | None:
    """What goes wrong with a text, in one line: the error and where it was raised; None when nothing does."""
    try:
        holds(data)
    except Broken as broken:
        return str(broken).partition("\n")[0].partition(" took ")[0]
    except Exception as error:  # noqa: BLE001 - all of them are looked for
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} in {Path(last.filename).name}:{last.lineno}"
    return None


if __name__ == "__main__":
    sys.exit(main())
