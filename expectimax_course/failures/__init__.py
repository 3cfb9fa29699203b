"""Programs that run and are wrong, each beside its mended twin: the gallery of chapter 11.

Nothing here is meant for play. What is wrong says so in its name (``broken_…``, ``Unsafe``, ``DepthBlind``), and a
test sees to it that only experiments, apps and the grader import this folder.

`opponents`  the wrong chooser: nature taken for a hunter, a hunter taken for nature
`chance`     the wrong mean: divided twice, one outcome on top of the other, dice rolled again, bent and infinite scales
`models`     the wrong probabilities, what they cost, and how to measure the right ones
`keys`       caches whose key lacks the reach or the depth
`explosion`  a fixed depth, and depth by arithmetic, where only counting keeps a budget
`gallery`    all of them as pairs, each with a test that tells the broken one from the mended
"""
