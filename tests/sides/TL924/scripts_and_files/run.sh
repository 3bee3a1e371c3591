accelerate launch --config_file one.yaml four.py
accelerate launch --config_file one.yaml same.py
accelerate launch --config_file one.yaml unsaid.py
accelerate launch --config_file auto.yaml four_auto.py
accelerate launch --config_file flag.yaml four_flag.py
accelerate launch --config_file none.yaml four_none.py
accelerate launch --config_file silent_on_steps.yaml four_unstated.py
accelerate launch --config_file one.yaml --gradient_accumulation_steps 4 four_by_line.py
accelerate launch --config_file one.yaml --multi_gpu four_of_many.py  # expect: TL924
accelerate launch --config_file one.yaml own_plugin.py
accelerate launch --config_file one.yaml own_settings.py
accelerate launch --config_file one.yaml many_settings.py
accelerate launch --config_file one.yaml computed.py
accelerate launch --config_file one.yaml half.py
accelerate launch --config_file one.yaml other_class.py
accelerate launch --config_file one.yaml option_given.py --accum 4
accelerate launch --config_file one.yaml option_unknown.py --accum $STEPS
accelerate launch --config_file one.yaml option_among_others.py $ARGS
accelerate launch --config_file one.yaml option_default.py
accelerate launch --config_file one.yaml option_default_same.py
accelerate launch --config_file one.yaml option_unset.py
accelerate launch --config_file one.yaml option_two_ways.py
accelerate launch --config_file one.yaml option_of_nobody.py --accum 4
accelerate launch --config_file one.yaml option_text.py
accelerate launch --config_file one.yaml imported.py
accelerate launch --config_file one.yaml sft.py --gradient_accumulation_steps 4  # expect: TL924
accelerate launch --config_file one.yaml sft.py --gradient_accumulation_steps=4  # expect: TL924
accelerate launch --config_file one.yaml sft.py --gradient_accumulation_steps 1
accelerate launch --config_file one.yaml sft.py --gradient_accumulation_steps $STEPS
accelerate launch --config_file one.yaml sft.py --learning_rate 1e-5
accelerate launch --config_file auto.yaml sft.py --gradient_accumulation_steps 4
accelerate launch --config_file silent_on_steps.yaml sft.py --gradient_accumulation_steps 4
accelerate launch --config_file one.yaml tuned_by_trl.py --gradient_accumulation_steps 4  # expect: TL924
accelerate launch --config_file one.yaml no_parser.py --gradient_accumulation_steps 4
accelerate launch --config_file one.yaml own_option.py --gradient_accumulation_steps 4
accelerate launch --config_file one.yaml not_here.py --gradient_accumulation_steps 4
accelerate launch --config_file one.yaml other_parser.py --gradient_accumulation_steps 4
