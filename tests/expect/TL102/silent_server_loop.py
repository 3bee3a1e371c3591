"""Followers serve in an endless loop and never come back; the leader goes on and feeds them.

facebookresearch/metaseq @ 1f73f573c210 : metaseq_cli/interactive_hosted.py:178, :191
"""

import torch.distributed as dist


def follow(model):
    while True:
        request = [None]
        dist.broadcast_object_list(request, src=0)
        if request[0] is None:
            return
        model.generate(request[0])


def main(model, prompts):
    if dist.get_rank() != 0:
        follow(model)
        return
    for prompt in [*prompts, None]:
        dist.broadcast_object_list([prompt], src=0)
        if prompt is not None:
            model.generate(prompt)
