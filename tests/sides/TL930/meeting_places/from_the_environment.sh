export PET_RDZV_BACKEND=c10d
export PET_RDZV_ENDPOINT=$HEAD:29500
torchrun --nnodes=2 --nproc_per_node=8 train.py
