import argparse

import deepspeed


def main(model):
    parser = argparse.ArgumentParser()
    parser.add_argument("--settings")
    args = parser.parse_args()
    return deepspeed.initialize(model=model, config=args.settings)
