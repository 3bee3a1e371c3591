"""Draws an order of files and writes it down: one process."""

import random
import sys


def main(path):
    with open(path) as text:
        names = text.read().split()
    random.shuffle(names)
    with open(path, "w") as text:
        text.write("\n".join(names))


if __name__ == "__main__":
    main(sys.argv[1])
