"""Compliance checks of play: prompts, answers accepted and refused, the end, what is shown."""

import json
import re

from racing import copied, facts

from shared_rules import notation, proof, rewind
from shared_rules.chance import Chance
from shared_rules.errors import BadText, Refused
from shared_rules.setup import Setup

GARBAGE = ("", " ", "hop", "roll roll roll", "go zz", "go 99999a", "flip 9 9 9", "play none none", "undo 0", "undo 999999",
           "undo -1", "correct", "correct 1", "correct 999999 roll 1", "source", "source dice", "source decks table",
           "number 999999", "order", "ok ok", "ü", "roll ٣", "go 1a\n", "x" * 500, None, 7, ["roll"])


def state(race):
    """Everything that a refused answer must leave unchanged; the events are read without taking them."""
    return [race.save(), race.digest(), race.public_digest(), race.lines, list(race._events),
            [prompt.serial for prompt in race.prompts], race.asking is None]


def must_refuse(race, seat, text):
    """The error with which the answer is refused, without changing anything."""
    before = state(race)
    try:
        race.answer(seat, text)
    except (Refused, BadText) as error:
        assert state(race) == before, f"the refused answer {text!r} of seat {seat} has changed the race"
        return error
    raise AssertionError(f"expected {text!r} of seat {seat} to be refused")


def each_place(subject, most=40):
    """(Playthrough, Step, Race) at places spread over every playthrough."""
    for played in subject.playthroughs():
        for step in played.some_steps(most):
            yield played, step, subject.load(step.save)


def check_every_option_is_accepted(subject):
    """Every offered option is accepted as it stands."""
    for _, _, race in each_place(subject):
        for prompt in race.prompts:
            for text in prompt.options()[:60]:
                kept = copied(race).answer(prompt.seat or 1, text)
                chance_decides = prompt.kind in ("roll", "draw") and prompt.source == "device"
                assert kept == text or (chance_decides and kept.startswith(text)), f"{text!r} became {kept!r}"
            assert prompt.options() or prompt.kind in ("roll", "draw"), f"{prompt.ask} offers nothing"


def check_samples_are_options(subject):
    """A random answer is one of the options, or a table's roll with too many to list."""
    chance = Chance("samples", "kit")
    for _, _, race in each_place(subject):
        for prompt in race.prompts:
            text = prompt.sample(chance)
            if prompt.options():
                assert text in prompt.options(), f"the random answer {text!r} isn't offered"
            copied(race).answer(prompt.seat or 1, text)


def check_every_near_miss_is_refused(subject):
    """Near misses are refused for the reason and clause that they name, and the clause is in the spec."""
    for _, _, race in each_place(subject):
        for prompt in race.prompts:
            for near in prompt.refused():
                assert near.text not in prompt.options(), f"{near.text!r} is both an option and a near miss"
                assert near.clause in subject.clauses, f"{near.text!r}: the spec has no clause {near.clause!r}"
                error = must_refuse(race, prompt.seat or 1, near.text)
                came = (error.reason, error.clause, error.args_)
                assert came == (near.reason, near.clause, near.args_), f"{near.text!r} is refused with {came}"


def check_clauses_of_prompts(subject):
    """Every prompt names a clause of the spec."""
    for _, _, race in each_place(subject):
        for prompt in race.prompts:
            assert prompt.clause in subject.clauses, f"{prompt.ask} comes from clause {prompt.clause!r}"


def check_garbage_is_refused(subject):
    """Nonsense is refused and changes nothing."""
    for _, _, race in each_place(subject, 12):
        for text in GARBAGE:
            must_refuse(race, race.prompts[0].seat or 1, text)
        options = sum([prompt.options() for prompt in race.prompts], [])
        for verb, form in [(verb, form) for form, verbs in notation.VERBS for verb in verbs.split()]:
            text = verb + {"number": " 77777", "space": " 9999h"}.get(form, "")
            if text not in options and verb not in ("undo", "leave", "roll", "draw"):
                must_refuse(race, race.prompts[0].seat or 1, text)


