import os


def only_mine(local_rank):
    os.environ["CUDA_VISIBLE_DEVICES"] = str(local_rank)
