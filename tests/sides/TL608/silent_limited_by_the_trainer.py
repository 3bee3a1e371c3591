"""A limit that somebody sets for what is kept."""

import torch
from transformers import TrainingArguments


def settings(folder):
    return TrainingArguments(folder, save_total_limit=3)


def train(model, optimizer, loader, epochs):
    for epoch in range(epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        torch.save(model.state_dict(), f"model-{epoch}.pt")
