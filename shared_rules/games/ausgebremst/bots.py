"""The bot of Ausgebremst: what it answers. How it plans its cards is in ``bots_plan.py``, on the hardest circuits in
``bots_value.py``; a board loads it when the race is on and all is prepared.
"""

#: The stack for the cards of value 1 to 6 (AB-45).
STACKS = (4, 4, 3, 2, 2, 1)
#: Those of the races from which ``bots_value`` has learned, and where its first two cards come from.
VALUED_STACKS = (4, 4, 3, 2, 1, 1)
VALUED_FIRST = 1


def choose(game, prompt, chance):
    """The text of one option, or a generator that returns it."""
    options = prompt.options()
    if len(options) == 1:
        return options[0]
    valued = game.valued()
    if options[0][:5] == "play ":
        if valued:
            from shared_rules.games.ausgebremst import bots_value
            return bots_value.play(game, prompt, chance, options)
        from shared_rules.games.ausgebremst import bots_plan
        return bots_plan.play(game, prompt, chance, options)
    ask = prompt.ask[12:]
    car = game.car(prompt.car)
    if ask == "ask_deck":
        return "pick slow"
    if ask == "ask_draw":
        if game.phase != "race":
            return "pick %d" % VALUED_FIRST if valued else _first(game, prompt.car - 1, options)
        if valued:
            from shared_rules.games.ausgebremst import bots_value
            return bots_value.draw(game, car, chance, options)
        from shared_rules.games.ausgebremst import bots_plan
        tops = [game.stacks[car.seat - 1][int(text[5:]) - 1][0] for text in options]
        return bots_plan.draw(game, car, chance, options, tops)
    stacks = VALUED_STACKS if valued else STACKS
    if ask == "ask_pit_cards":
        return _pit_cards(game, prompt, car, chance, stacks)
    if ask == "ask_stack_value":
        return "pick %d" % stacks[prompt.args[0] - 1]
    if ask == "ask_stack_card":
        return "pick %d" % stacks[int(game.decks[prompt.car - 1][-1]) - 1]
    return options[0]


def _pit_cards(game, prompt, car, chance, stacks):
    """Of the two cards the one that serves best in the next turn comes to the hand, the other on the stack for its value.
    The tables of ``bots_value`` come from races in which the higher one came to the hand."""
    high, low = prompt.args
    options = ["pick %d %d" % (high, stacks[low - 1])]
    if high == low or game.valued():
        return options[0]
    options.append("pick %d %d" % (low, stacks[high - 1]))
    from shared_rules.games.ausgebremst import bots_plan
    return bots_plan.draw(game, car, chance, options, [str(high), str(low)])


def _first(game, at, options):
    """Before the start: the first stack, which has the high cards, but no two of one value."""
    for text in options:
        if game.stacks[at][int(text[5:]) - 1][0] not in game.hands[at]:
            return text
    return options[0]
