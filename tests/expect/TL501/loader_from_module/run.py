import torch_xla
from streams import Streams
from tqdm import tqdm


def main(model, optimizer, words, epochs):
    streams = Streams(words, torch_xla.device(), size=16)
    for epoch in range(epochs):
        for batch in tqdm(streams.train, desc=f"epoch {epoch}"):
            loss = model(**batch).loss
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
