"""Layers of graphs in plain lists; which kind of layer it is is chosen by a table."""

from torch import nn
from torch_geometric.nn import GATConv, GCNConv, SAGEConv, global_mean_pool

KINDS = {"gcn": GCNConv, "sage": SAGEConv, "gat": GATConv}


class Graphs(nn.Module):
    def __init__(self, dim, count, kind="gcn"):
        super().__init__()
        layer = KINDS[kind]
        self.convs, self.norms = [], nn.ModuleList()  # expect: TL714
        for _ in range(count):
            self.convs.append(layer(dim, dim))
            self.norms.append(nn.BatchNorm1d(dim))

    def forward(self, x, edges, batch):
        for conv, norm in zip(self.convs, self.norms):
            x = norm(conv(x, edges)).relu()
        return global_mean_pool(x, batch)


class Stack(nn.Module):
    def __init__(self, dim, count):
        super().__init__()
        self.convs = [GCNConv(dim, dim) for _ in range(count)]  # expect: TL714

    def forward(self, x, edges):
        for conv in self.convs:
            x = conv(x, edges).relu()
        return x


class Registered(nn.Module):
    def __init__(self, dim, count, kind="gcn"):
        super().__init__()
        self.convs, self.norms = nn.ModuleList(), nn.ModuleList()
        for _ in range(count):
            self.convs.append(KINDS[kind](dim, dim))
            self.norms.append(nn.BatchNorm1d(dim))

    def forward(self, x, edges):
        for conv, norm in zip(self.convs, self.norms):
            x = norm(conv(x, edges)).relu()
        return x
