from pipeline import Pipeline


def train(model, optimizer, loader, tokenizer):
    pipeline = Pipeline(model, tokenizer)
    for prompts, images in loader:
        tokens = tokenizer(prompts, padding="longest", return_tensors="pt").to("cuda")
        model(**tokens, labels=images.cuda()).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        pipeline("a house")
