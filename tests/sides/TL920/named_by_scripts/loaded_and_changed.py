import json

import deepspeed


def main(model, world):
    with open("loaded_and_changed.json") as file:
        config = json.load(file)
    config["train_batch_size"] = 8 * world
    return deepspeed.initialize(model=model, config=config)
