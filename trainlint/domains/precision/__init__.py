"""Mixed precision: autocast, loss scaling, and what is kept in 16 bits."""
