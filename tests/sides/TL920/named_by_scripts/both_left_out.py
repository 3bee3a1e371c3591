import deepspeed


def main(model):
    return deepspeed.initialize(model=model, config="both_left_out.json")