def check_the_wrong_seat_is_refused(subject):
    """Nobody answers for another seat."""
    for played, _, race in each_place(subject, 20):
        asked = [prompt.seat for prompt in race.prompts]
        texts = [prompt.sample(Chance("wrong", "kit")) for prompt in race.prompts]
        seats = len(played.plain["players"])
        for seat in [-1, seats + 1, "1", None] + [seat for seat in range(seats + 1) if seat not in asked and 0 not in asked]:
            for text in texts:
                must_refuse(race, seat, text)


def check_prompts_are_well_formed(subject):
    """At most one for each seat, in seat order, fresh serials, options in the notation, labels for all of them."""
    for played in subject.playthroughs():
        race = subject.race(played.plain)
        newest = 0
        for step in played.steps:
            prompts = race.prompts
            seats = [prompt.seat for prompt in prompts]
            assert seats == sorted(set(seats)), f"expected each seat once, in order, got prompts of seats {seats}"
            assert all(0 <= seat <= len(played.plain["players"]) for seat in seats), \
                f"seats that don't exist are asked: {seats}"
            cars = {car[0]: car[1] for car in race.game.cars()}
            for prompt in prompts:
                assert prompt.kind in ("roll", "draw", "choose", "number"), f"there are no prompts of kind {prompt.kind!r}"
                assert prompt.car == 0 or cars.get(prompt.car) == prompt.seat or prompt.seat == 0, \
                    f"seat {prompt.seat} is asked for car {prompt.car}"
                options = prompt.options()
                assert len(set(options)) == len(options) == len(prompt.labels()), \
                    f"{prompt.ask} offers something twice, or an option has no label: {options}"
                for text in options:
                    assert notation.canonical(text) == text, f"{text!r} is not canonical"
                prompt.forced()
            serials = [prompt.serial for prompt in prompts if prompt.serial > newest]
            newest = max([newest] + serials)
            race.answer(step.seat, step.given)


def check_always_a_prompt_until_the_end(subject):
    """Something is asked until the race is over, and nothing afterwards."""
    for played in subject.playthroughs():
        for step in played.steps:
            assert step.prompt is not None, f"nothing was asked before line {step.lines + 1}"
        race = copied(played.race)
        assert race.over and race.prompts == [], "at the podium something is still asked"
        for text in ("roll", "undo", "leave", "ok"):
            must_refuse(race, 1, text)


def check_random_play_ends(subject):
    """Random hands, with an undo now and then, reach the podium from any seed."""
    for plain in subject.plains:
        for seed in range(4):
            changed = dict(plain)
            changed["seed"] = "end-%d" % seed
            setup = Setup.from_plain(changed, subject.track, subject.game_class)
            race = proof.random_race(setup, subject.track, "hands-%d" % seed, None, subject.game_class)
            assert race.over, f"the race of seed {changed['seed']} doesn't end"


def check_the_inventory_is_conserved(subject):
    """Cards, tokens and cars neither appear nor vanish."""
    for played in subject.playthroughs():
        race = subject.race(played.plain)
        first = race.game.inventory()
        for step in played.steps:
            turns = race.turns
            race.answer(step.seat, step.given)
            if race.turns != turns or race.over:
                assert race.game.inventory() == first, f"something appears or vanishes with {step.kept!r}"


def check_standings_rank_everybody_once(subject):
    """Places 1 to n, every car or seat once, at every moment; a place may be shared if the game says so. Cars
    without a driver may be among them, with seat 0."""
    for played in subject.playthroughs():
        race = subject.race(played.plain)
        whom = None
        for step in [None] + played.steps:
            if step:
                race.answer(step.seat, step.given)
            rows = race.standings()
            places = [row[2] for row in rows]
            for at, place in enumerate(places):
                shared = subject.game_class.SHARES_PLACES and at and place == places[at - 1]
                assert place == at + 1 or shared, \
                    f"expected places from 1 on, shared only where the game says so, got {places}"
            ranked = sorted([row[0], row[1]] for row in rows)
            whom = whom or ranked
            assert ranked == whom and len({tuple(pair) for pair in ranked}) == len(ranked), \
                f"expected everybody once, as on the grid, got {ranked}"
            assert {row[0] for row in rows} - {0} == set(range(1, len(played.plain["players"]) + 1)), \
                f"a player is missing from the standings {rows}"
            assert all(type(number) is int for row in rows for number in row), \
                f"standings must be whole numbers, got {rows}"


