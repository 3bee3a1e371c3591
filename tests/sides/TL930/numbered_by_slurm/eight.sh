#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gres=gpu:8
srun python numbered.py  # expect: TL930
srun python by_rank.py
srun python starts_more.py
srun python by_subprocess.py
srun python one_device.py
srun python joins_nobody.py
srun python by_lightning.py
srun bash -c "python numbered.py"
python numbered.py
srun --ntasks-per-node=8 python numbered.py
srun --gres=gpu:1 python numbered.py
srun $STEP python numbered.py
