from trainer_kit import Accelerator


def main():
    return Accelerator(gradient_accumulation_steps=4)
