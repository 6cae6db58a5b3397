"""Placeholders for private values and back (design section 5). Everything but `store` is pure and sans-IO.

tolerant       which sloppy forms of a token are read as the token
pseudonymise   a text and its spans -> placeholder text
json_text      the same inside JSON
conversation   what each placeholder means in one conversation; the volatile vault
canonical      when two surfaces are one value
restore        placeholder text -> text, at once or as a stream (`stream`)
address        where nothing is restored: the addresses of links and images, by the rules of
               link (Markdown, bare), tag (HTML, CSS) and scheme (mailto, tel)
fence          code fences, in which only the exact form is restored
store          durable bindings and profile numbers
"""
