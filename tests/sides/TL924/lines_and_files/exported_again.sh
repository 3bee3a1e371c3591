export CUDA_VISIBLE_DEVICES=0,1
accelerate launch --config_file fsdp.yaml --num_processes 2 warm_up.py
export CUDA_VISIBLE_DEVICES=0,1,2,3
accelerate launch --config_file fsdp.yaml train.py
