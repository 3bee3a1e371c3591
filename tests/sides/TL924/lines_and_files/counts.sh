accelerate launch --multi_gpu --num_processes 6 --num_machines 4 train.py  # expect: TL924
accelerate launch --multi_gpu --num_processes 8 --num_machines 4 train.py
accelerate launch --config_file fsdp.yaml --num_machines 3 train.py  # expect: TL924
accelerate launch --config_file fsdp.yaml --num_machines 2 train.py
accelerate launch --multi_gpu --num_processes 6 --num_machines $MACHINES --gpu_ids 0,1 train.py
accelerate launch --multi_gpu --num_processes $N --num_machines 4 train.py
accelerate launch $OPTIONS --num_processes 6 --num_machines 4 train.py
accelerate launch --config_file nowhere.yaml --num_processes 4 --gpu_ids 0,1 train.py
accelerate launch --gpu_ids 0,1 --num_processes 4 train.py  # expect: TL924
accelerate launch --gpu_ids 0 --num_processes 4 train.py  # expect: TL924
accelerate launch --gpu_ids all --num_processes 4 train.py
accelerate launch --gpu_ids $GPUS --num_processes 4 train.py
accelerate launch --gpu_ids 0,1 --num_processes 4 --cpu train.py
CUDA_VISIBLE_DEVICES=0,1 accelerate launch --config_file multi.yaml train.py  # expect: TL924
CUDA_VISIBLE_DEVICES=0,1 accelerate launch --config_file all_gpus.yaml train.py  # expect: TL924
CUDA_VISIBLE_DEVICES=0,1 accelerate launch --config_file on_processors.yaml train.py
CUDA_VISIBLE_DEVICES=0,1 accelerate launch --config_file unnamed.yaml train.py
CUDA_VISIBLE_DEVICES=0,1,2,3 accelerate launch --config_file fsdp.yaml train.py
CUDA_VISIBLE_DEVICES=GPU-1a2b,GPU-3c4d accelerate launch --config_file fsdp.yaml train.py
NCCL_DEBUG=INFO CUDA_VISIBLE_DEVICES=0,1 OMP_NUM_THREADS=4 accelerate launch --config_file fsdp.yaml train.py  # expect: TL924
OMP_NUM_THREADS=4 accelerate launch --config_file fsdp.yaml train.py
CUDA_VISIBLE_DEVICES=0,1 accelerate launch --config_file some_gpus.yaml train.py
accelerate launch --config_file uneven.yaml train.py
accelerate launch --config_file uneven_given.yaml --num_processes 8 train.py  # expect: TL924
accelerate launch --config_file machines_by_template.yaml --num_processes 8 train.py
