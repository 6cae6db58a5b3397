"""What protected memory may influence: views, drawn under a budget for each protected attribute (design section 6).

The life of one release: `router` names the facets that a message is about; `policy` turns each into a `Selection`, all
of it public; `selector` decides from the selection and the books (`ledger`) alone whether to draw; only a draw looks at
the scores that `scorer` made when memory was written; `mechanisms` gives the distribution, `sampling` draws from it;
`release` does all of it in one transaction of `store`, in the order of `rollback`. `audit` enumerates the very same
functions, `log_audit` checks the log without them.

Not here: what is remembered (`memory`), and the wording of a view, which the cloud looks up by its id.
"""
