accelerate launch --config_file fsdp.yaml --multi_gpu train.py  # expect: TL924
accelerate launch --config_file fsdp.yaml --use_fsdp train.py
accelerate launch --config_file fsdp.yaml --cpu train.py
accelerate launch --config_file fsdp.yaml --use_deepspeed train.py  # expect: TL924
accelerate launch --config_file multi.yaml --use_deepspeed train.py
accelerate launch --config_file unnamed.yaml --use_deepspeed train.py
accelerate launch --config_file nowhere.yaml --use_deepspeed train.py
accelerate launch --use_fsdp --use_deepspeed train.py  # expect: TL924
accelerate launch --use_fsdp --use_fsdp train.py
accelerate launch --use_megatron_lm --use_deepspeed train.py
accelerate launch --multi_gpu --num_processes 1 train.py  # expect: TL924
accelerate launch --multi_gpu --num_processes=1 train.py  # expect: TL924
accelerate launch --multi_gpu --num_processes 2 train.py
accelerate launch --multi_gpu --num_processes $N train.py
accelerate launch --multi_gpu train.py
accelerate launch --num_processes 1 train.py
accelerate-launch --multi_gpu --num_processes 1 train.py  # expect: TL924
python -m accelerate.commands.launch --multi_gpu --num_processes 1 train.py  # expect: TL924
