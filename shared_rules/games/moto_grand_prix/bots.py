"""A rider that the board steers: it looks one move ahead, saves its tires, and knows where stopping is costly.

Values are in tenths of a row. Each ``yield`` is a point where a board may do something else for a moment.
"""

#: The cost, in tenths of a row, of beginning the next turn in a corner of difficulty 0 to 3.
_CORNER = (0, 8, 10, 24)
#: The value of a point that could be spent later; the fewer are left, the dearer they are.
_POINT = 6
_PRICES = (200, 60, 40, 25, 16, 10, 7, 5)
#: Worse than any end: a bike that can't brake for a blocked road is out.
_RETIRED = -10000


def choose(game, prompt, chance):
    """The bot's answer to an open Choose prompt, as text: a generator, so that a board can let it think in pieces."""
    options = prompt.options()
    if len(options) == 1:
        return options[0]
    verb = options[0].split(" ")[0]
    bike = game.bike(prompt.car)
    yield
    if verb == "flip":
        worths = yield from _worths_of_faces(game, bike, prompt.args, prompt.values())
    elif verb == "go" and game.setup.variant == "basic":
        worths = [_worth(game, bike, space) for space in prompt.values()]
    elif verb == "go":
        worths = yield from _worths_of_rides(game, bike, prompt.values(), prompt.labels())
    elif verb == "discard":
        worths = [faces[0] for faces in prompt.values()]
    else:
        # A slipstream saves a roll that may be low and adds a point.
        return options[0]
    yield
    return _best(options, worths, chance)


def _best(options, worths, chance):
    top = max(worths)
    return chance.die([text for text, worth in zip(options, worths) if worth == top])


def _worth(game, bike, space):
    """The value of a position for the next turn: free dice, and acting before the others in the row."""
    if bike.crossings >= game.laps_to_go() and game.track.row(space) <= game.track.row(bike.space):
        return 0
    return -_CORNER[game.circuit.difficulty(space)] - game.circuit.rank(space)


def _worths_of_faces(game, bike, rolled, choices):
    """For each choice of faces the best result of its points on a free road."""
    if game.setup.variant == "basic":
        return [_best_row(game, bike, sum(faces), 0) for faces in choices]
    modifier = 0
    if game.is_expert() and not game.start_turn():
        from shared_rules.games.moto_grand_prix.expert import modifier as check_position
        modifier = check_position(game, bike)
    points = [max(0, sum(faces) + modifier) for faces in choices]
    costs = yield from _costs(game, bike, max(points))
    out = []
    for faces, count in zip(choices, points):
        yield
        least = max(0, count - bike.front + 1)
        most = count + min(3, bike.engine - 1)
        if costs >> least & ((1 << (most - least + 1)) - 1):
            out.append(_best_row(game, bike, count, 2) - _risk(game, bike, rolled, faces))
        else:
            out.append(_RETIRED)
    return out


def _best_row(game, bike, points, spread):
    """The value of the best position ``points`` rows ahead, or up to ``spread`` more or fewer, which are paid for."""
    best = _RETIRED
    here = game.track.row(bike.space)
    last_lap = bike.crossings >= game.laps_to_go()
    for rows in range(max(0, points - spread), points + spread + 1):
        worth = 10 * rows - abs(rows - points) * _POINT
        row = (here + rows - 1) % game.track.rows + 1
        if not last_lap or row > here:
            worth -= _CORNER[game.track.difficulty(row)] + 1  # 1: the racing line
        best = max(best, worth)
    return best


def _costs(game, bike, points):
    """The costs of the routes that the bikes ahead leave open, as the bits of an int; all bits set if nobody is near."""
    near = [other for other in game.bikes if other.on_track and other is not bike
            and game.circuit.rows_ahead(bike.space, other.space) <= points]
    if not near:
        return -1
    from shared_rules.games.moto_grand_prix.riding import Reach  # not loaded in the Basic game
    reach = Reach(game, bike, points)
    while reach.grow():
        yield
    return reach.all_costs()


def _risk(game, bike, rolled, faces):
    """Doubles may cost an Engine point, or grip in the Expert game."""
    if len(faces) != 2 or faces[0] != faces[1]:
        return 0
    risk = 0
    if faces[0] == 6:
        risk += 1000 if bike.engine <= 1 else (12 - bike.engine) * 2
    if game.is_expert() and list(rolled) == list(faces):
        risk += 15 + (100 if bike.rear <= 1 else 0)
    return risk


def _worths_of_rides(game, bike, values, labels):
    """The rows that each end gains, minus what is spent on it."""
    from shared_rules.games.moto_grand_prix.riding import rows_of, space_of  # not loaded in the Basic game
    here = game.track.row(bike.space)
    last_lap = bike.crossings >= game.laps_to_go()
    out = []
    rows = -1
    for value, label in zip(values, labels):
        space = space_of(value)
        if rows_of(value) != rows:
            yield
            rows = rows_of(value)
            home = last_lap and game.track.row(space) <= here
            in_row = 10 * rows - (0 if home else _CORNER[game.circuit.difficulty(space)])
        worth = in_row if home else in_row - game.circuit.rank(space)
        if label:
            front = label[1] if label[0].endswith("front") else 0
            engine = label[1] if not front else 0
            rear = 1 if label[0].endswith("rear") else 0
            worth -= _price(bike.front, front) + _price(bike.rear, rear) + _price(bike.engine, engine) * 2
        out.append(worth)
    return out


def _price(has, spent):
    """The fewer points are left, the dearer they are."""
    return sum(_PRICES[max(0, has - spent):max(0, has)])
