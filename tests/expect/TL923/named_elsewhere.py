"""Keys of a configuration are constants, and a section of it comes from a function."""

import deepspeed

BATCH, STEPS, RIGHT = "train_batch_size", "step_per_print", "steps_per_print"


def half(enabled):
    return {"enable": enabled, "loss_scale": 0, "initial_scale_power": 16}


def prepare(model):
    config = {BATCH: 8, STEPS: 1000, "zero_optimization": {"stage": 1}}
    engine, *_ = deepspeed.initialize(model=model, config=config)  # expect: TL923
    return engine


def prepare_in_half(model):
    config = {BATCH: 8, RIGHT: 1000, "fp16": half(True), "zero_optimization": {"stage": 1}}
    engine, *_ = deepspeed.initialize(model=model, config=config)  # expect: TL923
    return engine


def prepare_rightly(model, more):
    config = {BATCH: 8, RIGHT: 1000, more: 1, "zero_optimization": {"stage": 1}}
    engine, *_ = deepspeed.initialize(model=model, config=config)
    return engine