def check_the_lap_stays_in_its_limits(subject):
    """The lap counter shows 1 to the number of laps, and never goes back; always 0 in a game without laps."""
    for played in subject.playthroughs():
        race = subject.race(played.plain)
        before = race.lap
        for step in played.steps:
            race.answer(step.seat, step.given)
            scene = race.scene()
            lap = race.lap
            assert lap == 0 if before == 0 else before <= lap <= race.laps, f"lap {lap} of {race.laps} after {before}"
            assert (scene.lap, scene.laps) == ((lap, race.laps) if lap else (0, 0)), \
                f"the scene shows lap {scene.lap} of {scene.laps}"
            before = lap


EVENTS = {"rolled": 3, "drew": 3, "flipped": 3, "moved": 2, "lap": 2, "finished": 2, "out": 1, "grid": 2, "turn": 1,
          "left": 1, "undone": 1, "kept": 1, "corrected": 1, "spent": 3, "bumped": 2,
          "contact": 1, "sideslip": 1, "wheelie": 1, "called": 2, "crossed": 2, "told": 1}


def check_scenes_are_sound(subject):
    """Cars on existing spaces, known events, everything once: events are gone once taken."""
    for played in subject.playthroughs():
        race = subject.race(played.plain)
        cars = [row[0] for row in race.game.cars()]
        for step in played.steps:
            scene = race.scene()
            events = race.take_events()
            assert [row[0] for row in scene.cars] == cars, \
                f"the scene shows cars {[row[0] for row in scene.cars]}, expected {cars}"
            for car, space, status in scene.cars:
                assert -1 <= space < subject.track.count and status in ("run", "done", "out"), \
                    f"car {car} is {status!r} on space {space}"
            for space, word in scene.marks:
                assert 0 <= space < subject.track.count and isinstance(word, str), f"a mark {word!r} on space {space}"
            for seat, car, key, value, most in scene.dials:
                assert 0 <= value <= most, f"{key} of seat {seat}, car {car}: {value} of {most}"
            for event in events:
                assert event[0] in EVENTS and len(event) == EVENTS[event[0]] + 1, f"no such event: {event}"
                if event[0] == "moved":
                    assert event[1] in cars and all(0 <= space < subject.track.count for space in event[2]), \
                        f"no car moves like this: {event}"
            assert all(isinstance(text, str) for text in proof.scene_texts(scene, events)), \
                "a text of the scene isn't valid"
            assert race.take_events() == [] and not race.untold, "events come again after they were taken"
            race.answer(step.seat, step.given)


def check_bots_are_legal_everywhere(subject):
    """The bot's answer is accepted at every prompt, and bots alone reach the podium."""
    for _, _, race in each_place(subject):
        for prompt in race.prompts:
            if prompt.kind in ("roll", "draw") and prompt.source == "table":
                continue
            text = race.bot_answer(prompt.seat)
            assert text == race.bot_answer(prompt.seat), "the bot answers differently when asked twice"
            copied(race).answer(prompt.seat, text)
    for plain in subject.plains:
        if plain["decks"] == "table":
            continue
        race = subject.race(plain, players=[["bot", name] for _, name in plain["players"]])
        for _ in range(proof.MOST_ANSWERS):
            if race.over:
                break
            race.answer(race.prompts[0].seat, race.bot_answer(race.prompts[0].seat))
        assert race.over, "the race of bots doesn't end"


