"""The case study 2048, whole in one room: rules, 64-bit board, evaluations, search, learning."""
