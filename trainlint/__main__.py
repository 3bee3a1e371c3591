"""``python -m trainlint``: the same as the ``trainlint`` command."""

from __future__ import annotations

from trainlint.cli.main import main

if __name__ == "__main__":
    main(prog_name="trainlint")
