"""The sentence embedding that ships: multilingual-e5-small, cut to English and Chinese, in 8 and 4 bits.

Nothing is trained. `pieces` chooses the vocabulary, `model` holds the encoder, `export` writes the artefact, `fidelity`
measures what cutting and quantising cost, `card` says so, `command` runs them.
"""
