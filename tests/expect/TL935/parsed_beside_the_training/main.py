"""The script parses the options, another file trains, as in LeeJunHyun/Image_Segmentation."""

import argparse

from solver import Solver


def main(config):
    if config.mode == "train":
        Solver(config).train()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", default="train")
    parser.add_argument("--lr", type=float, default=2e-4)
    parser.add_argument("--epochs", type=int, default=100)
    parser.add_argument("--cuda-idx", type=int, default=1)  # expect: TL935
    main(parser.parse_args())
