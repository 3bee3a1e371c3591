"""One rank plays, the others train: the model is made where it is trained, and the player is sent its weights."""

import torch
import torch.distributed as dist
from lightning.fabric import Fabric
from lightning.fabric.strategies import DDPStrategy


class Agent(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        self.layer = torch.nn.Linear(size, 1)

    def forward(self, states):
        return self.layer(states)

    def configure(self, rate):
        return torch.optim.Adam(self.parameters(), lr=rate)


def player(states, with_player):
    vector = torch.zeros(9)
    dist.broadcast(vector, src=1, group=with_player)
    return states @ vector[:8]


def trainer(batches, rate, group, with_player):
    fabric = Fabric(strategy=DDPStrategy(process_group=group))
    agent = Agent(8)
    optimizer = agent.configure(rate)
    agent, optimizer = fabric.setup(agent, optimizer)
    for states in batches:
        optimizer.zero_grad()
        fabric.backward(agent(states).mean())
        optimizer.step()
    if dist.get_rank() == 1:
        dist.broadcast(torch.nn.utils.parameters_to_vector(agent.parameters()), src=1, group=with_player)


def main(batches):
    dist.init_process_group("nccl")
    with_player = dist.new_group([0, 1])
    group = dist.new_group(list(range(1, dist.get_world_size())))
    if dist.get_rank() == 0:
        player(batches[0], with_player)
    else:
        trainer(batches, 0.1, group, with_player)


def of_a_group(network, batches):
    dist.init_process_group("nccl")
    group = dist.new_group(list(range(1, dist.get_world_size())))
    if dist.get_rank() != 0:
        network = torch.nn.parallel.DistributedDataParallel(network, process_group=group)
        optimizer = torch.optim.Adam(network.parameters())
        for batch in batches:
            optimizer.zero_grad()
            network(batch).mean().backward()
            optimizer.step()
