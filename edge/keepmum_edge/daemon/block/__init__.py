"""The block "from this computer": what only this computer remembers, shown below an answer and never sent (design 3.7).

canonical  what stays of a text whatever clients do to it
frame      how a block is written, and how it is found and removed again, whole or in part
shown      the lines that were shown, as keyed digests: found again where no frame is left around them
cleaning   a chat request without any of it
store      the digests on disk
making     the block of one turn, after its answer has ended
"""
