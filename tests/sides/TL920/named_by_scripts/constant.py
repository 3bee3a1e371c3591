import deepspeed


def main(model):
    return deepspeed.initialize(model=model, config="constant.json")
