"""What a run will ask, take and cost, said before it: questions, tokens, money, GPU-hours."""
