from transformers import Trainer, TrainingArguments


def main(model, data):
    Trainer(model, TrainingArguments("out"), train_dataset=data).train()
