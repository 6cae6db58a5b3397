"""Where views meet the rest of the daemon: turns, memory, the cloud's copy of the ledger, and the owner.

turn_views   the views side of one turn, on the writer's thread
slot_scores  score tables follow what slots hold, in the transaction that changes it
at_cloud     what is compared with the cloud half before the first release to it
overview     what the owner is shown and can say: budget, policy, silence, the clock
"""
