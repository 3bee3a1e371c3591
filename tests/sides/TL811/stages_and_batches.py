"""Pipelines: how the numbers of stages and micro-batches are written."""

from torch.distributed.pipelining import PipelineStage, Schedule1F1B, ScheduleGPipe, SplitPoint, pipeline


def four_of_four(module, rank, device):
    return Schedule1F1B(PipelineStage(module, rank, 4, device), 4)  # expect: TL811


def sixteen_of_four(module, rank, device):
    return Schedule1F1B(PipelineStage(module, rank, 4, device), 16)


def fifteen_of_four(module, rank, device):
    return Schedule1F1B(PipelineStage(module, rank, 4, device), 15)  # expect: TL811


def one_stage(module, rank, device):
    return Schedule1F1B(PipelineStage(module, rank, 1, device), 1)


def two_stages(module, rank, device):
    return Schedule1F1B(PipelineStage(module, rank, 2, device), 1)  # expect: TL811


def no_batches(module, rank, device):
    return Schedule1F1B(PipelineStage(module, rank, 2, device), 0)


def by_keyword(module, rank, device):
    stage = PipelineStage(module, rank, num_stages=4, device=device)
    return ScheduleGPipe(stage=stage, n_microbatches=8)  # expect: TL811


def stages_unknown(module, rank, device, count):
    return ScheduleGPipe(PipelineStage(module, rank, count, device), 8)


def batches_unknown(module, rank, device, count):
    return ScheduleGPipe(PipelineStage(module, rank, 4, device), count)


def batches_of_two_kinds(module, rank, device, far):
    return ScheduleGPipe(PipelineStage(module, rank, 4, device), 4 if far else 32)


def batches_the_same(module, rank, device, far):
    return ScheduleGPipe(PipelineStage(module, rank, 4, device), 8 if far else 8)  # expect: TL811


def batches_as_text(module, rank, device):
    return ScheduleGPipe(PipelineStage(module, rank, 4, device), "8")


def stage_of_a_caller(stage):
    return ScheduleGPipe(stage, 8)


def stage_of_a_registry(registry):
    return ScheduleGPipe(registry.make("stage"), 8)


def split(model, example, rank, device):
    places = {"layers.4": SplitPoint.BEGINNING, "layers.8": SplitPoint.BEGINNING, "layers.12": SplitPoint.BEGINNING}
    built = pipeline(model, mb_args=(example,), split_spec=places)
    return ScheduleGPipe(built.build_stage(rank, device), 4)  # expect: TL811


def split_at_what_is_told(model, example, rank, device, places):
    built = pipeline(model, mb_args=(example,), split_spec=places)
    return ScheduleGPipe(built.build_stage(rank, device), 4)


def split_nowhere(model, example, rank, device):
    built = pipeline(model, mb_args=(example,), split_spec={})
    return ScheduleGPipe(built.build_stage(rank, device), 4)


def split_at_unknown_places(model, example, rank, device, first):
    built = pipeline(model, mb_args=(example,), split_spec={first: SplitPoint.BEGINNING})
    return ScheduleGPipe(built.build_stage(rank, device), 4)


def something_of_a_pipeline(model, example, rank, device):
    built = pipeline(model, mb_args=(example,), split_spec={"layers.4": SplitPoint.BEGINNING})
    return ScheduleGPipe(built.other_stage(rank, device), 4)
