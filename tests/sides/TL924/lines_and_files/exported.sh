export OMP_NUM_THREADS=4
export CUDA_VISIBLE_DEVICES=0,1
accelerate launch --config_file fsdp.yaml train.py  # expect: TL924
accelerate launch --config_file fsdp.yaml --num_processes 2 train.py
