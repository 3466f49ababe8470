"""What the spec's vectors can ask of a race. Loaded for vectors alone."""

from shared_rules.games.fast_and_furious import box_once, data, pile_once, seen
from shared_rules.games.fast_and_furious.course import FINISH, NONE
from shared_rules.games.fast_and_furious.rules import DONE, HOME, OUT, RACE


def look(game, key):
    """See spec/FORMAT.md."""
    words = key.split(" ")
    if words[0] == "car":
        return _look_car(game, game.car(int(words[1])), " ".join(words[2:]))
    if words[0] == "hand":
        hand = game.hands[int(words[1]) - 1]
        if len(words) > 2:
            return str(len(hand) // 2)
        return "none" if game.by_table else _listed(data.gears(hand))
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
    return " ".join(["%s %d" % pair for pair in seen.tokens(counts)]) or "none"


def _look_car(game, car, key):
    now = game.now if game.now and game.now.car is car else None
    if key == "":
        for status, name in ((DONE, "finished"), (OUT, "out"), (HOME, "home")):
            if car.status == status:
                return name
        return game.track.space_name(car.space) if car.space >= 0 else "garage"
    if key == "costs":
        from shared_rules.games.fast_and_furious.turn import Turn
        return "%d %d" % (now or Turn(game, car)).costs()
    if key == "tokens":
        from shared_rules.games.fast_and_furious import setup_once
        return str(setup_once.tokens(game, car))
    if key == "to go" and game.tag:
        from shared_rules.games.fast_and_furious import tag
        return str(tag.to_go(game, tag.runner(game, (car.number - 1) % 2 + 1)) if car.status != OUT else car.to_go)
    simple = (
        ("gear", car.gear), ("turns", car.turns), ("crossings", car.crossings), ("base", game.base(car)),
        ("penalties", car.penalties), ("limit", game.limit(car)),
        ("speed", now.speed_value() if now and now.chosen >= 0 else "-"),
        ("remaining", car.left if car.status == DONE else "-"), ("last", car.last if car.last >= 0 else "-"),
        ("upgrades", _counts(game.chosen[car.number - 1] if game.chosen and game.phase == "upgrades" else car.upgrades)),
        ("spent", _counts(car.spent)), ("driver", car.driver or "none"), ("damage", car.damage),
        ("control", car.control or (now.control if now else 0)),
        ("block", game.track.space_name(car.block) if car.block >= 0 else "none"),
        ("paused", "yes" if car.paused else "no"), ("to go", game.to_go(car)),
        ("place", [row[2] for row in game.standings() if row[1] == car.number][0]), ("team", (car.number - 1) % 2 + 1),
    )
    return dict(simple)[key] if isinstance(dict(simple)[key], str) else str(dict(simple)[key])


def _sees(game, seat):
    """What the game's ``private`` tells, without its sentences."""
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
        ("stage", now.stage if now else "over" if game.phase == "over" or game.phase == RACE and game.over() else "setup"),
        ("set", "%d %d" % now.set if now and now.set else "none"),
        ("flipped", _listed(sorted(now.speeds)) if now else "none"),
        ("deck", len(game.deck) // 2), ("deck cards", _listed([pile_once.word(card) for card in data.cards(game.deck)])),
        ("discards", len(pile_once.discards(game)) // 2 if not game.by_table else 0), ("control", len(game.control)),
        ("obstacles", _obstacles(game)), ("cards", len(pile_once.deck()) // 2),
        ("drivers", " ".join(box_once.drivers(game.box))), ("upgrades", box_once.upgrades(game.track)),
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
        card = pile_once.card_of(words[1])
        speeds = _listed([box.speed(card, gear) for gear in range(1, data.GEARS + 1)])
        return "speeds %s minimum %d nitrous %d" % (speeds, box.minimum(int(card[0])), box.nitrous(card))
    if words[0] == "list":
        one = [card for card in data.cards(pile_once.deck()) if card[0] == "1"]
        nitrous = words[1] == "nitrous"
        return _listed(sorted([box.nitrous(card) if nitrous else box.speed(card, int(words[1])) for card in one]))
    if words[0] == "minimum":
        return str(box.minimum(int(words[1])))
    if words[0] == "icons":
        return _listed([speed for speed in box.values(int(words[1])) if speed <= data.ICONS[int(words[1])]])
    if words[1] == "control":
        return _listed(sorted([data.DIGITS.index(token) for token in box_once.control(box)]))
    counts = (("obstacles", box_once.OBSTACLES), ("upgrades", box_once.UPGRADES_IN_BOX), ("block", box_once.BLOCKS))
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
        there = [to for to in [course.ahead[space]] + course.branches(space) if to != NONE]
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
