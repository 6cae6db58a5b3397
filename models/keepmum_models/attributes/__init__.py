"""What reads protected attributes from the meaning of a text: sentences to learn from, training, export.

patterns -> examples -> states of the shipped embedding -> model -> thresholds, files, card

The sentences are written for this purpose (`sentences/`); no text of any public set is in the files that ship.
"""
