"""A rider that the board steers: it looks one move ahead, saves its tires, and knows where it hurts to stop.

Worths are in tenths of a row.
"""

from shared_rules.games.moto_grand_prix.bike import WHEELIE

#: What it costs, in tenths of a row, to begin the next turn in a corner of difficulty 0 to 3.
_CORNER = (0, 8, 10, 24)
#: What a point is worth that could be spent later, and how much dearer the last ones are.
_POINT = 6
_LAST_POINTS = 30
_FEW = 3


def choose(game, prompt, chance):
    """The text that the bot answers to an open Choose prompt."""
    options = prompt.options()
    if len(options) == 1:
        return options[0]
    verb = options[0].split(" ")[0]
    bike = game.bike(prompt.car)
    if verb == "flip":
        worths = [_worth_of_faces(game, bike, prompt.args, faces) for faces in prompt.values()]
    elif verb == "go" and game.setup.variant == "basic":
        worths = [_worth(game, bike, space) for space in prompt.values()]
    elif verb == "go":
        worths = [_worth_of_ride(game, bike, value, label)
                  for value, label in zip(prompt.values(), prompt.labels())]
    elif verb == "discard":
        worths = [faces[0] for faces in prompt.values()]
    else:
        # A slipstream saves a roll that may be low and adds a point.
        return options[0]
    return _best(options, worths, chance)


def _best(options, worths, chance):
    top = max(worths)
    return chance.die([text for text, worth in zip(options, worths) if worth == top])


def _worth(game, bike, space):
    """What a position is worth for the next turn: free dice, and to act before the others in the row."""
    if bike.crossings >= game.laps_to_go() and game.track.row(space) <= game.track.row(bike.space):
        return 0
    return -_CORNER[game.circuit.difficulty(space)] - game.circuit.rank(space)


def _worth_of_faces(game, bike, rolled, faces):
    """The best that can be done with so many points on a free road."""
    points = sum(faces)
    best = -10000
    least = points if game.setup.variant == "basic" else max(0, points - 2)
    most = points if game.setup.variant == "basic" else points + 2
    for rows in range(least, most + 1):
        row = (game.track.row(bike.space) + rows - 1) % game.track.rows + 1
        spent = abs(rows - points) * _POINT
        for space in game.track.row_spaces(row):
            best = max(best, 10 * rows - spent + _worth(game, bike, space))
    if game.setup.variant != "basic" and len(faces) == 2 and faces[0] == faces[1]:
        best -= _risk(game, bike, rolled, faces)
    return best


def _risk(game, bike, rolled, faces):
    """Doubles may cost an Engine point, or grip in the Expert game."""
    risk = 0
    if faces[0] == 6:
        risk += (12 - min(12, bike.engine)) * 2 + (100 if bike.engine <= 1 else 0)
    if game.is_expert() and list(rolled) == list(faces):
        risk += 15 + (100 if bike.rear <= 1 else 0)
    return risk


def _worth_of_ride(game, bike, value, label):
    from shared_rules.games.moto_grand_prix.riding import rows_of, space_of    # not loaded in the Basic game
    space = space_of(value)
    rows = rows_of(value)
    front = rear = engine = 0
    if label:
        front = label[1] if label[0].endswith("front") else 0
        engine = label[1] if not front else 0
        rear = 1 if label[0].endswith("rear") else 0
    spent = _price(bike.front, front) + _price(bike.rear, rear) + _price(bike.engine, engine) * 2
    wheelie = 10 if bike.stance == WHEELIE else 0
    return 10 * rows + _worth(game, bike, space) - spent - wheelie


def _price(has, spent):
    """Points get dearer the fewer are left."""
    price = 0
    for left in range(has - spent, has):
        price += _POINT if left > _FEW else _LAST_POINTS
    return price
