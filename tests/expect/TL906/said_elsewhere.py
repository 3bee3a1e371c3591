"""Names and values of variables are constants of a file, or of a class."""

import os

import torch.distributed as dist

DEBUG, LEVEL, QUIET = "NCCL_DEBUG", "INFO", "WARN"


class Job:
    level = LEVEL
    quiet = QUIET

    def start(self):
        os.environ[DEBUG] = self.level  # expect: TL906
        dist.init_process_group("nccl")


def level_of(options):
    return options.level


def start(options):
    os.environ.update({"TORCH_CPP_LOG_LEVEL": level_of(options)})
    dist.init_process_group("nccl")


def main(options):
    Job().start()
    start(options)


if __name__ == "__main__":
    main(None)
