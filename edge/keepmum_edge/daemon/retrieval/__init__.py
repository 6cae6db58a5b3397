"""Finding the owner's records by meaning and by words, on this computer alone.

model   the sentence embedding: loaded when it is first needed, on a thread of its own
work    gives every record its vector, after answers and never in a turn's way
search  the records that match best, of one place, for one who asks
"""
