from accelerate import Accelerator


def main(model, optimizer, loader):
    accelerator = Accelerator(gradient_accumulation_steps=True)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for batch in loader:
        with accelerator.accumulate(model):
            accelerator.backward(model(batch).mean())
            optimizer.step()
            optimizer.zero_grad()
