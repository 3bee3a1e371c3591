import deepspeed
import our_yaml


def main(model):
    with open("loaded_as_yaml.json") as file:
        config = our_yaml.load(file)
    return deepspeed.initialize(model=model, config=config)
