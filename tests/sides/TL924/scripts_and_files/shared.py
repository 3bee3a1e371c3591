from accelerate import Accelerator


def make():
    return Accelerator(gradient_accumulation_steps=4)
