from torch import nn, optim
from trainer import Trainer


def main(loader):
    model = nn.TransformerEncoder(nn.TransformerEncoderLayer(64, 4), 2)
    trainer = Trainer(model, optim.Adam(model.parameters()), nn.MSELoss())
    trainer.train(loader)
