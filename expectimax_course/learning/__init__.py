"""What both learners share: returns and checkpoints."""
