"""Functions of libraries that leave a rank its part."""

import torch.distributed as dist
import webdataset
from accelerate import Accelerator, DataLoaderConfiguration, PartialState
from datasets import load_dataset
from datasets.distributed import split_dataset_by_node
from torch.utils.data import DataLoader


def shard_by_keywords(data, out):
    for item in load_dataset("imdb").shard(num_shards=dist.get_world_size(), index=dist.get_rank()):  # expect: TL109
        dist.all_gather_object(out, item)


def shard_by_position(data, out):
    for item in load_dataset("imdb").shard(dist.get_world_size(), dist.get_rank()):  # expect: TL109
        dist.all_gather_object(out, item)


def one_shard_for_all(data, out):
    for item in load_dataset("imdb").shard(num_shards=10, index=3):
        dist.all_gather_object(out, item)


def shard_as_told(data, out, options):
    for item in load_dataset("imdb").shard(**options):
        dist.all_gather_object(out, item)


def shard_of_what_is_repeated(data, out):
    data = load_dataset("imdb").repeat(None).shard(num_shards=dist.get_world_size(), index=dist.get_rank())
    for item in DataLoader(data, 8):
        dist.all_gather_object(out, item)


def by_node(out):
    data = split_dataset_by_node(load_dataset("imdb"), dist.get_rank(), dist.get_world_size())
    for item in data:  # expect: TL109
        dist.all_gather_object(out, item)


def by_node_of_keywords(out):
    data = split_dataset_by_node(dataset=load_dataset("imdb"), rank=dist.get_rank(), world_size=dist.get_world_size())
    for item in data:  # expect: TL109
        dist.all_gather_object(out, item)


def the_first_node_for_all(out):
    data = split_dataset_by_node(load_dataset("imdb"), rank=0, world_size=4)
    for item in data:
        dist.all_gather_object(out, item)


def by_node_as_told(out, options):
    for item in split_dataset_by_node(load_dataset("imdb"), **options):
        dist.all_gather_object(out, item)


def selected(out):
    data = load_dataset("imdb", split="train")
    for item in data.select(range(dist.get_rank(), len(data), dist.get_world_size())):  # expect: TL109
        dist.all_gather_object(out, item)


def selected_by_keyword(out):
    data = load_dataset("imdb", split="train")
    for item in data.select(indices=range(dist.get_rank(), len(data), dist.get_world_size())):  # expect: TL109
        dist.all_gather_object(out, item)


def selected_for_all(out):
    data = load_dataset("imdb", split="train")
    for item in data.select(range(1000)):
        dist.all_gather_object(out, item)


def between_by_keyword(texts, out):
    accelerator = Accelerator()
    with accelerator.split_between_processes(inputs=texts) as mine:
        for text in mine:  # expect: TL109
            dist.all_gather_object(out, text)


def between_without_padding(texts, out):
    with PartialState().split_between_processes(texts, False) as mine:
        for text in mine:  # expect: TL109
            dist.all_gather_object(out, text)


def between_with_padding(texts, out):
    with PartialState().split_between_processes(texts, True) as mine:
        for text in mine:
            dist.all_gather_object(out, text)


def between_with_padding_perhaps(texts, out, padded):
    with PartialState().split_between_processes(texts, apply_padding=padded) as mine:
        for text in mine:
            dist.all_gather_object(out, text)


def prepared_evenly(data, out):
    accelerator = Accelerator(dataloader_config=DataLoaderConfiguration(even_batches=True))
    for batch in accelerator.prepare(DataLoader(data, 8)):
        dist.all_gather_object(out, batch)


def prepared_unevenly(data, out):
    accelerator = Accelerator(dataloader_config=DataLoaderConfiguration(even_batches=False))
    for batch in accelerator.prepare(DataLoader(data, 8)):  # expect: TL109
        dist.all_gather_object(out, batch)


def prepared_unevenly_by_a_keyword(data, out):
    accelerator = Accelerator(even_batches=False)
    for batch in accelerator.prepare(DataLoader(data, 8)):  # expect: TL109
        dist.all_gather_object(out, batch)


def prepared_as_told(data, out, even):
    accelerator = Accelerator(even_batches=even)
    for batch in accelerator.prepare(DataLoader(data, 8)):
        dist.all_gather_object(out, batch)


def prepared_with_other_options(data, out):
    accelerator = Accelerator(split_batches=False, dataloader_config=DataLoaderConfiguration(dispatch_batches=False))
    for batch in accelerator.prepare(DataLoader(data, 8)):
        dist.all_gather_object(out, batch)


def tars_by_node(urls, out):
    data = webdataset.WebDataset(urls, nodesplitter=webdataset.split_by_node)
    for item in webdataset.WebLoader(data, batch_size=8):  # expect: TL109
        dist.all_gather_object(out, item)


def tars_for_all(urls, out):
    data = webdataset.WebDataset(urls)
    for item in webdataset.WebLoader(data, batch_size=8):
        dist.all_gather_object(out, item)


def tars_split_otherwise(urls, out):
    data = webdataset.WebDataset(urls, nodesplitter=webdataset.single_node_only)
    for item in webdataset.WebLoader(data, batch_size=8):
        dist.all_gather_object(out, item)


def tars_drawn_anew(urls, out):
    data = webdataset.WebDataset(urls, nodesplitter=webdataset.split_by_node, resampled=True)
    for item in webdataset.WebLoader(data, batch_size=8):
        dist.all_gather_object(out, item)


def tars_not_drawn_anew(urls, out):
    data = webdataset.WebDataset(urls, nodesplitter=webdataset.split_by_node, resampled=False)
    for item in webdataset.WebLoader(data, batch_size=8):  # expect: TL109
        dist.all_gather_object(out, item)


def tars_drawn_anew_perhaps(urls, out, again):
    data = webdataset.WebDataset(urls, nodesplitter=webdataset.split_by_node, resampled=again)
    for item in webdataset.WebLoader(data, batch_size=8):
        dist.all_gather_object(out, item)


def a_pipeline(urls, out):
    stages = webdataset.SimpleShardList(urls), webdataset.split_by_node, webdataset.tarfile_to_samples()
    for item in webdataset.DataPipeline(stages[0], webdataset.split_by_node, stages[2]):  # expect: TL109
        dist.all_gather_object(out, item)


def a_pipeline_for_all(urls, out):
    for item in webdataset.DataPipeline(webdataset.SimpleShardList(urls), webdataset.tarfile_to_samples()):
        dist.all_gather_object(out, item)


def a_pipeline_without_end(urls, out):
    for item in webdataset.DataPipeline(webdataset.ResampledShards(urls), webdataset.split_by_node):
        dist.all_gather_object(out, item)


def a_pipeline_of_a_list(urls, out, more):
    for item in webdataset.DataPipeline(webdataset.SimpleShardList(urls), webdataset.split_by_node, *more):
        dist.all_gather_object(out, item)
