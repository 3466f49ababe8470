"""MotoGrandPrix, in the order of its rulebook: set-up, pole position, the race, the game turn, winning.

The ids in brackets are clauses of the spec, ``shared_rules/spec/moto_grand_prix.toml``.
"""

from shared_rules.game import Game as BaseGame
from shared_rules.games.moto_grand_prix import data
from shared_rules.games.moto_grand_prix.about import About
from shared_rules.games.moto_grand_prix.bike import FINISHED, GARAGE, OUT, RACING, STRAIGHT, Bike
from shared_rules.games.moto_grand_prix.circuit import Circuit
from shared_rules.games.moto_grand_prix.flips import Flips
from shared_rules.prompts import D6, Choose, Roll

POLE = "pole"
QUALIFYING = "qualifying"
RACE = "race"

BASIC = "basic"
EXPERT = "expert"

_STATUS = ((GARAGE, "run"), (RACING, "run"), (FINISHED, "done"), (OUT, "out"))


class Game(About, BaseGame):
    """One race."""

    LOW_DIALS = data.DIALS

    fields = ("phase", "game_turn", "lap_counter", "bikes", "to_act", "gone")
    records = (("bikes", Bike),)

    # SET-UP

    def __init__(self, setup, track, deal):
        super().__init__(setup, track, deal)
        self.circuit = Circuit(track)
        self.phase = POLE
        self.game_turn = 0
        self.lap_counter = 1
        self.to_act = []
        self.gone = []
        self.bikes = []
        for seat in setup.seats():
            for rider in range(int(setup.option("bikes"))):
                self._add_bike(seat, rider)

    def _add_bike(self, seat, rider):
        """A player's bike in the colour of the team (MG-05); with one bike each, the fourth player rides with
        the first, and so on."""
        team = data.TEAMS[(seat - 1) % len(data.TEAMS)]
        if seat > len(data.TEAMS):
            rider = 1
        self.bikes.append(Bike.new(len(self.bikes) + 1, seat, team, rider))

    def turn(self):
        """The pole roll, then the turn of one bike after another."""
        if self.phase == POLE:
            yield from self.determine_pole_position()
        elif self.setup.variant == BASIC:          # doors: a Basic race never loads the other variants' rules, see `code`
            from shared_rules.games.moto_grand_prix import basic
            yield from basic.bike_turn(self, self.bike(self.to_act[0]))
        else:
            from shared_rules.games.moto_grand_prix import standard
            yield from standard.bike_turn(self, self.bike(self.to_act[0]))

    def code(self):
        """The rules of this variant."""
        return ("movement", "basic") if self.setup.variant == BASIC else ("expert", "riding", "standard")

    def is_expert(self):
        """Whether the Expert rules are on."""
        return self.setup.variant == EXPERT

    def roll_together(self, numbers, ask, clause):
        """Rolls two dice for each of these bikes: returns a list of (number, faces). All seats roll at the same time; a
        player with two bikes rolls for one after the other."""
        out = []
        waiting = [self.bike(number) for number in sorted(numbers)]
        while waiting:
            rolling = []
            for bike in waiting:
                if bike.seat not in [other.seat for other in rolling]:
                    rolling.append(bike)
            waiting = [bike for bike in waiting if bike not in rolling]
            rolled = yield [Roll(bike.seat, [D6, D6], ask, (), bike.number, clause) for bike in rolling]
            for bike, faces in zip(rolling, rolled):
                out.append((bike.number, faces))
        return out

    # DETERMINING POLE POSITION (MG-09), and the grid after a qualifying lap (MG-23)

    def determine_pole_position(self):
        """Everybody rolls two dice without flipping; the highest gets the pole. Those who tie roll again among
        themselves."""
        order = [[bike.number for bike in self.bikes]]
        while any([len(tied) > 1 for tied in order]):
            rolling = []
            for tied in order:
                rolling += tied if len(tied) > 1 else []
            rolled = yield from self.roll_together(rolling, "moto_grand_prix.ask_pole", "MG-09")
            order = _split_ties(order, [(number, sum(faces)) for number, faces in rolled])
        for at, tied in enumerate(order):
            self.put_on_grid(self.bike(tied[0]), at + 1)
        lap = self.setup.option("qualifying") == "lap" and self.setup.variant != BASIC
        self.phase = QUALIFYING if lap else RACE
        self.new_game_turn()

    def put_on_grid(self, bike, start):
        """Puts a bike at its start position, 1 for the pole, with a full dashboard."""
        bike.space = self.circuit.start_position(start)
        bike.status = RACING
        bike.crossings = bike.place = 0
        bike.refill()
        self.event("grid", bike.number, bike.space)

    def end_qualifying(self):
        """The ranking of the qualifying lap is the grid of the race (MG-23)."""
        for at, bike in enumerate(self.ranking()):
            if bike.seat not in self.gone:
                self.put_on_grid(bike, at + 1)
        self.phase = RACE
        self.game_turn = 0

    # THE RACE: who acts when (MG-10)

    def race_order(self):
        """The bikes on the track, the leader first; of two in the same row the one on the darker
        position first."""
        running = [bike for bike in self.bikes if bike.on_track]
        running.sort(key=self._order_key)
        return running

    def _order_key(self, bike):
        return (-self.distance(bike), self.circuit.rank(bike.space), bike.number)

    def distance(self, bike):
        """Rows that a bike has come, laps included: lapped bikes are behind, wherever they stand."""
        return bike.crossings * self.track.rows + self.track.row(bike.space)

    def new_game_turn(self):
        """The bikes act in the order at the moment when the turn begins."""
        if self.phase == QUALIFYING and not self.race_order():
            self.end_qualifying()
        self.game_turn += 1
        self.to_act = [bike.number for bike in self.race_order()]
        if self.to_act:
            self.event("turn", self.game_turn)

    def start_turn(self):
        """Whether this is the Start Turn of the Standard rules (MG-24)."""
        return self.game_turn == 1

    # THE GAME TURN (MG-11): roll dice, flip dice, move; see basic.py and standard.py

    def flip_dice(self, bike, faces):
        """2) FLIP DICE: brake as you like, accelerate as the position at the start of the move allows
        (MG-12 to MG-14). Returns the faces that count."""
        flips = Flips(faces, self.circuit.difficulty(bike.space))
        ask = "moto_grand_prix.ask_flip" if len(faces) == 2 else "moto_grand_prix.ask_flip_one"
        faces = yield Choose(
            bike.seat, flips.texts(), ask, tuple(faces), bike.number, "MG-12",
            note=flips.note(), values=flips.results(), labels=flips.labels,
            near=flips.near_misses, explain=flips.explain)
        self.event("flipped", bike.seat, bike.number, faces)
        return faces

    def spend(self, bike, field, points):
        """Takes points off a characteristic; below 1 the bike can't go on (MG-21, MG-22)."""
        if not points:
            return
        left = getattr(bike, field) - points
        setattr(bike, field, left)
        self.event("spent", bike.number, "moto_grand_prix.dial_" + field, points)
        if left < 1:
            self.retire(bike)

    def retire(self, bike):
        """Takes a bike off the track at once; it ranks behind the finishers and scores nothing (MG-22)."""
        bike.status = OUT
        bike.space = -1
        bike.place = 0
        self.to_act = [number for number in self.to_act if number != bike.number]
        self.event("out", bike.number)

    def take_stance(self, bike, contact):
        """After its move a bike leans on a corner and is upright on a straight; after a contact it is upright on a
        corner, too (MG-38, MG-39)."""
        if not self.is_expert():
            return
        from shared_rules.games.moto_grand_prix.expert import stance_of_tile  # a Basic race never loads it
        bike.stance = STRAIGHT if contact else stance_of_tile(self, bike.space)

    def drive(self, bike, path):
        """Moves the bike along the path, over the line if it leads there (MG-18)."""
        if self.track.row(path[-1]) < self.track.row(path[0]):
            bike.crossings += 1
        bike.space = path[-1]
        if len(path) > 1:
            self.event("moved", bike.number, path)
        lap = min(bike.crossings, self.laps_to_go())
        if lap > self.lap_counter:
            self.lap_counter = lap
            self.event("lap", lap, self.setup.laps)

    # WINNING THE GAME (MG-17, MG-18)

    def laps_to_go(self):
        """Laps of the race, or the one qualifying lap."""
        return 1 if self.phase == QUALIFYING else self.setup.laps

    def has_finished(self, bike):
        """Whether a bike is home; the grid is behind the line, so the first crossing completes no lap."""
        return bike.crossings > self.laps_to_go()

    def end_of_turn(self):
        """Once all have acted, bikes over the finish line are ranked, the most forward first, and leave the
        track; then a new turn begins."""
        if self.to_act:
            return
        for bike in [bike for bike in self.race_order() if self.has_finished(bike)]:
            bike.place = 1 + len([other for other in self.bikes if other.place])
            bike.status = FINISHED
            self.event("finished", bike.number, bike.place)
        for bike in self.bikes:
            if bike.status == FINISHED:
                bike.space = -1
        self.new_game_turn()

    def over(self):
        """Whether the last bike is over the line; all play on until then."""
        return self.phase == RACE and not self.race_order()

    def leave(self, seat):
        """A player leaves: their bikes are taken off and rank behind the finishers."""
        self.gone.append(seat)
        for bike in self.bikes:
            if bike.seat == seat and bike.status in (GARAGE, RACING):
                self.retire(bike)
        if self.phase != POLE:
            self.end_of_turn()

    # Questions about the race

    def bike(self, number):
        """The bike with this number."""
        return self.bikes[number - 1]

    def lap(self):
        """What the lap counter shows (MG-18)."""
        return self.lap_counter

    def ranking(self):
        """The bikes, best first: those that have finished, those on the track, those in the garage, those
        that are out."""
        finished = [bike for bike in self.bikes if bike.place]
        finished.sort(key=lambda bike: bike.place)  # unique: each place is given once
        waiting = [bike for bike in self.bikes if bike.status == GARAGE]
        racing = [bike for bike in self.race_order() if not bike.place]
        return finished + racing + waiting + [bike for bike in self.bikes if bike.status == OUT]

    def standings(self):
        """[seat, car, place, points] of the riders' championship (MG-37); a bike that is out scores nothing."""
        out = []
        for at, bike in enumerate(self.ranking()):
            points = 0 if bike.status == OUT else data.points(at + 1)
            out.append([bike.seat, bike.number, at + 1, points])
        return out

    def teams(self):
        """[team, points] of the team championship, best first: a team has what its riders have (MG-37)."""
        out = []
        for at, team in enumerate(data.TEAMS):
            numbers = [bike.number for bike in self.bikes if bike.team == team]
            points = sum([row[3] for row in self.standings() if row[1] in numbers])
            if numbers:
                out.append((-points, at, team))
        return [[team, -points] for points, _, team in sorted(out)]

    def cars(self):
        """Each bike with its name, its team's colour and a rhythm of its own."""
        return [[bike.number, bike.seat, "moto_grand_prix.bike_%s_%d" % (bike.team, bike.rider + 1), bike.team,
                 bike.number - 1] for bike in self.bikes]

    def scene(self, scene):
        """Bikes, lap counter, and each bike's lap on its dial."""
        for bike in self.bikes:
            status = [word for name, word in _STATUS if name == bike.status][0]
            scene.cars.append([bike.number, bike.space, status])
            if self.setup.variant == BASIC:
                lap = min(max(1, bike.crossings), self.setup.laps)
                scene.dials.append([bike.seat, bike.number, "moto_grand_prix.dial_lap", lap, self.setup.laps])
            else:
                for key, has in zip(data.DIALS, (bike.front, bike.rear, bike.engine)):
                    scene.dials.append([bike.seat, bike.number, key, max(0, has), data.FULL])
        if self.over():
            for team, points in self.teams() if len(self.bikes) > len(self.teams()) else []:
                scene.lines.append(["moto_grand_prix.line_team", "@moto_grand_prix.team_" + team, points])
        elif self.phase == QUALIFYING:
            scene.lines.append(["moto_grand_prix.line_qualifying"])
        else:
            scene.lines.append(["moto_grand_prix.line_lap", self.lap_counter, self.setup.laps])
        if self.to_act:
            scene.lines.append(["moto_grand_prix.line_turn", self.game_turn, "car:%d" % self.to_act[0]])


def _split_ties(order, totals):
    """The groups of ``order``, each group that rolled again split by its totals, high first."""
    out = []
    for tied in order:
        if len(tied) == 1:
            out.append(tied)
            continue
        rolled = [(total, number) for number, total in totals if number in tied]
        for total in sorted(set([total for total, _ in rolled]), reverse=True):
            out.append(sorted([number for other, number in rolled if other == total]))
    return out
