import os
import sys


def rank_zero_goes_on_alone():
    if int(os.environ["RANK"]) != 0:
        sys.exit(0)
