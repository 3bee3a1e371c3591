"""A loop begins with the number of a file in which only weights are; by the optimizer, and by what is in the file."""

import torch


def adam(args, model, loader):
    optimizer = torch.optim.Adam(model.parameters())
    checkpoint = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(checkpoint["weights"])
    for epoch in range(checkpoint["epoch"] + 1, args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        torch.save({"weights": model.state_dict(), "epoch": epoch}, args.output)  # expect: TL603


def sgd(args, model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    checkpoint = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(checkpoint["weights"])
    for epoch in range(checkpoint["epoch"] + 1, args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        torch.save({"weights": model.state_dict(), "epoch": epoch}, args.output)


def sgd_by_position(args, model, loader):
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    checkpoint = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(checkpoint["weights"])
    for epoch in range(checkpoint["epoch"] + 1, args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        torch.save({"weights": model.state_dict(), "epoch": epoch}, args.output)


def sgd_with_decay(args, model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, weight_decay=1e-4)
    checkpoint = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(checkpoint["weights"])
    for epoch in range(checkpoint["epoch"] + 1, args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        torch.save({"weights": model.state_dict(), "epoch": epoch}, args.output)


def sgd_with_momentum(args, model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    checkpoint = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(checkpoint["weights"])
    for epoch in range(checkpoint["epoch"] + 1, args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        torch.save({"weights": model.state_dict(), "epoch": epoch}, args.output)  # expect: TL603


def sgd_with_positional_momentum(args, model, loader):
    optimizer = torch.optim.SGD(model.parameters(), 0.1, 0.9)
    checkpoint = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(checkpoint["weights"])
    for epoch in range(checkpoint["epoch"] + 1, args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        torch.save({"weights": model.state_dict(), "epoch": epoch}, args.output)  # expect: TL603


def sgd_with_settings(args, model, loader):
    optimizer = torch.optim.SGD(model.parameters(), **args.sgd)
    checkpoint = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(checkpoint["weights"])
    for epoch in range(checkpoint["epoch"] + 1, args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        torch.save({"weights": model.state_dict(), "epoch": epoch}, args.output)  # expect: TL603


def behind_the_loop(args, model, loader):
    optimizer = torch.optim.Adam(model.parameters())
    checkpoint = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(checkpoint["weights"])
    for epoch in range(checkpoint["epoch"] + 1, args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
    torch.save({"weights": model.state_dict(), "epoch": epoch}, args.output)


def without_the_number(args, model, loader):
    optimizer = torch.optim.Adam(model.parameters())
    checkpoint = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(checkpoint["weights"])
    for epoch in range(checkpoint["epoch"] + 1, args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        torch.save({"weights": model.state_dict()}, args.output)


def without_weights(args, model, loader):
    optimizer = torch.optim.Adam(model.parameters())
    checkpoint = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(checkpoint["weights"])
    for epoch in range(checkpoint["epoch"] + 1, args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        torch.save({"epoch": epoch, "loss": 3.0}, args.output)


def with_more_that_is_unknown(args, model, loader, more):
    optimizer = torch.optim.Adam(model.parameters())
    checkpoint = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(checkpoint["weights"])
    for epoch in range(checkpoint["epoch"] + 1, args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        torch.save({"weights": model.state_dict(), "epoch": epoch, **more}, args.output)


def under_the_name_of_an_optimizer(args, model, loader, kept):
    optimizer = torch.optim.Adam(model.parameters())
    checkpoint = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(checkpoint["weights"])
    for epoch in range(checkpoint["epoch"] + 1, args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        torch.save({"weights": model.state_dict(), "epoch": epoch, "optimizer": kept}, args.output)


def something_of_the_optimizer(args, model, loader):
    optimizer = torch.optim.Adam(model.parameters())
    checkpoint = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(checkpoint["weights"])
    for epoch in range(checkpoint["epoch"] + 1, args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        torch.save({"weights": model.state_dict(), "epoch": epoch, "rates": optimizer.param_groups}, args.output)  # expect: TL603


def with_the_loss(args, model, loader):
    optimizer = torch.optim.Adam(model.parameters())
    checkpoint = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(checkpoint["weights"])
    for epoch in range(checkpoint["epoch"] + 1, args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        torch.save({"weights": model.state_dict(), "epoch": epoch, "loss": 3.0}, args.output)  # expect: TL603


def two_files(args, model, loader):
    optimizer = torch.optim.Adam(model.parameters())
    checkpoint = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(checkpoint["weights"])
    for epoch in range(checkpoint["epoch"] + 1, args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        torch.save({"weights": model.state_dict(), "epoch": epoch}, args.other)  # expect: TL603
        torch.save({"weights": model.state_dict(), "epoch": epoch}, args.output)
