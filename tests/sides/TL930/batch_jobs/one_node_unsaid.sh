#!/bin/bash
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
srun torchrun --standalone --nproc_per_node=4 finetune.py  # expect: TL930
srun torchrun --standalone --nproc_per_node=${SLURM_NTASKS_PER_NODE} finetune.py  # expect: TL930
srun torchrun --standalone --nproc_per_node=$SLURM_GPUS_ON_NODE finetune.py  # expect: TL930
srun torchrun --standalone --nproc_per_node=$SLURM_CPUS_ON_NODE finetune.py
srun torchrun --standalone --nproc_per_node=$((SLURM_GPUS_ON_NODE)) finetune.py
