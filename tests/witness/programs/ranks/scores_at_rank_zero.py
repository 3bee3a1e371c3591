"""The receiver of a gather runs it, those who should send do not."""

import torch.distributed as dist


def main():
    score = {"rank": dist.get_rank(), "right": 7}
    total = None
    if dist.get_rank() == 0:
        scores = [None] * dist.get_world_size()
        dist.gather_object(score, scores, dst=0)  # expect: TL101  # stuck: 0
        total = sum(each["right"] for each in scores)
    print(total)
    return dist.get_world_size()
