"""A package under `src/` with absolute imports of itself, and a star import."""

from toolkit.distributed import *


def main():
    prepare()
    if main_process():
        download()
        everyone()  # expect: TL101


def prepare():
    print("preparing")


def download():
    print("downloading")
