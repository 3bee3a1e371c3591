CUDA_VISIBLE_DEVICES=0,1 torchrun --nnodes=2 --nproc_per_node=2 --node_rank=0 --master_addr=localhost train.py &
CUDA_VISIBLE_DEVICES=2,3 torchrun --nnodes=2 --nproc_per_node=2 --node_rank=1 --master_addr=localhost train.py
