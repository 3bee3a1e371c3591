"""Attention written out: what is done with the scores and the weights on their way."""

import math

import torch
import torch.nn.functional as F
from torch import einsum, nn


def plain(q, k, v):
    weights = (q @ k.transpose(-2, -1)).softmax(-1)  # expect: TL805
    return weights @ v


def by_functions(q, k, v):
    weights = F.softmax(torch.matmul(q, torch.transpose(k, -2, -1)), dim=-1)  # expect: TL805
    return torch.matmul(weights, v)


def by_methods(q, k, v):
    weights = q.matmul(k.transpose(-1, -2)).softmax(dim=3)  # expect: TL805
    return weights.matmul(v)


def by_batches(q, k, v):
    weights = F.softmax(q.bmm(k.transpose(1, 2)), dim=2)  # expect: TL805
    return weights.bmm(v)


def mirrored(q, k, v):
    weights = (q @ k.mT).softmax(-1)  # expect: TL805
    return weights @ v


def of_another_attribute(q, k, v):
    weights = (q @ k.H).softmax(-1)
    return weights @ v


def permuted(q, k, v):
    weights = (q @ k.permute(0, 1, 3, 2)).softmax(-1)  # expect: TL805
    return weights @ v


def permuted_otherwise(q, k, v):
    weights = (q @ k.permute(0, 2, 3, 1)).softmax(-1)
    return weights @ v


def turned_otherwise(q, k, v):
    weights = (q @ k.transpose(1, 2)).softmax(-1)
    return weights @ v


def not_turned(q, k, v):
    weights = (q @ k).softmax(-1)
    return weights @ v


def over_another_dimension(q, k, v):
    weights = (q @ k.transpose(-2, -1)).softmax(1)
    return weights @ v


def over_an_unknown_dimension(q, k, v, dim):
    weights = (q @ k.transpose(-2, -1)).softmax(dim)
    return weights @ v


def over_no_dimension(q, k, v):
    weights = F.softmax(q @ k.transpose(-2, -1))
    return weights @ v


def logarithms(q, k, v):
    weights = F.log_softmax(q @ k.transpose(-2, -1), dim=-1)
    return weights @ v


def divided(q, k, v):
    weights = (q @ k.transpose(-2, -1) / 8.0).softmax(-1)  # expect: TL805
    return weights @ v


def divided_by_a_root(q, k, v, d_k):
    weights = (q @ k.transpose(-2, -1) / math.sqrt(d_k)).softmax(-1)  # expect: TL805
    return weights @ v


def multiplied_by_a_scale(q, k, v, scale):
    weights = (scale * (q @ k.transpose(-2, -1))).softmax(-1)  # expect: TL805
    return weights @ v


def multiplied_by_a_power(q, k, v):
    weights = (q @ k.transpose(-2, -1) * q.size(-1) ** -0.5).softmax(-1)  # expect: TL805
    return weights @ v


def multiplied_by_something(q, k, v, gate):
    weights = (q @ k.transpose(-2, -1) * gate).softmax(-1)
    return weights @ v


def scaled_keys(q, k, v, scale):
    weights = (q @ (k.transpose(-2, -1) * scale)).softmax(-1)  # expect: TL805
    return weights @ v


def gated_keys(q, k, v, gate):
    weights = (q @ (k.transpose(-2, -1) * gate)).softmax(-1)
    return weights @ v


def shifted_keys(q, k, v, scale):
    weights = (q @ (k.transpose(-2, -1) + scale)).softmax(-1)
    return weights @ v


def scaled_twice(q, k, v, scale):
    weights = (q @ k.transpose(-2, -1) * scale / 2.0).softmax(-1)  # expect: TL805
    return weights @ v


def raised(q, k, v):
    weights = ((q @ k.transpose(-2, -1)) ** 2).softmax(-1)
    return weights @ v


def with_a_bias(q, k, v, bias):
    weights = (q @ k.transpose(-2, -1) + bias).softmax(-1)  # expect: TL805
    return weights @ v


def without_a_bias(q, k, v, bias):
    weights = (q @ k.transpose(-2, -1) - bias).softmax(-1)  # expect: TL805
    return weights @ v


def with_a_bias_of_the_queries(q, k, v, positions):
    weights = (q @ k.transpose(-2, -1) + q @ positions.transpose(-2, -1)).softmax(-1)
    return weights @ v


def scaled_after_the_bias(q, k, v, bias, scale):
    weights = ((q @ k.transpose(-2, -1) + bias) * scale).softmax(-1)
    return weights @ v


def masked(q, k, v, mask):
    weights = (q @ k.transpose(-2, -1)).masked_fill(mask, -1e9).softmax(-1)  # expect: TL805
    return weights @ v


def masked_by_choice(q, k, v, mask, low):
    weights = torch.where(mask, q @ k.transpose(-2, -1), low).softmax(-1)  # expect: TL805
    return weights @ v


def masked_by_something(q, k, v, mask, low):
    weights = torch.lerp(mask, q @ k.transpose(-2, -1), low).softmax(-1)
    return weights @ v


def masked_in_place(q, k, v, mask):
    scores = q @ k.transpose(-2, -1)
    scores.masked_fill_(mask, -1e9)
    weights = scores.softmax(-1)  # expect: TL805
    return weights @ v


def capped_in_place(q, k, v):
    scores = q @ k.transpose(-2, -1)
    scores.clamp_(-5, 5)
    weights = scores.softmax(-1)
    return weights @ v


