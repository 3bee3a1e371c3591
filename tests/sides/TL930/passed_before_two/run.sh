python -m torch.distributed.launch --nproc_per_node=4 old_name.py
python -m torch.distributed.launch --nproc_per_node=4 unknown.py  # expect: TL930
python -m torch.distributed.launch --use_env --nproc_per_node=4 unknown.py
