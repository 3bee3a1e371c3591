import argparse
import os


def read():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", default="out")
    args = parser.parse_args()
    if not os.path.exists(args.folder):
        os.makedirs(args.folder)  # expect: TL112
    return args


def read_for_the_other():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", default="out")
    args = parser.parse_args()
    if not os.path.exists(args.folder):
        os.makedirs(args.folder, exist_ok=True)
    return args
