# Modelled on: facebookresearch/detr (an engine beside the script), huggingface/diffusers (a helper that seeds).
def train_one_epoch(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
