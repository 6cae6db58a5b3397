"""The rules, one module a family. Each `find_*` is a `finding.Rule`; `rules` runs all of them."""
