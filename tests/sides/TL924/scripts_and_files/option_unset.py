import argparse

from accelerate import Accelerator


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--accum", type=int)
    args = parser.parse_args()
    return Accelerator(gradient_accumulation_steps=args.accum)
