import deepspeed


def main(model):
    return deepspeed.initialize(model=model, config="micro_left_out.json")
