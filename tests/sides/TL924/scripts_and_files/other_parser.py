from our_tools import HfArgumentParser
from transformers import Trainer


def main(model, data):
    Trainer(model, HfArgumentParser().read(), train_dataset=data).train()
