"""The script that is started imports no framework itself, as in znxlwm/UGATIT-pytorch."""

import argparse

from gan import Gan


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=2)
    args = parser.parse_args()
    gan = Gan(8)
    gan.train(args.steps)


if __name__ == "__main__":
    main()  # expect: TL901
