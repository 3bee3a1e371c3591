#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=4
HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
srun torchrun --nnodes=3 --nproc_per_node=4 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29500 pretrain.py  # expect: TL930
srun -N 3 torchrun --nnodes=3 --nproc_per_node=4 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29500 pretrain.py
srun --nodes=1 torchrun --nnodes=2 --nproc_per_node=4 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29500 pretrain.py
srun --nodes=2 torchrun --nnodes=1 --nproc_per_node=4 pretrain.py  # expect: TL930
srun torchrun --standalone --nproc_per_node=4 sweep.py
srun torchrun --nnodes=$NODES --nproc_per_node=4 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29500 pretrain.py
srun torchrun --nnodes=${SLURM_JOB_NUM_NODES} --nproc_per_node=4 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29500 pretrain.py
srun torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29500 pretrain.py  # expect: TL930
srun --gpus-per-node=8 torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29500 pretrain.py
srun --gres=gpu:2 torchrun --nnodes=2 --nproc_per_node=4 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29500 pretrain.py  # expect: TL930
if [ "$SLURM_NNODES" -eq 1 ]; then
  srun torchrun --nnodes=1 --nproc_per_node=4 pretrain.py
fi
