"""The compliance kit: what every game owes the engine, as checks; one line of test makes a game pass them.

    TestBasic = compliance.suite("moto_grand_prix")

makes a class of tests, one for each check. The checks are functions ``check_…(subject)`` in ``compliance_play``,
``compliance_places``, ``compliance_secrets`` and ``compliance_same``; they raise AssertionError.
"""

import tomllib
from pathlib import Path

import compliance_places
import compliance_play
import compliance_same
import compliance_secrets
import racing

from gridglow.texts import text_files
from gridglow.tracks import list_tracks, load_track
from shared_rules import games, proof
from shared_rules.errors import BadSetup
from shared_rules.race import Race
from shared_rules.setup import Setup

ROOT = Path(__file__).resolve().parents[3]
MODULES = (compliance_play, compliance_places, compliance_secrets, compliance_same)
#: How many places of each question are examined in a race, if it comes that often.
OF_A_QUESTION = 3
CHECKS = [getattr(module, name) for module in MODULES for name in vars(module) if name.startswith("check_")]


class Step:
    """One answer of a playthrough: the question, the answer, and the race before and after."""

    def __init__(self, race, seat, given):
        self.save = race.save()
        self.snapshot = race.snapshot()
        self.prompt = race.prompt_of(seat)
        self.options = self.prompt.options()
        self.seat = seat
        self.given = given
        self.lines = race.lines
        self.taken = race.taken_count()
        self.waiting = len(race.pending_answers())
        self.facts = racing.facts(race)
        self.kept = race.answer(seat, given)


class Playthrough:
    """A race of a set-up, played to its end, always answering the first open prompt first."""

    def __init__(self, subject, plain, seed="playthrough"):
        self.plain = plain
        race = subject.race(plain)
        self.steps = []
        chance = racing.Chance(seed, "hands")
        while not race.over:
            assert len(self.steps) < proof.MOST_ANSWERS, "the race doesn't end"
            assert race.prompts, "the race isn't over, but nothing is asked"
            prompt = race.prompts[0]
            self.steps.append(Step(race, prompt.seat or 1, prompt.sample(chance)))
        self.race = race
        self.log = [race.log_text(number) for number in range(1, race.lines + 1)]

    def some_steps(self, most):
        """About this many steps, spread over the race, including the last one and some of each question: if
        questions come in turn, a fixed stride alone could always skip the same ones."""
        stride = max(1, -(-len(self.steps) // most))
        picked = set(range(len(self.steps) - 1, -1, -stride))
        places = {}
        for at, step in enumerate(self.steps):
            places.setdefault(step.prompt.ask, []).append(at)
        for of_ask in places.values():
            lacking = OF_A_QUESTION - len(picked.intersection(of_ask))
            others = [at for at in of_ask if at not in picked]
            if lacking > 0 and others:
                picked.update(others[::-max(1, len(others) // lacking)][:lacking])
        return [self.steps[at] for at in sorted(picked)]


class Subject:
    """A game, and everything that the checks need to know about it."""

    def __init__(self, game_class, pack, plains, clauses, texts):
        self.game_class = game_class
        self.pack = pack
        self.track = racing.Track.unpack(pack)
        self.plains = plains
        self.clauses = clauses
        self.texts = texts
        self._played = {}

    def race(self, plain, **more):
        """A new race of a set-up."""
        changed = dict(plain)
        changed.update(more)
        setup = Setup.from_plain(changed, self.track, self.game_class)
        return Race(setup, self.track, None, self.game_class)

    def load(self, save):
        """The race in a save."""
        return Race.load(save, self.track, self.game_class)

    def replay(self, text):
        """What ``proof.replay`` finds in a journal."""
        return proof.replay(text, self.track, self.game_class)

    def playthroughs(self):
        """A Playthrough of each set-up; played once, and never changed."""
        for at, plain in enumerate(self.plains):
            if at not in self._played:
                self._played[at] = Playthrough(self, plain)
        return [self._played[at] for at in range(len(self.plains))]


def some_setups(game_class, track, variant=None):
    """Set-ups that show much of a game: few people with the board's dice, people and bots with real dice and
    the options' last values, and hands held at the table if the game has any."""
    few, most = game_class.SEATS
    last = [[key, values[-1]] for key, values, _ in game_class.OPTIONS]
    wanted = [
        {"who": "P" * max(few, min(2, most))},
        {"who": ("PBP" + "P" * most)[:max(few, min(3, most))], "dice": "table", "options": last},
    ]
    if game_class.DECKS:
        wanted.append({"who": "P" * max(few, min(3, most)), "decks": "table"})
    plains = []
    for more in wanted:
        plain = racing.plain_setup(game_class.ID, seed="a-seed-%d" % len(plains), salt="some-salt",
                                   variant=variant or game_class.VARIANTS[0], **more)
        if not game_class.LAPS:
            plain["laps"] = track.laps
        plains.append(_first_that_fits(game_class, track, plain))
    return plains


def _first_that_fits(game_class, track, plain):
    """The set-up, or if refused without its options, or with one more player: teams may need an even number."""
    another = dict(plain, players=plain["players"] + [["person", "Another"]])
    for tried in (plain, dict(plain, options=[]), another, dict(another, options=[])):
        try:
            return Setup.from_plain(tried, track, game_class).plain()
        except BadSetup as error:
            wrong = error
    raise wrong


def clauses_of(game):
    """The ids of the clauses in a game's spec."""
    spec = tomllib.loads((ROOT / "shared_rules" / "spec" / (game + ".toml")).read_text(encoding="utf-8"))
    return {clause["id"] for clause in spec["clause"]}


def texts_of(*files):
    """{"section.name": sentence} of the text files."""
    found = {}
    for file in (*text_files("en"), *files):
        for section, sentences in tomllib.loads(file.read_text(encoding="utf-8")).items():
            found.update({section + "." + name: sentence for name, sentence in sentences.items()})
    return found


def subject_of(game, variant=None, track=None):
    """The Subject of a real game: with its shortest track for the variant, or with the named one."""
    game_class = games.load(game)
    variant = variant or game_class.VARIANTS[0]
    compiled = [load_track(track)] if track else [load_track(one.id) for one in list_tracks(game)]
    fitting = []
    for one in compiled:
        try:
            fitting.append((one.track.rows, one.id, one.pack, some_setups(game_class, one.track, variant)))
        except BadSetup:
            continue
    assert fitting, f"there is no track for {game} {variant}"
    _, _, pack, plains = min(fitting)
    return Subject(game_class, pack, plains, clauses_of(game), texts_of())


def subject_of_class(game_class, clauses, texts=(), **track):
    """The Subject of a game that isn't a real one: its class, its clauses and its text files."""
    pack = racing.track_pack(game_class.ID, **track)
    plains = some_setups(game_class, racing.Track.unpack(pack))
    return Subject(game_class, pack, plains, set(clauses), texts_of(*texts))


def suite(game, variant=None, track=None):
    """A class of tests: every check, for a game's id, or for the Subject that a function makes for the first test."""
    made = []

    def subject():
        if not made:
            made.append(subject_of(game, variant, track) if isinstance(game, str) else game())
        return made[0]

    def test_of(check):
        def test(self):
            check(subject())
        test.__doc__ = check.__doc__
        return test

    return type("TestCompliance", (), {check.__name__.replace("check_", "test_"): test_of(check) for check in CHECKS})
