import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.functional import scaled_dot_product_attention as sdpa
from flash_attn import flash_attn_func


class A(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.dropout = p

    def forward(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v, attn_mask=None, dropout_p=self.dropout)  # expect: TL713


class B(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.drop = nn.Dropout(p)

    def forward(self, q, k, v):
        return sdpa(q, k, v, None, self.drop.p)  # expect: TL713


class C(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p

    def attend(self, q, k, v, p):
        return flash_attn_func(q, k, v, dropout_p=p, causal=True)  # expect: TL713

    def forward(self, q, k, v):
        return self.attend(q, k, v, self.p)


class D(nn.Module):
    def forward(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v, dropout_p=0.1)  # expect: TL713


def attend(q, k, v, p):
    options = {"dropout_p": p, "is_causal": True}
    return F.scaled_dot_product_attention(q, k, v, **options)


class E(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg

    def forward(self, q, k, v):
        return attend(q, k, v, self.cfg.dropout)


class F1(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.p = cfg.p
        self.flash = cfg.flash

    def forward(self, q, k, v):
        if self.flash:
            y = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=None, dropout_p=self.p, is_causal=True)  # expect: TL713
        else:
            y = F.dropout(q @ k.transpose(-1, -2), self.p, self.training) @ v
        return y


class Right1(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, q, k, v):
        return sdpa(q, k, v, dropout_p=self.p if self.training else 0.0)


class Right2(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, q, k, v):
        p = 0.0
        if self.training:
            p = self.p
        return sdpa(q, k, v, dropout_p=p)


class Right3(nn.Module):
    def forward(self, q, k, v, dropout=0.0):
        return sdpa(q, k, v, dropout_p=dropout)


class Right4(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, q, k, v):
        return sdpa(q, k, v, dropout_p=self.p * self.training)


class Right5(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p

    @property
    def rate(self):
        return self.p if self.training else 0.0

    def forward(self, q, k, v):
        if not self.training:
            return sdpa(q, k, v)
        return sdpa(q, k, v, dropout_p=self.p)


def train(model, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        model(x).sum().backward()
        optimizer.step()
