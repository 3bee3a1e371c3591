"""Two optimizers with a scheduler each; one of the schedulers is forgotten."""

import torch


class Game:
    def __init__(self, generator, critic):
        self.generator, self.critic = generator, critic
        self.for_generator = torch.optim.Adam(generator.parameters())
        self.for_critic = torch.optim.Adam(critic.parameters())
        self.rates = torch.optim.lr_scheduler.StepLR(self.for_generator, 30)
        self.others = torch.optim.lr_scheduler.StepLR(self.for_critic, 30)

    def play(self, loader):
        for batch in loader:
            self.for_critic.zero_grad()
            self.critic(batch).mean().backward()
            self.for_critic.step()
            self.for_generator.zero_grad()
            self.generator(batch).mean().backward()
            self.for_generator.step()
        self.rates.step()
        self.others.step()

    def save(self, path):
        state = {"generator": self.generator.state_dict(), "critic": self.critic.state_dict()}
        state["for_generator"] = self.for_generator.state_dict()
        state["for_critic"] = self.for_critic.state_dict()  # expect: TL603
        state["rates"] = self.rates.state_dict()
        torch.save(state, path)

    def restore(self, path):
        state = torch.load(path, map_location="cpu")
        self.generator.load_state_dict(state["generator"])
        self.critic.load_state_dict(state["critic"])
        self.for_generator.load_state_dict(state["for_generator"])
        self.for_critic.load_state_dict(state["for_critic"])
        self.rates.load_state_dict(state["rates"])
