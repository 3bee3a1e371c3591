"""Samples written in the middle of the training, by a method of the model (InternLM/InternEvo)."""

from torch.utils.data import DataLoader
from transformers import AutoModelForCausalLM


def train(optimizer, train_dataset, val_dataset, file):
    model = AutoModelForCausalLM.from_pretrained("small")
    model.train()
    for step, batch in enumerate(DataLoader(train_dataset, shuffle=True)):
        loss = model(**batch).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        if (step + 1) % 100 == 0:
            for i in range(len(val_dataset)):
                data, label = val_dataset[i]
                said = model.generate(input_ids=data.unsqueeze(0).cuda(), top_k=50)  # expect: TL704
                file.write(f"{said} {label}")
            model.train()
