export CUDA_LAUNCH_BLOCKING=1  # expect: TL931
torchrun --nnodes=2 --nproc_per_node=8 --node_rank=$1 --master_addr=$2 train.py
