import json

import deepspeed
from our_store import fetch


def main(model):
    config = json.load(fetch("loaded_from_a_download.json"))
    return deepspeed.initialize(model=model, config=config)
