import argparse

import deepspeed


def main(model):
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers()
    commands.add_parser("small").add_argument("--settings", default="by_default_of_two.json")
    commands.add_parser("large").add_argument("--settings", default="zero3.json")
    args = parser.parse_args()
    return deepspeed.initialize(model=model, config=args.settings)
