"""The Standard rules: start turn, braking point and cornering, contact, riding, redlining (MG-21 to MG-36)."""

from shared_rules.games.moto_grand_prix import expert
from shared_rules.games.moto_grand_prix.riding import Ride, cost_of, rows_of
from shared_rules.prompts import D6, Choose, Roll


def bike_turn(game, bike):
    """The turn of one bike, or the joint roll that comes before it."""
    if game.start_turn():
        yield from start_turn(game, bike)
        return
    group = joint_group(game, bike)
    if [other for other in group if not other.faces]:
        yield from joint_roll(game, group)
        return
    yield from normal_turn(game, bike)


# START TURN (MG-24)

def start_turn(game, bike):
    """One die, no check of the position and no effects."""
    faces = yield Roll(bike.seat, [D6], "moto_grand_prix.ask_start_roll", (), bike.number, "MG-24")
    faces = yield from game.flip_dice(bike, faces)
    yield from move(game, bike, Ride(game, bike, sum(faces)))
    end_of_bike_turn(game, bike)


# THE TURN (MG-25): check position, roll, flip, move, effects

def normal_turn(game, bike):
    """The five phases of a bike that isn't in a joint roll, or has finished with it."""
    modifier = expert.modifier(game, bike) if game.is_expert() else 0
    contact = bike.contact
    if contact:
        rolled = yield from discard(game, bike)
    elif bike.faces:
        rolled = bike.faces
    else:
        chain = []
        if game.is_expert():
            chain = yield from expert.slipstream(game, bike)
        rolled = yield Roll(bike.seat, [D6, D6], "moto_grand_prix.ask_roll", (), bike.number, "MG-25")
        for follower in chain:
            follower.faces = list(rolled)
    faces = yield from game.flip_dice(bike, rolled)
    ride = Ride(game, bike, max(0, sum(faces) + modifier), bike.slipping, bool(contact))      # (MG-40)
    yield from move(game, bike, ride)
    if bike.on_track:
        yield from effects(game, bike, rolled, faces, contact)
    end_of_bike_turn(game, bike)


def end_of_bike_turn(game, bike):
    """Ends this bike's turn; the next one is due."""
    bike.faces = []
    bike.contact = bike.slipping = 0
    game.to_act = [number for number in game.to_act if number != bike.number]
    game.end_of_turn()


# BRAKING POINT and CORNERING (MG-26, MG-27)

def is_duel_row(game, row):
    """Whether bikes that are side by side in this row roll for who goes first."""
    track = game.track
    here = track.is_corner(row)
    ahead = track.is_corner(row % track.rows + 1)
    if not here and ahead:
        return True
    if game.setup.option("cornering") == "last-corner":
        return here and not ahead
    return not here and track.is_corner((row - 2) % track.rows + 1)


def joint_group(game, bike):
    """The bikes in the row that haven't acted yet, in racing-line order; [] if there is no duel."""
    row = game.track.row(bike.space)
    if not is_duel_row(game, row):
        return []
    group = [game.bike(number) for number in game.to_act if game.track.row(game.bike(number).space) == row]
    group.sort(key=lambda other: (game.circuit.rank(other.space), other.number))
    return group if len(group) > 1 else []


def joint_roll(game, group):
    """All roll at the same time; the highest total goes first, bikes with the same total are in contact."""
    rolling = [bike for bike in group if not bike.faces]
    ask = "moto_grand_prix.ask_joint_roll"
    rolled = yield from game.roll_together([bike.number for bike in rolling], ask, "MG-26")
    for number, faces in rolled:
        game.bike(number).faces = faces
    totals = [sum(bike.faces) for bike in group]
    order = []
    for total in sorted(set(totals), reverse=True):
        tied = [bike for bike in group if sum(bike.faces) == total]
        for bike in tied:
            bike.contact = 1 if len(tied) > 1 else 0
        if len(tied) > 1:
            game.event("contact", [bike.number for bike in tied])
        order += tied
    numbers = [bike.number for bike in order]
    game.to_act = numbers + [number for number in game.to_act if number not in numbers]


# CONTACT (MG-28)

def discard(game, bike):
    """One of the two dice is given up; returns the other, as a list."""
    keep = yield Choose(
        bike.seat, ["discard 1", "discard 2"], "moto_grand_prix.ask_discard", tuple(bike.faces), bike.number, "MG-28",
        values=[[bike.faces[1]], [bike.faces[0]]],
        labels=lambda: [["moto_grand_prix.keep_die", bike.faces[1]], ["moto_grand_prix.keep_die", bike.faces[0]]])
    return keep


# BIKE MOVEMENT with RIDING (MG-29 to MG-35)

def move(game, bike, ride):
    """The end is chosen together with what is spent on it; a bike that can't pay for any end retires (MG-22)."""
    if not ride.values:
        yield Choose(bike.seat, ["retire"], "moto_grand_prix.ask_retire", (ride.points,), bike.number, "MG-22",
                     note=["moto_grand_prix.note_retire", ride.points])
        game.retire(bike)
        return
    value = yield Choose(
        bike.seat, ride.texts, "moto_grand_prix.ask_ride", (ride.points,), bike.number, "MG-31",
        note=["moto_grand_prix.note_bonus"] if ride.bonus else None,
        values=ride.values, labels=ride.labels, near=ride.near_misses, explain=ride.explain,
        costs=ride.costs)
    front, rear, engine = ride.spending(rows_of(value), cost_of(value))
    for field, points in (("front", front), ("rear", rear), ("engine", engine)):
        game.spend(bike, field, points)
    game.drive(bike, ride.path(value))
    game.take_stance(bike, ride.contact)


# EFFECTS OF MOVEMENT (MG-36; Expert: MG-45)

def effects(game, bike, rolled, faces, contact):
    """Doubles that were used: the Engine test, and in the Expert game losing grip."""
    double_six = len(faces) == 2 and faces[0] == 6 and faces[1] == 6
    if game.setup.option("redline") == "rolled" and rolled != faces:
        double_six = False
    if double_six:
        yield from redline(game, bike)
    if game.is_expert() and bike.on_track and not contact:
        expert.lose_grip(game, bike, rolled, faces)


def redline(game, bike):
    """Two dice, unflipped, must not show more than the Engine has, or it loses a point."""
    test = yield Roll(bike.seat, [D6, D6], "moto_grand_prix.ask_engine_test", (bike.engine,), bike.number, "MG-36")
    if sum(test) > bike.engine:
        game.spend(bike, "engine", 1)

