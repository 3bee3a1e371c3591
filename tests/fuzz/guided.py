"""A run that is guided by coverage: ``python -m tests.fuzz.guided FOLDER -max_total_time=3600``.

It needs the package atheris, which is none of our dependencies. FOLDER keeps the inputs that lead to something new; what makes
trainlint fail is written to ``crash-…`` in the working folder, and the run ends.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["trainlint"]):
    from tests.fuzz import bench, documents
    from tests.fuzz.bench import analysed, every_rule, raising
    from tests.fuzz.replaying import run
    from trainlint.rules import registry

    bench.LEAST_SECONDS = 100.0  # what is counted takes its time; -timeout is the limit here
    registry.load(every_rule().codes)
    with raising():
        analysed({"a.py": b"import torch.distributed as dist\nif dist.get_rank() == 0:\n    dist.barrier()\n"})

#: An input takes the longer the longer it is, and short ones find as much.
_LONGEST = 4096


def main() -> None:
    """Fuzz until the time is over."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    if not any(folder.iterdir()):
        _sow(folder)
    words = folder.with_suffix(".dict")
    words.write_bytes(_dictionary())
    arguments = [
        sys.argv[0],
        str(folder),
        f"-dict={words}",
        f"-max_len={_LONGEST}",
        "-timeout=60",
        "-rss_limit_mb=3000",
        *sys.argv[2:],
    ]
    atheris.Setup(arguments, run)
    atheris.Fuzz()


def _sow(folder: Path) -> None:
    """Some inputs of each sort to begin with."""
    from tests.fuzz.mutations import mutated
    from tests.fuzz.programs import program

    for seed in range(60):
        chance = random.Random(seed)
        for kind in range(len(documents.KINDS)):
            if kind < 3 or seed < 4:
                text = documents.table(chance) if kind == 3 else program(chance, 40).encode() if seed % 2 else mutated(chance)
                (folder / f"seed-{kind}-{seed}").write_bytes(bytes([kind]) + text[: _LONGEST - 1])


def _dictionary() -> bytes:
    from tests.fuzz.mutations import _TOKENS
    from tests.fuzz.vocabulary import IMPORTS, vocabulary

    words = vocabulary()
    texts = [*_TOKENS, *IMPORTS, *words.dotted[::6], *words.words[::6]]
    quoted = ("".join(f"\\x{byte:02x}" for byte in text.encode()) for text in texts)
    return "".join(f'"{one}"\n' for one in quoted).encode()


if __name__ == "__main__":
    main()
