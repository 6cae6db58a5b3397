"""Forgetting on this computer and at the cloud (design section 7).

`request` says what is asked, `carriers` finds the turns and messages whose words tell it, `closure` assembles what goes
from what every store reports, `removal` takes it away in one transaction and makes anew what can be made from the rest,
`verification` looks for what is left by other means, `receipt` states the outcome and is signed, `delivery` takes the
ids to the cloud until it has confirmed, and before any turn, `tombstones` keeps work that runs meanwhile from bringing
anything back, and `forgetting` is the order of it all. `strays` are memories that the cloud holds though it should not,
since its data were put back to an older copy, say; `comparing` looks for them.
"""
