"""An endless loop in which one rank asks until it has an answer; the others wait for it in the broadcast."""

import torch.distributed as dist


def prompt(model):
    holder = [None]
    while True:
        if dist.get_rank() == 0:
            text = input("> ")
            if not text:
                continue
            holder = [text]
        dist.broadcast_object_list(holder, src=0)
        model.generate(holder[0])


def prompt_until_the_end(model):
    holder = [None]
    while True:
        if dist.get_rank() == 0:
            text = input("> ")
            if not text.strip():
                print("say something")
                continue
            holder[0] = text
        dist.broadcast_object_list(holder, src=0)
        if holder[0] == "end":
            break
        model.generate(holder[0])
