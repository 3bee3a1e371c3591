export CUDA_LAUNCH_BLOCKING=1
torchrun --nnodes=$NODES --nproc_per_node=8 --node_rank=$1 --master_addr=$2 train.py
