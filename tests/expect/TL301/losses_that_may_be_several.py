"""A model hands back one loss or several; what is kept of them is what it handed back."""


class Trainer:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer

    def one_or_several(self, batches):
        kept = []
        for batch in batches:
            losses = self.model.losses_of(batch)
            loss = sum(losses) if isinstance(losses, tuple) else losses
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            kept.append(losses)  # expect: TL301
        return kept

    def the_other_way_round(self, batches):
        kept = []
        for batch in batches:
            losses = self.model.losses_of(batch)
            loss = losses if not isinstance(losses, list) else sum(losses)
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            kept.append(losses)  # expect: TL301
        return kept

    def several(self, batches):
        kept = []
        for batch in batches:
            losses = self.model.losses_of(batch)
            sum(losses).backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            kept.append(losses)  # expect: TL301
        return kept

    def numbers(self, batches):
        kept = []
        for batch in batches:
            losses = self.model.losses_of(batch)
            loss = sum(losses) if isinstance(losses, tuple) else losses
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            kept.append(loss.item())
        return kept

    def numbers_of_each(self, batches):
        kept = []
        for batch in batches:
            losses = self.model.losses_of(batch)
            loss = sum(losses) if isinstance(losses, tuple) else losses
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            kept.append(tuple(each.item() for each in losses))
        return kept

    def already_a_number(self, batches):
        kept = []
        for batch in batches:
            loss = self.model.losses_of(batch)
            loss.backward()
            value = loss.item() if hasattr(loss, "item") else loss
            self.optimizer.step()
            self.optimizer.zero_grad()
            kept.append(value)
        return kept

    def another_value(self, batches, weights):
        kept = []
        for batch in batches:
            losses = self.model.losses_of(batch)
            (sum(losses) if weights is None else weights.dot(batch)).backward()
            kept.append(len(losses))
        return kept
