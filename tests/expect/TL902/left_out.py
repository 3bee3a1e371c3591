# Modelled on: jwyang/faster-rcnn.pytorch (numpy only, in the script that trains), huggingface/peft (a helper for two of three).
import argparse
import random

import numpy as np
import torch


def set_seed(seed):
    np.random.seed(seed)
    torch.random.manual_seed(seed)  # expect: TL902


def sample_windows(text, count, seed=0, length=2048):
    set_seed(seed)
    windows = []
    for _ in range(count):
        start = random.randint(0, len(text) - length - 1)
        windows.append(text[start : start + length])
    return windows


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("text")
    print(len(sample_windows(parser.parse_args().text, 128)))
