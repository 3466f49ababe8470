"""How the spec's vectors set up a race and look into it; no board loads this in a race. spec/FORMAT.md lists the keys."""

from shared_rules.games.fast_and_furious import cards, setup, team
from shared_rules.games.fast_and_furious.car import DONE, HOME, NONE, OFF, OUT, RUN, WAIT, listed, more
from shared_rules.games.fast_and_furious.course import FINISH
from shared_rules.games.fast_and_furious.course import NONE as NOWHERE
from shared_rules.games.fast_and_furious.setup import OVER, RACE, TO_UPGRADES
from shared_rules.games.fast_and_furious.turn import Turn


def arrange(game, state):
    """See spec/FORMAT.md."""
    game.first = int(state.get("first", 0 if "cars" not in state else 1))
    for text in state.get("drivers", []):
        number, name = text.split(" ")
        game.car(int(number)).driver = name
    if "control" in state:
        game.control = "".join([cards.DIGITS[int(token)] for token in state["control"]])
    if "cars" not in state:
        if "deck" in state:
            game.deck = "".join([cards.card_of(name) for name in state["deck"]])
        return
    game.phase = RACE
    game.chosen = []
    _place(game, state)
    for text in state.get("obstacles", []):
        game.obstacles.append(_space(game, text))
    for key in ("upgrades", "spent"):
        for text in state.get(key, []):
            words = text.split(" ")
            tokens = NONE
            for name, count in zip(_every_second(words, 1), _every_second(words, 2)):
                tokens = more(tokens, name, int(count))
            setattr(game.car(int(words[0])), key, tokens)
    _cards(game, state)
    _damage(game, state)
    running = [car.number for car in game.cars_ if car.status == RUN]
    game.at = int(state.get("turn", game.first))
    if game.tag and game.at not in running:
        game.at = game.at + 2 if game.at < 3 else game.at - 2
    if "turn" not in state and game.at not in running and running:
        game.at = running[0]


def _every_second(words, first):
    return [words[at] for at in range(first, len(words), 2)]


def _space(game, name):
    space = game.track.named(name)
    if space < 0:
        raise KeyError(name)
    return space


def _place(game, state):
    waits = [car.number for car in game.cars_ if car.status == WAIT]
    for car in game.cars_:
        car.status = OFF
        car.turns = 0 if str(car.number) in [str(word) for word in state.get("fresh", [])] else 1
    for word in state.get("home", []):
        game.car(int(word)).status = HOME
    for text in state["cars"]:
        words = text.split(" ")
        car = game.car(int(words[0]))
        car.space = _space(game, words[1])
        car.crossings = int(words[2]) if len(words) > 2 else 0
        car.status = RUN
        if car.number in waits and game.car(car.number - 2).status not in (HOME, OUT):
            car.status = WAIT
    for text in state.get("finished", []):
        number, left, last = text.split(" ")
        car = game.car(int(number))
        car.status, car.left, car.last = DONE, int(left), int(last)
    for text in state.get("out", []):
        number, to_go = text.split(" ")
        car = game.car(int(number))
        car.status, car.to_go = OUT, int(to_go)
    for text in state.get("gears", []):
        number, gear = text.split(" ")
        game.car(int(number)).gear = int(gear)
    for text in state.get("blocks", []):
        number, name = text.split(" ")
        game.car(int(number)).block = _space(game, name)
    for word in state.get("paused", []):
        game.car(int(word)).paused = 1


def _cards(game, state):
    known = [(int(text.split(" ")[0]), text.split(" ")[1:]) for text in state.get("hands", [])]
    named = [number for number, _ in known]
    if game.by_table:
        for car in game.cars_:
            game.hands[car.number - 1] = cards.HIDDEN * (car.base() if car.status in (RUN, WAIT) else 0)
        for number, words in known:
            game.hands[number - 1] = cards.HIDDEN * int(words[0])
        return
    deck = [cards.card_of(name) for name in state["deck"]] if "deck" in state else None
    left = [card for card in cards.parted(cards.deck()) if deck is None or card not in deck]
    for number, gears in known:
        hand = []
        for gear in sorted(gears):
            card = [card for card in left if card[0] == gear][0]
            left.remove(card)
            hand.append(card)
        game.hands[number - 1] = "".join(hand)
    # Hands that aren't given come from the pile or, if that is given, from the other cards.
    rest = cards.parted(cards.shuffled(game.deal, "".join(left)))
    for car in game.cars_:
        if car.number not in named and car.status in (RUN, WAIT):
            count = car.base()
            game.hands[car.number - 1] = cards.ordered("".join(rest[:count]))
            rest = rest[count:]
    game.deck = "".join(rest if deck is None else deck)


