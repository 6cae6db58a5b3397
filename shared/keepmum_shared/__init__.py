"""What crosses between the edge and the cloud: messages, their codec, identifiers, taxonomy, placeholder grammar.

Standard library only. Neither half may reach the other except through this package.
"""
