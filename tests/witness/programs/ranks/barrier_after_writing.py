"""One rank writes and waits for the others, who have no reason to wait."""

from pathlib import Path

import torch.distributed as dist


def main():
    if dist.get_rank() == 0:
        Path("vocabulary.txt").write_text("a b c")
        dist.barrier()  # expect: TL101  # stuck: 0
    return dist.get_world_size()
