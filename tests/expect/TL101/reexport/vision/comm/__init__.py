from ._ranks import is_first_rank as is_lead
from .sync import *
