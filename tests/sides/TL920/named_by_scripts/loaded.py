import json

import deepspeed


def main(model):
    with open("loaded.json") as file:
        config = json.load(file)
    return deepspeed.initialize(model=model, config=config)
