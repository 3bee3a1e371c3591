import deepspeed


def main(model, stage):
    return deepspeed.initialize(model=model, config="chosen.json" if stage else "zero3.json")
