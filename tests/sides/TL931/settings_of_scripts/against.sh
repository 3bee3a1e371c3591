export NCCL_IB_DISABLE=1
export NCCL_IB_GID_INDEX=3  # expect: TL931
export NCCL_P2P_DISABLE=0
export NCCL_P2P_LEVEL=NVL
torchrun --nproc_per_node 8 train.py
