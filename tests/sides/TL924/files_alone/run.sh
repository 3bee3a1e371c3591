accelerate launch --config_file overridden.yaml --num_processes 1 train.py
accelerate launch --config_file not_overridden.yaml --main_process_port 29501 train.py
accelerate launch --config_file uneven_lines.yaml --num_processes $N train.py
accelerate launch --config_file gpus_of_the_line.yaml --gpu_ids 0,1,2,3 train.py
accelerate launch --config_file section_by_the_line.yaml --use_deepspeed train.py
