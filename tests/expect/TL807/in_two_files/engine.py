# Modelled on: pytorch/examples (an engine in a file of its own), jadore801120/attention-is-all-you-need-pytorch (epochs, a script).
def train_epoch(model, loader, optimizer, device):
    model.train()
    for source, target in loader:
        optimizer.zero_grad()
        loss = model(source.to(device), target.to(device))
        loss.backward()  # expect: TL807
        optimizer.step()