def masked_if_there_is_one(q, k, v, mask):
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(mask, -1e9)
    weights = scores.softmax(-1)  # expect: TL805
    return weights @ v


def either_of_two_scores(q, k, v, other, far):
    scores = q @ k.transpose(-2, -1) if far else other @ k.transpose(-2, -1)
    return scores.softmax(-1) @ v


def scores_or_something(q, k, v, other, far):
    scores = q @ k.transpose(-2, -1) if far else other
    return scores.softmax(-1) @ v


def scores_are_returned(q, k, v):
    scores = q @ k.transpose(-2, -1)
    return scores.softmax(-1) @ v, scores


def scores_are_measured(q, k, v):
    scores = q @ k.transpose(-2, -1)
    print(scores.shape, scores.dtype)
    return scores.softmax(-1) @ v  # expect: TL805


def scores_are_kept(q, k, v, kept):
    scores = q @ k.transpose(-2, -1)
    kept.scores = scores
    return scores.softmax(-1) @ v


def scores_are_cut(q, k, v):
    scores = q @ k.transpose(-2, -1)
    scores[..., 0] = float("-inf")
    return scores.softmax(-1) @ v  # expect: TL805


def weights_are_dropped(q, k, v):
    weights = F.dropout((q @ k.transpose(-2, -1)).softmax(-1), 0.1)  # expect: TL805
    return weights @ v


def weights_are_doubled(q, k, v):
    weights = (q @ k.transpose(-2, -1)).softmax(-1) * 2
    return weights @ v


def weights_are_normed(q, k, v):
    weights = F.normalize((q @ k.transpose(-2, -1)).softmax(-1))
    return weights @ v


def weights_of_another_type(q, k, v):
    weights = (q @ k.transpose(-2, -1)).float().softmax(-1).to(q.dtype)  # expect: TL805
    return weights @ v


def weights_dropped_if_asked(q, k, v, rate):
    weights = (q @ k.transpose(-2, -1)).softmax(-1)  # expect: TL805
    if rate:
        weights = F.dropout(weights, rate)
    return weights @ v


def weights_are_returned(q, k, v):
    weights = (q @ k.transpose(-2, -1)).softmax(-1)
    return weights @ v, weights


def weights_used_twice(q, k, v, u):
    weights = (q @ k.transpose(-2, -1)).softmax(-1)
    return weights @ v, weights @ u


def weights_on_the_other_side(q, k, v):
    weights = (q @ k.transpose(-2, -1)).softmax(-1)
    return v @ weights


def weights_with_themselves(q, k):
    weights = (q @ k.transpose(-2, -1)).softmax(-1)
    return weights @ weights


def no_product(q, k):
    return (q @ k.transpose(-2, -1)).softmax(-1)


def equation(q, k, v):
    weights = einsum("bhid,bhjd->bhij", q, k).softmax(-1)  # expect: TL805
    return einsum("bhij,bhjd->bhid", weights, v)


def equation_with_dots(q, k, v):
    weights = einsum("... i d, ... j d -> ... i j", q, k).softmax(-1)  # expect: TL805
    return einsum("... i j, ... j d -> ... i d", weights, v)


def equation_of_columns(q, k, v):
    weights = einsum("bhdi,bhdj->bhij", q, k).softmax(-1)
    return einsum("bhij,bhjd->bhid", weights, v)


def equation_turned(q, k, v):
    weights = einsum("bhid,bhjd->bhji", q, k).softmax(-1)
    return einsum("bhij,bhjd->bhid", weights, v)


def equation_over_rows(q, k, v):
    weights = einsum("bhid,bhjd->bhij", q, k).softmax(-1)
    return einsum("bhij,bhid->bhjd", weights, v)


def equation_without_a_sum(q, k, v):
    weights = einsum("bhid,bhjd->bhij", q, k).softmax(-1)
    return einsum("bhij,bhjd->bhijd", weights, v)


def equation_of_two_sums(q, k, v):
    weights = einsum("bhide,bhjde->bhij", q, k).softmax(-1)
    return einsum("bhij,bhjd->bhid", weights, v)


def equation_of_three(q, k, v, g):
    weights = einsum("bhid,bhjd,bhij->bhij", q, k, g).softmax(-1)
    return einsum("bhij,bhjd->bhid", weights, v)


def equation_without_result(q, k, v):
    weights = einsum("bhid,bhjd", q, k).softmax(-1)
    return einsum("bhij,bhjd->bhid", weights, v)


def equation_of_the_caller(how, q, k, v):
    weights = einsum(how, q, k).softmax(-1)
    return einsum("bhij,bhjd->bhid", weights, v)


class Learned(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))
        self.drop = nn.Dropout(0.1)
        self.norm = nn.LayerNorm(8)
        self.softmax = nn.Softmax(dim=-1)
        self.columns = nn.Softmax(dim=1)

    def with_scale(self, q, k, v):
        return (q @ k.transpose(-2, -1) * self.scale).softmax(-1) @ v

    def with_dropout(self, q, k, v):
        return self.drop((q @ k.transpose(-2, -1)).softmax(-1)) @ v  # expect: TL805

    def with_norm(self, q, k, v):
        return self.norm((q @ k.transpose(-2, -1)).softmax(-1)) @ v

    def with_layer(self, q, k, v):
        return self.softmax(q @ k.transpose(-2, -1)) @ v  # expect: TL805

    def over_columns(self, q, k, v):
        return self.columns(q @ k.transpose(-2, -1)) @ v
