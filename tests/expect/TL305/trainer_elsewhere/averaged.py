from trainer import Average, Reporter


def train(model, optimizer, loader, args):
    average = Average(model.parameters())
    reporter = Reporter()
    for number, batch in enumerate(loader):
        optimizer.zero_grad()
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        if args.use_average:
            average.step(model.parameters())
        if number % 100 == 0:
            reporter.report(loss.item())
    average.copy_to(model.parameters())
