"""Measuring what an extractor masks: does private text leave, and what is masked for nothing?

`sets` says what the labels of each public set mean, `marked` holds a text with its gold, `masks` what was found in it.
`scoring` counts over one text, `paper_metric` scores it as MemPrivacy does, `figures` turns counts into figures,
`bootstrap` gives them intervals. `measure` and `command` are the shell.

How gold is treated:

private  must be masked: counts for leaks and recall
neutral  may be masked or not: neither a leak nor a false mask
public   not private: masking it is over-masking

A mask that touches nothing private counts as false unless it lies at least half in neutral text, or is of a type that
the set is not labelled for ("covers").
"""
