"""The script."""

import argparse

from setup import prepare


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--deterministic", action="store_true")
    args = parser.parse_args()
    prepare(args.seed, args.deterministic)


if __name__ == "__main__":
    main()
