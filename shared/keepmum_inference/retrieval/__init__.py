"""Finding memories: exact lexical and vector search over the records of one scope, fused, and aware of sessions.

Used by the cloud on placeholder text and by the edge on its own records. Pure: time, vectors and records are arguments.

terms      what of a text is compared lexically
eligible   which records may be found at all; asked before anything is ranked
postings   in which records a term occurs, and how often
index      the records of one scope in memory, ready to be searched
bm25       the lexical score
relevance  lexical and vector scores of records and of their sessions, fused
rank       relevance, recency and importance: the best records
"""
