"""What people and programs use: the local HTTP endpoint (`http`, `openai`, `owner`) and the command line (`cli`).

Interfaces talk to the daemon through `service.EdgeService`; they mask nothing and decide nothing about privacy.
"""
