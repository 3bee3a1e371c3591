import os


def if_lead():
    rank = os.environ.get("RANK")
    return rank is None or int(rank) == 0
