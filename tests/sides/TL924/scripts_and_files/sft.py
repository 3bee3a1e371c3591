from transformers import HfArgumentParser, Trainer, TrainingArguments


def main(model, data):
    parser = HfArgumentParser((TrainingArguments,))
    (arguments,) = parser.parse_args_into_dataclasses()
    Trainer(model, arguments, train_dataset=data).train()
