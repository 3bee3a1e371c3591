import argparse

from transformers import HfArgumentParser, Trainer, TrainingArguments


def main(model, data):
    parser = argparse.ArgumentParser()
    parser.add_argument("--gradient_accumulation_steps", type=int, default=1)
    args, rest = parser.parse_known_args()
    (arguments,) = HfArgumentParser((TrainingArguments,)).parse_args_into_dataclasses(rest)
    Trainer(model, arguments, train_dataset=data).train()
    return args
