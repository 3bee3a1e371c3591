"""A collator of the library, left at its default; and one that is told to."""

import torch_xla
from torch.utils.data import DataLoader
from transformers import AutoTokenizer, DataCollatorForTokenClassification, DataCollatorWithPadding

tokenizer = AutoTokenizer.from_pretrained("roberta-base")


def fit(model, optimizer, loader):
    for batch in loader:
        batch = {name: value.to("xla") for name, value in batch.items()}
        model(**batch).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        torch_xla.sync()


def sentences(model, optimizer, data):
    together = DataCollatorWithPadding(tokenizer)  # expect: TL503
    fit(model, optimizer, DataLoader(data, batch_size=8, drop_last=True, collate_fn=together))


def words(model, optimizer, data):
    together = DataCollatorForTokenClassification(tokenizer, padding="longest", max_length=128)  # expect: TL503
    fit(model, optimizer, DataLoader(data, batch_size=8, drop_last=True, collate_fn=together))
