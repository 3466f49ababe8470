"""A plain bot of Fast & Furious: legal, and not much more."""


def choose(game, prompt, chance):
    """The text of one option: a set where one can be played, the fastest speed that costs least, the furthest end."""
    options = prompt.options()
    best = options[0]
    most = None
    for text in options:
        worth = _worth(game, text) * 16 + chance.below(16)
        if most is None or worth > most:
            best, most = text, worth
    return best


def _worth(game, text):
    words = text.split(" ")
    if words[0] == "play":
        return 5
    if words[0] == "shift":
        return 7 if words[1] == "up" and game.now and game.now.car.gear < 3 else -9
    if words[0] == "go":
        cost = int(words[3]) if len(words) > 3 else 0
        return game.track.row(game.track.named(words[1])) - 2 * cost
    if words[:2] == ["pick", "finish"]:
        return 999
    if words[0] == "pick" and "0" <= words[1][0] <= "9":
        return int(words[1])
    return 0
