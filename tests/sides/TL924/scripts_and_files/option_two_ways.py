import argparse

from accelerate import Accelerator


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers()
    commands.add_parser("small").add_argument("--accum", type=int, default=2)
    commands.add_parser("large").add_argument("--accum", type=int, default=4)
    args = parser.parse_args()
    return Accelerator(gradient_accumulation_steps=args.accum)
