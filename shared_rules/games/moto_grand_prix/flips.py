"""Flipping dice: braking is free, accelerating is limited by the corner (MG-12 to MG-14)."""

from shared_rules import notation
from shared_rules.games.moto_grand_prix.data import OPPOSITE_FACES
from shared_rules.prompts import Refusal


def flipped(face):
    """The face on the other side of the die (MG-12)."""
    return OPPOSITE_FACES - face


class Flips:
    """Which of the rolled ``faces`` may be flipped on a tile of this ``difficulty`` (0: a straight)."""

    def __init__(self, faces, difficulty):
        self.faces = faces
        self.difficulty = difficulty
        self._choices = [which for which in _subsets(len(faces)) if self._barred(which) is None]

    def texts(self):
        """The answers: "flip none", "flip 1", …"""
        return [_text(which) for which in self._choices]

    def results(self):
        """For each answer the faces that count after it."""
        return [self._after(which) for which in self._choices]

    def labels(self):
        """For each answer its total."""
        return [["moto_grand_prix.flip_total", sum(faces), " + ".join([str(face) for face in faces])]
                for faces in self.results()]

    def note(self):
        """Why nothing can be flipped, or None."""
        return ["moto_grand_prix.note_no_flip", self.difficulty] if len(self._choices) == 1 else None

    def near_misses(self):
        """The flips that aren't allowed."""
        return [_text(which) for which in _subsets(len(self.faces)) if which not in self._choices]

    def explain(self, text):
        """The Refusal of a flip that isn't allowed, or None if the text isn't a flip of these dice."""
        for which in _subsets(len(self.faces)):
            if text == _text(which):
                barred = self._barred(which)
                return Refusal(text, barred[0], barred[1], barred[2]) if barred else None
        return None

    def _after(self, which):
        return [flipped(face) if at in which else face for at, face in enumerate(self.faces)]

    def _barred(self, which):
        """(reason, clause, args) that bars flipping these dice, or None."""
        faster = [at for at in which if flipped(self.faces[at]) > self.faces[at]]
        if not faster or self.difficulty == 0:
            return None
        if self.difficulty == 3:
            return "moto_grand_prix.never_accelerate", "MG-13", (3,)
        if min(self.faces) == max(self.faces):
            # A double: either die may count as the one that may be flipped, but only one of them (MG-14).
            if len(faster) == 1:
                return None
            return "moto_grand_prix.one_of_a_double", "MG-14", (self.difficulty,)
        named = min(self.faces) if self.difficulty == 1 else max(self.faces)
        if all([self.faces[at] == named for at in faster]):
            return None
        if self.difficulty == 1:
            return "moto_grand_prix.only_lower", "MG-13", (1, named)
        return "moto_grand_prix.only_higher", "MG-13", (2, named)


def _subsets(count):
    """All choices among ``count`` dice, as tuples of their places from 0, the smallest first."""
    out = [()]
    for at in range(count):
        out += [which + (at,) for which in out]
    return out


def _text(which):
    return notation.show("flip", [at + 1 for at in which] or ["none"])
