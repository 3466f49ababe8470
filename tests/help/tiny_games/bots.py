"""A bot for any game: it takes one of the options."""


class Anyhow:
    """Chooses evenly."""

    @staticmethod
    def choose(game, prompt, chance):
        """The text of one option."""
        return chance.die(prompt.options())