def check_everybody_may_leave_at_any_time(subject):
    """Whoever leaves, whenever: the race goes on to its end without them."""
    for played, _step, race in each_place(subject, 25):
        for seat in range(1, len(played.plain["players"]) + 1):
            left = copied(race)
            left.answer(seat, "leave")
            turns = left.turns
            chance = Chance("left", "kit")
            while not left.over:
                prompt = left.prompts[0]
                assert prompt.seat != seat, f"seat {seat} has left and is asked {prompt.ask}"
                gone = prompt.seat == 0 and not [s for s in left.setup.seats() if s not in left.left]
                left.answer(0 if gone else prompt.seat or (seat % len(played.plain["players"]) + 1), prompt.sample(chance))
                assert left.lines < proof.MOST_ANSWERS, "the race doesn't end after somebody has left"
            assert left.turns >= turns and seat in left.left, \
                f"seat {seat} has left and isn't among those who left, or the turns went back"
            assert subject.replay(left.journal())["problem"] is None, \
                f"the journal of a race that seat {seat} left doesn't replay"
            assert {row[0] for row in left.standings()} - {0} == set(range(1, len(played.plain["players"]) + 1)), \
                f"a player is missing from the standings when seat {seat} has left"


def check_the_others_keep_their_order(subject):
    """A player leaves at the boundary of two turns, and the others keep their order."""
    for played in subject.playthroughs():
        race = subject.race(played.plain)
        for step in played.steps:
            if not race.pending_answers() and race.ring[-1][0] == race.taken_count():
                values = json.loads(race.ring[-1][1])[-1]
                for seat in race.setup.seats():
                    game = subject.game_class(race.setup, subject.track, Chance("leave", "kit")).load(json.loads(
                        json.dumps(values)))
                    order = [row[:2] for row in game.standings() if row[0] != seat]
                    things = game.inventory()
                    game.leave(seat)
                    came = [row[:2] for row in game.standings() if row[0] != seat]
                    assert came == order, f"seat {seat} left after line {step.lines}: {order} became {came}"
                    assert game.inventory() == things, \
                        f"something appears or vanishes when seat {seat} leaves after line {step.lines}"
            race.answer(step.seat, step.given)


def check_sources_change_at_the_next_turn(subject):
    """Dice change hands only between turns, decks never."""
    for played, _step, race in each_place(subject, 12):
        if race.pending_answers():
            continue
        must_refuse(race, 1, "source decks table")
        other = "device" if race._dice_source == "table" else "table"
        sources = [prompt.source for prompt in race.prompts]
        race.answer(1, "source dice " + other)
        assert [prompt.source for prompt in race.prompts] == sources, "dice change hands in the middle of a turn"
        turns = race.turns
        chance = Chance("sources", "kit")
        while not race.over and race.turns < turns + 3:
            for prompt in race.prompts:
                if prompt.kind == "draw":
                    assert prompt.source == ("device" if race.setup.is_bot(prompt.seat) else played.plain["decks"]), \
                        f"{prompt.ask} is drawn from the deck of the {prompt.source}"
                if prompt.kind == "roll":
                    person = not race.setup.is_bot(prompt.seat)
                    dice = other if race.turns > turns else played.plain["dice"]
                    assert prompt.source == (dice if person else "device"), \
                        f"{race.turns - turns} turns later the dice belong to the {prompt.source}"
            race.answer(race.prompts[0].seat or 1, race.prompts[0].sample(chance))
        assert subject.replay(race.journal(True))["problem"] is None, \
            "the journal of a race whose dice changed hands doesn't replay"


def _holes(sentence):
    return [int(number) for number in re.findall(r"\{([0-9]+)\}", sentence)]


def _must_be_text(subject, key, args):
    assert key in subject.texts, f"the texts have no {key}"
    holes = _holes(subject.texts[key])
    assert max(holes, default=-1) < len(args), f"{key} wants argument {max(holes, default=0)}, got {len(args)}"
    for arg in args:
        assert type(arg) in (int, str), f"{key} gets {arg!r}"
        if isinstance(arg, str) and arg.startswith("@"):
            assert arg[1:] in subject.texts, f"{key} names the text {arg}"


