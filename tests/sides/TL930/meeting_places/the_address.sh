torchrun --nnodes=2 --nproc_per_node=8 --node_rank=$1 --master_addr=127.0.0.1 train.py  # expect: TL930
