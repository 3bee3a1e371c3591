CUDA_VISIBLE_DEVICES=0,1 torchrun --nproc_per_node=4 train.py  # expect: TL930
CUDA_VISIBLE_DEVICES=0,1 torchrun --nproc_per_node=2 train.py
CUDA_VISIBLE_DEVICES=0,1 torchrun train.py
CUDA_VISIBLE_DEVICES=0,1 torchrun --nproc_per_node=$PROCESSES train.py
CUDA_VISIBLE_DEVICES=$MINE torchrun --nproc_per_node=4 train.py
CUDA_VISIBLE_DEVICES=GPU-8f2c torchrun --nproc_per_node=4 train.py
NCCL_DEBUG=INFO torchrun --nproc_per_node=4 train.py
torchrun $LAUNCHER_ARGS --nproc_per_node=4 train.py
export CUDA_VISIBLE_DEVICES=2,3
torchrun --nproc_per_node=4 train.py  # expect: TL930
torchrun --nproc_per_node 2 train.py
CUDA_VISIBLE_DEVICES=0,1,2,3 torchrun --nproc_per_node=4 train.py
CUDA_VISIBLE_DEVICES=0,1,2,3 python -m torch.distributed.run --nproc_per_node=8 train.py  # expect: TL930
