torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=c10d --rdzv_endpoint=localhost:29500 train.py  # expect: TL930
