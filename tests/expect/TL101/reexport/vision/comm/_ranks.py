import os


def is_first_rank():
    return int(os.environ.get("RANK", 0)) == 0
