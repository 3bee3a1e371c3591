"""What a training is made of; the file is asked for its schedule by its name."""

import torch
from models import Net

model = Net()
optimizer = torch.optim.AdamW(model.parameters())
schedule = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[50, 100])
