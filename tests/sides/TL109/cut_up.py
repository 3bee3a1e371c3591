"""Something cut into parts, of which each rank takes one."""

import more_itertools
import numpy as np
import torch
import torch.distributed as dist


def split_in_pieces_of_one_size(indices, out):
    size = -(-len(indices) // dist.get_world_size())
    for number in torch.split(indices, size)[dist.get_rank()]:  # expect: TL109
        dist.all_gather_object(out, number)


def first_piece_for_all(indices, out):
    size = -(-len(indices) // dist.get_world_size())
    for number in torch.split(indices, size)[0]:
        dist.all_gather_object(out, number)


def split_by_tensor_split(indices, out):
    for number in indices.tensor_split(dist.get_world_size())[dist.get_rank()]:  # expect: TL109
        dist.all_gather_object(out, number)


def split_by_the_function(indices, out):
    for number in torch.tensor_split(indices, dist.get_world_size(), dim=0)[dist.get_rank()]:  # expect: TL109
        dist.all_gather_object(out, number)


def array_split_with_keywords(items, out):
    mine = np.array_split(ary=items, indices_or_sections=dist.get_world_size())[dist.get_rank()]
    for item in mine:  # expect: TL109
        dist.all_gather_object(out, item)


def array_split_of_a_multiple(items, out):
    world = dist.get_world_size()
    usable = items[: len(items) // world * world]
    for item in np.array_split(usable, world)[dist.get_rank()]:
        dist.all_gather_object(out, item)


def array_split_at_given_places(items, out, places):
    for item in np.array_split(items, places)[dist.get_rank()]:  # expect: TL109
        dist.all_gather_object(out, item)


def array_split_and_the_same_part(items, out, fold):
    for item in np.array_split(items, 5)[fold]:
        dist.all_gather_object(out, item)


def array_split_into_eight(items, out):
    for item in np.array_split(items, 8)[dist.get_rank()]:  # expect: TL109
        dist.all_gather_object(out, item)


def array_split_by_a_list_of_places(items, out):
    for item in np.array_split(items, [10, 20, 30])[dist.get_rank()]:
        dist.all_gather_object(out, item)


def array_split_of_what_is_out_of_sight(path, out, read):
    for item in np.array_split(read(path, dist.get_rank()), dist.get_world_size())[dist.get_rank()]:
        dist.all_gather_object(out, item)


def chunks_without_a_count(tensor, out, options):
    for item in tensor.chunk(**options)[dist.get_rank()]:
        dist.all_gather_object(out, item)


def chunks_with_a_keyword(tensor, out):
    for item in tensor.chunk(chunks=dist.get_world_size())[dist.get_rank()]:  # expect: TL109
        dist.all_gather_object(out, item)


def chunk_that_a_table_assigns(tensor, out, table):
    for item in tensor.chunk(dist.get_world_size())[table[dist.get_rank()]]:
        dist.all_gather_object(out, item)


def divided_by_more_itertools(items, out):
    for item in more_itertools.divide(dist.get_world_size(), items)[dist.get_rank()]:  # expect: TL109
        dist.all_gather_object(out, item)


def distributed_by_more_itertools(items, out):
    for item in more_itertools.distribute(dist.get_world_size(), items)[dist.get_rank()]:  # expect: TL109
        dist.all_gather_object(out, item)


def columns_of_a_table(table, out):
    for column in table[dist.get_rank() :: dist.get_world_size(), :]:  # expect: TL109
        dist.all_gather_object(out, column)


def one_cell(table, out):
    for value in table[dist.get_rank(), 0]:
        dist.all_gather_object(out, value)


def rows_by_position(frame, out):
    for name in frame.iloc[dist.get_rank() :: dist.get_world_size(), 0]:  # expect: TL109
        dist.all_gather_object(out, name)


def rows_that_a_mask_picks(frame, out, mask):
    for name in frame.loc[mask]:
        dist.all_gather_object(out, name)


def every_second(items, out):
    for item in items[::2]:
        dist.all_gather_object(out, item)


def some_of_a_part(items, out, stride):
    mine = items[dist.get_rank() :: dist.get_world_size()]
    for item in mine[:: stride()]:  # expect: TL109
        dist.all_gather_object(out, item)


def a_stride_that_is_no_multiple(items, out):
    for item in items[dist.get_rank() :: 3]:
        dist.all_gather_object(out, item)


def as_long_as_the_author_says(items, out, total):
    for item in items[dist.get_rank() : total : dist.get_world_size()]:
        dist.all_gather_object(out, item)


def as_long_as_it_is(items, out):
    for item in items[dist.get_rank() : len(items) : dist.get_world_size()]:  # expect: TL109
        dist.all_gather_object(out, item)


def begun_where_a_table_says(items, out, offsets):
    for item in items[offsets[dist.get_rank()] :]:
        dist.all_gather_object(out, item)


def without_the_first(items, out):
    for item in items[dist.get_rank() :]:  # expect: TL109
        dist.all_gather_object(out, item)


def the_parts_of_a_list(first, second, third, fourth, out):
    for item in (first, second, third, fourth)[dist.get_rank()]:
        dist.all_gather_object(out, item)


def the_part_of_a_dictionary(parts, out):
    for item in parts["train"]:
        dist.all_gather_object(out, item)
