import functools

from torch.utils.data import DataLoader
from transformers import BertTokenizerFast


def together(items, tokenizer):
    return tokenizer.pad(items, padding="longest", return_tensors="pt")  # expect: TL503


def texts(items, size):
    tokenizer = BertTokenizerFast.from_pretrained("bert-base-cased")
    collate = functools.partial(together, tokenizer=tokenizer)
    return DataLoader(items, batch_size=size, drop_last=True, collate_fn=collate)
