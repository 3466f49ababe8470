"""A rider that the board steers: legal, and careful about where he stops."""


def choose(game, prompt, chance):
    """The text that the bot answers to an open Choose prompt."""
    options = prompt.options()
    if options[0].startswith("flip"):
        return _best(options, [_worth_of_total(game, prompt, faces) for faces in prompt.values()], chance)
    if options[0].startswith("go"):
        return _best(options, [_worth(game, space) for space in prompt.values()], chance)
    return options[0]


def _best(options, worths, chance):
    top = max(worths)
    return chance.die([text for text, worth in zip(options, worths) if worth == top])


def _worth_of_total(game, prompt, faces):
    """Rows won, and what the position is worth in which such a move would end."""
    bike = game.bike(prompt.car)
    row = (game.track.row(bike.space) + sum(faces) - 1) % game.track.rows + 1
    return 10 * sum(faces) + max([_worth(game, space) for space in game.track.row_spaces(row)])


def _worth(game, space):
    """A hard corner costs about the pips that can't be flipped there; the racing line acts first."""
    return -(0, 6, 8, 20)[game.circuit.difficulty(space)] - game.circuit.rank(space)
