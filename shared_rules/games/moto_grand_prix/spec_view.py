"""How the spec's vectors set up a race and look into it; no board loads this in a race."""

from shared_rules.games.moto_grand_prix.bike import OUT, RACING
from shared_rules.games.moto_grand_prix.rules import RACE


def arrange(game, state):
    """``bikes``: ["car space crossings", …], ``acted``: [car, …]; see spec/FORMAT.md."""
    game.phase = RACE
    for bike in game.bikes:
        bike.status, bike.space = OUT, -1
    for text in state["bikes"]:
        number, name, crossings = text.split(" ")
        bike = game.bike(int(number))
        bike.space = game.track.named(name)
        if bike.space < 0:
            raise KeyError(name)
        bike.crossings = int(crossings)
        bike.status = RACING
        game.take_stance(bike, False)
        game.lap_counter = max(game.lap_counter, min(bike.crossings, game.setup.laps))
    for text in state.get("dash", []):
        number, front, rear, engine = [int(word) for word in text.split(" ")]
        bike = game.bike(number)
        bike.front, bike.rear, bike.engine = front, rear, engine
    for text in state.get("stance", []):
        number, stance = text.split(" ")
        game.bike(int(number)).stance = stance
    game.game_turn = 0 if state.get("turn") == "start" else 1
    game.new_game_turn()
    game.to_act = [number for number in game.to_act if number not in state.get("acted", [])]
    game.end_of_turn()


def look(game, key):
    """See spec/FORMAT.md."""
    words = key.split(" ")
    if words[0] == "bike":
        return _look_bike(game, game.bike(int(words[1])), words[2:])
    if words[0] == "space":
        section = game.track.section(game.track.named(words[1]))
        tile = "%s %d" % (section.turn, section.difficulty) if section.difficulty else "straight"
        return "%s rank %d" % (tile, game.circuit.rank(game.track.named(words[1])))
    if words[0] == "team":
        return str([points for team, points in game.teams() if team == words[1]][0])
    if key == "lap":
        return str(game.lap_counter)
    if key == "to act":
        return " ".join([str(number) for number in game.to_act])
    if key == "rows":
        return str(game.track.rows)
    if key == "advice":
        from shared_rules.games.moto_grand_prix.advice import advise
        return " ".join([hint[0] for hint in advise(game.track)]) or "none"
    raise KeyError(key)


def _look_bike(game, bike, words):
    if words == ["crossings"]:
        return str(bike.crossings)
    if words == ["team"]:
        return bike.team
    if len(words) == 1 and words[0] in ("front", "rear", "engine", "stance"):
        return str(getattr(bike, words[0]))
    if words == ["place"]:
        return str([other.number for other in game.ranking()].index(bike.number) + 1)
    return game.track.space_name(bike.space) if bike.on_track else bike.status


def inventory(game):
    """All bikes are somewhere, no two in the same position."""
    spaces = [bike.space for bike in game.bikes if bike.on_track]
    twice = len(spaces) - len(set(spaces))
    return "%d bikes, %d in the place of another" % (len(game.bikes), twice)
