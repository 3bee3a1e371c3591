NCCL_IB_HCA=mlx5_0
export NCCL_IB_HCA
torchrun --nproc_per_node 8 train.py
