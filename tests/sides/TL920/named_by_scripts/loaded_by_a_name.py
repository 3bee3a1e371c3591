import json

import deepspeed


def main(model, path):
    with open(path) as file:
        config = json.load(file)
    return deepspeed.initialize(model=model, config=config)
