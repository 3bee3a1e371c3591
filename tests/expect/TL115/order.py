"""Modelled on X-PLUG/mPLUG-Owl, NVIDIA/DeepLearningExamples, AI-Hypercomputer/maxtext, ultralytics/yolov5."""

import os

import tensorflow as tf
import torch
import torch.distributed as dist


def evaluate(local_rank):
    dist.init_process_group("nccl")
    torch.cuda.set_device(local_rank)
    os.environ["CUDA_VISIBLE_DEVICES"] = str(local_rank)  # expect: TL115


def quiet():
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"  # expect: TL115
    return tf.constant(1)


def look():
    return tf.config.list_physical_devices("GPU")


def compiled():
    print(look())
    os.environ.update({"TF_XLA_FLAGS": "--tf_xla_auto_jit=2", "OWN": "1"})  # expect: TL115


def chosen(device):
    if device == "cpu":
        os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
    elif device:
        os.environ["CUDA_VISIBLE_DEVICES"] = device
    return torch.cuda.get_device_properties(0)


def in_time():
    os.environ["TF_XLA_FLAGS"] = "--tf_xla_auto_jit=2"
    return look()