def check_every_text_is_there(subject):
    """All keys that reach a player are in the text file, with enough arguments."""
    for played in subject.playthroughs():
        for step in played.steps:
            race = subject.load(step.save)
            for prompt in race.prompts:
                _must_be_text(subject, prompt.ask, prompt.args)
                for told in [prompt.note] + prompt.labels():
                    if told:
                        _must_be_text(subject, told[0], told[1:])
                for near in prompt.refused():
                    _must_be_text(subject, near.reason, near.args_)
            scene = race.scene()
            for line in scene.lines + [event[1] for event in race.take_events() if event[0] == "told"]:
                _must_be_text(subject, line[0], line[1:])
            for dial in scene.dials:
                _must_be_text(subject, dial[2], ())
            for seat in race.setup.seats():
                for line in race.view(seat)["private"]:
                    _must_be_text(subject, line[0], line[1:])
            for car in race.game.cars():
                _must_be_text(subject, car[2], ())
    race = subject.load(subject.playthroughs()[0].steps[-1].save)
    for text in [text for text in GARBAGE if isinstance(text, str)]:
        error = must_refuse(race, 1, text)
        if isinstance(error, Refused):
            _must_be_text(subject, error.reason, error.args_)


def check_cars_can_be_told_apart(subject):
    """Every car has its number, its seat, a colour known to the lights and a rhythm."""
    colours = ("blue", "yellow", "red", "green", "white", "orange", "cyan", "magenta")
    for plain in subject.plains:
        cars = subject.race(plain).game.cars()
        assert [car[0] for car in cars] == list(range(1, len(cars) + 1)), \
            f"expected cars from 1 on, got {[car[0] for car in cars]}"
        assert all(0 <= car[1] <= len(plain["players"]) for car in cars), \
            f"a car belongs to a seat that doesn't exist: {cars}"
        assert all(car[3] in colours and 0 <= car[4] <= 7 for car in cars), \
            f"a colour or rhythm that the lights don't know: {cars}"
        assert len({(car[3], car[4]) for car in cars}) == len(cars), f"two cars look alike: {cars}"


def _held(thing, seen=None):
    """Everything an object of the rules holds, as plain data; functions and what they close over are left out."""
    seen = seen or []
    if any(thing is one for one in seen):
        return "itself"
    if isinstance(thing, (list, tuple)):
        return [_held(part, seen + [thing]) for part in thing]
    if isinstance(thing, dict):
        return [[key, _held(value, seen + [thing])] for key, value in thing.items()]
    if hasattr(thing, "__dict__") and not callable(thing):
        return [[key, _held(value, seen + [thing])] for key, value in sorted(vars(thing).items())
                if key not in ("setup", "track")]
    return thing if isinstance(thing, (int, str, bytes, bytearray, type(None))) else type(thing).__name__


def check_whoever_looks_changes_nothing(subject):
    """Standings, views, scenes, events, near misses, journal and the bots' answers: read twice, they are the
    same, and the race holds what it held before."""
    for _, step, race in each_place(subject, 15):
        if step.lines % 2:                         # something has happened that nobody has taken yet
            race.answer(race.prompts[0].seat or 1, race.prompts[0].sample(Chance("looks", "kit")))
        thinks = [prompt.seat for prompt in race.prompts
                  if prompt.seat and not (prompt.kind in ("roll", "draw") and prompt.source == "table")]
        thought = [race.bot_answer(seat) for seat in thinks]  # bots may remember what they have worked out about the course
        before = [facts(race), state(race), _held(race.game), proof.scene_texts(race.scene(), race._events)]
        for _ in range(2):
            race.lap, race.laps, race.untold, race.standings(), race.code(), race.game.podium(), race.game.cars()
            race.game.inventory(), race.journal(), race.snapshot(), race.bookmark(), race.pending_answers()
            for seat in race.setup.seats():
                assert race.view(seat) == race.view(seat), f"seat {seat} sees something different the second time"
                race.game.private(seat), rewind.undo_count(race, seat)
            for prompt in race.prompts:
                assert [near.text for near in prompt.refused()] == [near.text for near in prompt.refused()], \
                    f"{prompt.ask} names different near misses the second time"
                prompt.plain(), prompt.labels(), prompt.forced()
                for at in range(len(prompt.options()) if prompt.costs else 0):
                    prompt.costs(at)
                if prompt.told:
                    prompt.told()
            assert [race.bot_answer(seat) for seat in thinks] == thought, "looking at a race changes a bot's thoughts"
        came = [facts(race), state(race), _held(race.game), proof.scene_texts(race.scene(), race._events)]
        assert came == before, "looking at a race changes it"
