"""Many phrases are found in a text at once, in time linear in both (pure).

A phrase is a sequence of tokens: a run of ASCII letters and digits, or any other single character. So a phrase is never
found inside a longer number or Latin word, and of a text without blanks every character may begin one.

Source: Aho and Corasick, "Efficient string matching", CACM 18 (1975), with tokens for characters. Of the phrases that
end at one place the longest is reported, and then only those inside it that have a higher rank.
"""

import re
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Final

_TOKEN: Final = re.compile(r"[0-9A-Za-z]+|.", re.DOTALL)


class Phrases:
    """Phrases, made ready to be found in any text."""

    def __init__(self, phrases: Mapping[str, int]) -> None:
        """Index phrases, none of them empty, by rank: one inside a longer one counts only if it has a higher rank."""
        self._steps: dict[tuple[int, str], int] = {}
        """State and token -> the state in which one more token of a phrase is read; state 0: none is."""
        self._words: set[str] = set()
        self._ends: list[tuple[tuple[int, int], ...]] = [()]
        """For each state what ends there: characters and rank, fewer and higher from one to the next."""
        edges: list[list[tuple[str, int]]] = [[]]
        for phrase, rank in phrases.items():
            state = 0
            for token in _TOKEN.findall(phrase):
                if (state, token) not in self._steps:
                    self._steps[state, token] = len(edges)
                    edges[state].append((token, len(edges)))
                    edges.append([])
                    self._ends.append(())
                state = self._steps[state, token]
                self._words.add(token)
            self._ends[state] = ((len(phrase), rank),)
        self._back = self._fall_back(edges)

    def _fall_back(self, edges: list[list[tuple[str, int]]]) -> list[int]:
        """Return, for each state, the state of the longest other beginning that its tokens end with."""
        back = [0] * len(edges)
        queue = deque(state for _, state in edges[0])
        while queue:
            state = queue.popleft()
            mine, shorter = self._ends[state], self._ends[back[state]]
            self._ends[state] = (*mine, *(end for end in shorter if not mine or end[1] > mine[0][1]))
            for token, following in edges[state]:
                other = back[state]
                while other and (other, token) not in self._steps:
                    other = back[other]
                back[following] = self._steps.get((other, token), 0)
                queue.append(following)
        return back

    def places(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where phrases stand, half-open, by their ends; they may overlap."""
        state = 0
        for found in _TOKEN.finditer(text):
            token = found[0]
            if token not in self._words:
                state = 0
                continue
            while state and (state, token) not in self._steps:
                state = self._back[state]
            state = self._steps.get((state, token), 0)
            for length, _ in self._ends[state]:
                yield found.end() - length, found.end()
