#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gres=gpu:4
HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
srun torchrun --nnodes=2 --nproc_per_node=4 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29500 pretrain.py  # expect: TL930
srun torchrun --nnodes=2 --nproc_per_node=gpu --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29500 pretrain.py  # expect: TL930
srun torchrun --nnodes=2 --nproc_per_node=auto --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29500 pretrain.py  # expect: TL930
srun torchrun --standalone --nproc_per_node=1 sweep.py
srun torchrun --nnodes=8 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29500 pretrain.py
srun torchrun --nnodes=$AGENTS --nproc_per_node=4 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29500 pretrain.py
srun torchrun --nnodes=2 --nproc_per_node=$PER_AGENT --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29500 pretrain.py
srun --ntasks-per-node=1 torchrun --nnodes=2 --nproc_per_node=4 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29500 pretrain.py
srun $STEP_OPTIONS torchrun --nnodes=2 --nproc_per_node=4 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29500 pretrain.py
srun --ntasks-per-node=$TASKS torchrun --nnodes=2 --nproc_per_node=4 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29500 pretrain.py
