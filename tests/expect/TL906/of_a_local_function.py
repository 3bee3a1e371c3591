"""What a local function returns is kept by the statement that calls it."""

import os

import torch.distributed as dist


def main():
    def level():
        return "INFO"

    os.environ["NCCL_DEBUG"] = level()  # expect: TL906
    dist.init_process_group("nccl")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
