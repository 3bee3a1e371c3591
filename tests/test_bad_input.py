"""Everything bad at once, as users meet it: one folder, one process, and every file gets what it would get alone.

What each kind of bad input gives by itself is tested in tests/bad_input/.
"""

from __future__ import annotations

import os
from pathlib import Path

from tests.bad_input import hostile
from tests.bad_input.running import OTHER, OTHER_CODE, OTHER_FOUND, Found, check_in_process_of_its_own, write
from tests.bad_input.test_bytes import UNREADABLE, UNUSUAL
from tests.bad_input.test_huge import ALL as HUGE
from tests.bad_input.test_syntax import BROKEN, BROKEN_NOTEBOOKS, HANGS

HANG = [Found(*OTHER_FOUND)]


def numbered(kind: str, texts: list[bytes | str], suffix: str = ".py") -> dict[str, bytes | str]:
    return {f"{kind}{number:03}{suffix}": text for number, text in enumerate(texts)}


def test_a_folder_full_of_it(tmp_path: Path) -> None:
    """Together this is enough for several processes: what they send one another is as deep as the text."""
    unusual = numbered("unusual", [before for before, _, _ in UNUSUAL.values()])
    unreadable = numbered("unreadable", [data for data, _, _ in UNREADABLE.values()])
    broken = numbered("broken", [HANGS + text for text, _ in BROKEN.values()])
    notebooks = numbered("notebook", [text for text, _ in BROKEN_NOTEBOOKS.values()], ".ipynb")
    huge = numbered("huge", [text for text, _ in HUGE.values()])
    long = numbered("long", [hostile.beside(f"# {'-' * 97}\n" * 12_000)] * 3)
    nothing = numbered("nothing", ["", "\n", "# nothing\n", '"""Nothing."""\n'])
    too_long = {"too_long.py": hostile.beside(f"# {'-' * 97}\n" * 100_000)}
    inner = {"folder.py/hostile.py": OTHER_CODE}
    write(tmp_path, {**unusual, **unreadable, **broken, **notebooks, **huge, **long, **nothing, **too_long, **inner})
    odd_things(tmp_path)

    outcome = check_in_process_of_its_own(tmp_path, "-j", "3", tmp_path)

    assert (outcome.code, outcome.stderr) == (1, "")
    assert outcome.found.pop(OTHER) == HANG
    assert outcome.found.pop("hostile.py") == HANG
    assert outcome.found.pop("too_long.py") == [Found("TL004", 1, 1)]
    assert [outcome.found.pop(name) for name in unusual] == [[place] for _, _, place in UNUSUAL.values()]
    assert [outcome.found.pop(name) for name in unreadable] == [[Found("TL001", line, 1)] for _, line, _ in UNREADABLE.values()]
    assert [one[:2] for name in broken for one in outcome.found.pop(name)] == [("TL001", line) for _, line in BROKEN.values()]
    assert [[one.code for one in outcome.found.pop(name)] for name in notebooks] == [["TL001"]] * len(notebooks)
    found = [outcome.found.pop(file, None) for file in huge]
    assert dict(zip(HUGE, found, strict=True)) == {name: [place] for name, (_, place) in HUGE.items()}
    assert [outcome.found.pop(name) for name in long] == [HANG] * len(long)
    assert outcome.found == {}


def odd_things(folder: Path) -> None:
    """Loops of links, links that lead nowhere, and a pipe, where the system has such things."""
    try:
        (folder / "again").symlink_to(folder)
        (folder / "self.py").symlink_to("self.py")
        (folder / "gone.py").symlink_to("nowhere.py")
    except OSError:
        return
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "pipe.py")
