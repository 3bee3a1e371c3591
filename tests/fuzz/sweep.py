"""All Python files of some folders, each by itself and awake: ``python -m tests.fuzz.sweep FOLDER...``.

To each file a few lines of training code are added, so that it is parsed, lowered, linked and judged by every rule. Printed is
what fails, what is not analysed, and the files that take the longest for each line.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from tests.fuzz.bench import Broken, analysed, raising

TAIL = b"\nimport torch, jax, tensorflow as tf\nimport torch.distributed as dist\ndef _sync(value):\n    dist.all_reduce(value)\n"
#: Files that take the longest, so many of them. Small ones are left out: what a run costs at all would be all that is seen.
_SHOWN, _SMALL = 10, 100


def main(folders: list[Path]) -> int:
    """Sweep; 1 when something failed."""
    slowest: list[tuple[float, str]] = []
    files = lines = failed = 0
    for path in (path for folder in folders for path in sorted(folder.rglob("*.py"))):
        try:
            data = path.read_bytes() + TAIL
        except OSError:
            continue
        files, count = files + 1, data.count(b"\n")
        lines += count
        started = time.process_time()
        try:
            with raising():
                _, analysis = analysed({str(path): data})
        except (Exception, Broken) as error:  # noqa: BLE001 - all of them are looked for
            failed += 1
            print(f"{path}: {type(error).__name__}: {error}")
            continue
        print(*(f"{path}:{one.span.line}: {one.message}\n" for one in analysis.findings if one.code == "TL004"), sep="", end="")
        if count > _SMALL:
            slowest.append(((time.process_time() - started) / count, str(path)))
    print(f"{files} files, {lines} lines, {failed} failures; slowest, in microseconds a line:")
    for seconds, name in sorted(slowest, reverse=True)[:_SHOWN]:
        print(f"{1e6 * seconds:8.0f}  {name}")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main([Path(word) for word in sys.argv[1:]]))