def _damage(game, state):
    for text in state.get("damage", []):
        number, sides, control = text.split(" ")
        car = game.car(int(number))
        car.damage, car.control = int(sides), int(control)
    if "control" in state or not game.damage:
        return
    left = sorted(game.box.control)
    for car in game.cars_:
        if car.control:
            left.remove(cards.DIGITS[car.control])
    game.control = cards.shuffled(game.deal, "".join(left[sum([car.damage for car in game.cars_]):]), 1)


def look(game, key):
    """See spec/FORMAT.md."""
    words = key.split(" ")
    if words[0] == "car":
        return _look_car(game, game.car(int(words[1])), " ".join(words[2:]))
    if words[0] == "hand":
        hand = game.hands[int(words[1]) - 1]
        if len(words) > 2:
            return str(len(hand) // 2)
        return "none" if game.by_table else _listed(cards.gears(hand))
    if words[0] == "sees":
        return _sees(game, int(words[1]))
    if words[0] in ("card", "list", "minimum", "icons", "tokens"):
        return _look_box(game, words)
    if words[0] in ("space", "barrier", "lanes", "advice", "rows"):
        return _look_course(game, words)
    return _look_race(game, key)


def _listed(words):
    return " ".join([str(word) for word in words]) or "none"


def _counts(counts):
    return " ".join(["%s %d" % pair for pair in listed(counts)]) or "none"


def _look_car(game, car, key):
    now = game.now if game.now and game.now.car is car else None
    if key == "":
        for status, name in ((DONE, "finished"), (OUT, "out"), (HOME, "home")):
            if car.status == status:
                return name
        return game.track.space_name(car.space) if car.space >= 0 else "garage"
    if key == "costs":
        return "%d %d" % (now or Turn(game, car)).costs()
    if key == "tokens":
        return str(setup.tokens(game, car))
    if key == "to go" and game.tag:
        return str(team.to_go(game, team.runner(game, (car.number - 1) % 2 + 1)) if car.status != OUT else car.to_go)
    simple = (
        ("gear", car.gear), ("turns", car.turns), ("crossings", car.crossings), ("base", car.base()),
        ("penalties", car.penalties), ("limit", car.limit()),
        ("speed", now.speed_value() if now and now.chosen >= 0 else "-"),
        ("remaining", car.left if car.status == DONE else "-"), ("last", car.last if car.last >= 0 else "-"),
        ("upgrades", _counts(game.chosen[car.number - 1] if game.chosen and game.phase == TO_UPGRADES else car.upgrades)),
        ("spent", _counts(car.spent)), ("driver", car.driver or "none"), ("damage", car.damage),
        ("control", car.control or (now.control if now else 0)),
        ("block", game.track.space_name(car.block) if car.block >= 0 else "none"),
        ("paused", "yes" if car.paused else "no"), ("to go", game.to_go(car)),
        ("place", [row[2] for row in game.standings() if row[1] == car.number][0]), ("team", (car.number - 1) % 2 + 1),
    )
    return dict(simple)[key] if isinstance(dict(simple)[key], str) else str(dict(simple)[key])


def _sees(game, seat):
    """What the game's ``private`` says, without its sentences."""
    parts = []
    for line in game.private(seat):
        car = " " + line[1][4:] if line[1][:4] == "car:" else ""
        told = line[2:] if car else line[1:]
        if "_hand" in line[0]:
            parts.append("hand%s%s %s" % (car, ":" if car else "", told[0]))
            continue
        word = "%s %d" % (told[0].split("upgrade_")[1], told[1])
        head = "upgrades%s%s " % (car, ":" if car else "")
        if parts and parts[-1][:len(head)] == head:
            parts[-1] += " " + word
        else:
            parts.append(head + word)
    return "; ".join(parts) or "nothing"


def _look_race(game, key):
    now = game.now
    racing = game.phase == RACE and not game.over()
    simple = (
        ("turn", game.at if racing else "none"), ("first", game.first), ("round", game.round),
        ("stage", now.stage if now else "over" if game.phase == OVER or game.phase == RACE and game.over() else "setup"),
        ("set", "%d %d" % now.set if now and now.set else "none"),
        ("flipped", _listed(sorted(now.speeds)) if now else "none"),
        ("deck", len(game.deck) // 2), ("deck cards", _listed([cards.word(card) for card in cards.parted(game.deck)])),
        ("discards", len(game.discards()) // 2 if not game.by_table else 0), ("control", len(game.control)),
        ("obstacles", _obstacles(game)), ("cards", len(cards.deck()) // 2),
        ("drivers", " ".join(game.box.drivers)), ("upgrades", setup.of_course(game.track)),
        ("indicators", game.track.upgrades),
    )
    return str(dict(simple)[key])


def _obstacles(game):
    track = game.track
    spaces = sorted([(track.row(space), track.lane(space), space) for space in game.obstacles])
    return _listed([track.space_name(space[2]) for space in spaces])


def _look_box(game, words):
    box = game.box
    if words[0] == "card":
        card = cards.card_of(words[1])
        speeds = _listed([box.speed(card, gear) for gear in range(1, cards.GEARS + 1)])
        return "speeds %s minimum %d nitrous %d" % (speeds, box.minimum(int(card[0])), box.nitrous(card))
    if words[0] == "list":
        one = [card for card in cards.parted(cards.deck()) if card[0] == "1"]
        nitrous = words[1] == "nitrous"
        return _listed(sorted([box.nitrous(card) if nitrous else box.speed(card, int(words[1])) for card in one]))
    if words[0] == "minimum":
        return str(box.minimum(int(words[1])))
    if words[0] == "icons":
        return _listed([speed for speed in box.values(int(words[1])) if speed <= cards.icons(int(words[1]))])
    if words[1] == "control":
        return _listed(sorted([cards.DIGITS.index(token) for token in box.control]))
    counts = (("obstacles", setup.OBSTACLES), ("upgrades", setup.UPGRADES_IN_BOX), ("block", setup.BLOCKS))
    return str(dict(counts)[words[1]])


def _look_course(game, words):
    track, course = game.track, game.course
    if words[0] == "rows":
        return str(track.rows)
    if words[0] == "lanes":
        return str(len(track.row_spaces(int(words[1]))))
    if words[0] == "barrier":
        return str(course.barrier(track.row_spaces(int(words[1]))[0]) or "none")
    if words[0] == "advice":
        return _advice(game)
    space = track.named(words[1])
    if len(words) > 2 and words[2] == "ahead":
        there = [to for to in [course.ahead[space]] + course.branches(space) if to != NOWHERE]
        return _listed(["finish" if to == FINISH else track.space_name(to) for to in there])
    if len(words) > 2:
        there = [course.beside(space, side) for side in (-1, 1)]
        return _listed([track.space_name(to) for to in there if to >= 0])
    out = "corner %d" % course.limits[space] if course.limits[space] else "straight"
    out += " start" if space >= course.start else ""
    out += " obstacle" if space in game.obstacles else ""
    for car in game.cars_:
        out += " block %d" % car.number if car.block == space else ""
    return out


def _advice(game):
    track, course = game.track, game.course
    out = []
    if any([course.limits[space] for space in track.row_spaces(1)]):
        out.append("start")
    if any([course.limits[space] for space in game.obstacles]):
        out.append("corner-obstacle")
    for row in range(1, track.rows + 1):
        spaces = track.row_spaces(row)
        if len([space for space in spaces if space not in game.obstacles]) == 1 < len(spaces):
            out.append("one-lane")
            break
    return _listed(out)


def inventory(game):
    """Each card is somewhere, once; no two cars are on one space; control tokens are beside the board or on consoles."""
    piles = cards.parted(game.deck + "".join(game.hands))
    spaces = [car.space for car in game.cars_ if car.space >= 0]
    parts = ["%d cars on the space of another" % (len(spaces) - len(set(spaces)))]
    if not game.by_table:
        parts.append("%d cards twice" % (len(piles) - len(set(piles))))
    if game.damage:
        tokens = len(game.control) + sum([car.damage + (1 if car.control else 0) for car in game.cars_])
        tokens += 1 if game.now and game.now.control and not game.now.moved else 0
        parts.append("%d control tokens" % tokens)
    return ", ".join(parts)
