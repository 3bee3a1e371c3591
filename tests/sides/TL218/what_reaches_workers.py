"""Workers persist, and something of the dataset is given another value between epochs."""

from torch.utils.data import DataLoader, Dataset


class Noisy(Dataset):
    def __init__(self, images):
        self.images, self.noise, self.unused = images, 0.0, 0

    def set_noise(self, noise):
        self.noise = noise

    def set_unused(self, number):
        self.unused = number

    def reset(self):
        self.noise = 0.0

    def describe(self):
        return f"{len(self.images)} images"

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        return self.images[index].add(self.noise)


class Counting(Noisy):
    def __getitem__(self, index):
        self.noise = self.noise + 0.1
        return self.images[index].add(self.noise)


def run_epoch(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).backward()
        optimizer.step()


def another_value(model, optimizer, images, epochs):
    data = Noisy(images)
    loader = DataLoader(data, batch_size=8, shuffle=True, num_workers=2, persistent_workers=True)  # expect: TL218
    for epoch in range(epochs):
        data.noise = 0.1 * epoch
        run_epoch(model, optimizer, loader)


def the_same_constant(model, optimizer, images, epochs):
    data = Noisy(images)
    loader = DataLoader(data, batch_size=8, shuffle=True, num_workers=2, persistent_workers=True)
    for _ in range(epochs):
        data.noise = 0.5
        run_epoch(model, optimizer, loader)


def by_a_method(model, optimizer, images, epochs):
    data = Noisy(images)
    loader = DataLoader(data, batch_size=8, shuffle=True, num_workers=2, persistent_workers=True)  # expect: TL218
    for epoch in range(epochs):
        data.set_noise(0.1 * epoch)
        run_epoch(model, optimizer, loader)


def by_a_method_that_resets(model, optimizer, images, epochs):
    data = Noisy(images)
    loader = DataLoader(data, batch_size=8, shuffle=True, num_workers=2, persistent_workers=True)
    for _ in range(epochs):
        data.reset()
        run_epoch(model, optimizer, loader)


def by_a_method_that_changes_nothing(model, optimizer, images, epochs):
    data = Noisy(images)
    loader = DataLoader(data, batch_size=8, shuffle=True, num_workers=2, persistent_workers=True)
    for _ in range(epochs):
        print(data.describe())
        run_epoch(model, optimizer, loader)


def train_epoch(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).backward()
        optimizer.step()


def by_a_method_that_is_not_read(model, optimizer, images, epochs):
    data = Noisy(images)
    loader = DataLoader(data, batch_size=8, shuffle=True, num_workers=2, persistent_workers=True)
    for epoch in range(epochs):
        data.set_unused(epoch)
        train_epoch(model, optimizer, loader)


def by_the_loader(model, optimizer, images, epochs):
    loader = DataLoader(Noisy(images), batch_size=8, shuffle=True, num_workers=2, persistent_workers=True)  # expect: TL218
    for epoch in range(epochs):
        loader.dataset.set_noise(0.1 * epoch)
        train_epoch(model, optimizer, loader)


def by_another_loader(model, optimizer, images, masks, epochs):
    loader = DataLoader(Noisy(images), batch_size=8, shuffle=True, num_workers=2, persistent_workers=True)
    other = DataLoader(Noisy(masks), batch_size=8)
    for epoch in range(epochs):
        other.dataset.set_noise(0.1 * epoch)
        train_epoch(model, optimizer, loader)


def workers_that_do_not_persist(model, optimizer, images, epochs):
    data = Noisy(images)
    loader = DataLoader(data, batch_size=8, shuffle=True, num_workers=2, persistent_workers=False)
    for epoch in range(epochs):
        data.set_noise(0.1 * epoch)
        train_epoch(model, optimizer, loader)


def workers_that_may_persist(model, optimizer, images, epochs, config):
    data = Noisy(images)
    loader = DataLoader(data, batch_size=8, shuffle=True, num_workers=2, persistent_workers=config.keep)
    for epoch in range(epochs):
        data.set_noise(0.1 * epoch)
        train_epoch(model, optimizer, loader)


def one_round(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).backward()
        optimizer.step()


def the_other_dataset(model, optimizer, images, masks, epochs):
    data, other = Noisy(images), Noisy(masks)
    loader = DataLoader(data, batch_size=8, shuffle=True, num_workers=2, persistent_workers=True)
    for epoch in range(epochs):
        other.set_noise(0.1 * epoch)
        one_round(model, optimizer, loader)
    return other


def workers_that_count_themselves(model, optimizer, images, epochs):
    # what a worker reads it has set itself
    data = Counting(images)
    loader = DataLoader(data, batch_size=8, shuffle=True, num_workers=2, persistent_workers=True)
    for epoch in range(epochs):
        data.set_noise(0.1 * epoch)
        one_round(model, optimizer, loader)


def before_the_first_epoch(model, optimizer, images, epochs):
    data = Noisy(images)
    data.set_noise(0.3)
    loader = DataLoader(data, batch_size=8, shuffle=True, num_workers=2, persistent_workers=True)
    for _ in range(epochs):
        one_round(model, optimizer, loader)
