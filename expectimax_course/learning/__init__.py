"""What both learners share: checkpoints."""
