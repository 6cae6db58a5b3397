"""Generator of labelled chat messages (MemPrivacy, section 4.3): seeded, deterministic, English and Chinese.

From the ground up:

    pieces      a text as a row of pieces, some of them labelled; offsets are right by construction
    splits      which entities belong to training and which to the held-back users
    pools       words to build entities from: names, streets, firms of many countries
    lexicon     Chinese words by kind, for ordinary text and for the characters of given names
    values/     one module a family of values: names, places, documents, credentials ...
    slots       what `‹slot›` in a template stands for, its type, and whether it is a fact of the user's profile
    grammar     templates with slots, alternatives and named rules, read from `templates/LANG/*.rules`
    scene       one message being written: language, randomness, profile, cast of people
    scenarios   7 categories and 23 subcategories, with the fact families and styles that suit each
    compose     a message of one style for one subcategory
    noise       lower case, typos, full width, speech: on pieces, so that labels stay right
    generate    users, their dialogues, their messages
    writer, stats, command   the files, what is in them, and the command line

All texts were written for this generator; no line comes from a data set.
"""
