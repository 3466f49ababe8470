"""The game turn of the Basic rules (MG-11): roll dice, flip dice, move."""

from shared_rules import notation
from shared_rules.games.moto_grand_prix.movement import Move
from shared_rules.prompts import D6, Choose, Roll


def bike_turn(game, bike):
    """The three phases of one bike."""
    faces = yield Roll(bike.seat, [D6, D6], "moto_grand_prix.ask_roll", (), bike.number, "MG-11")
    faces = yield from game.flip_dice(bike, faces)
    yield from move(game, bike, sum(faces))
    game.to_act.remove(bike.number)
    game.end_of_turn()


def move(game, bike, points):
    """3) BIKE MOVEMENT: all points must be used (MG-11); points left over on a blocked road are lost
    (MG-16)."""
    taken = [other.space for other in game.bikes if other.on_track and other is not bike]
    move = Move(game.circuit, bike.space, points, taken)
    note = ["moto_grand_prix.note_lost", move.lost] if move.lost else None
    end = yield Choose(
        bike.seat, [notation.show("go", [game.track.space_name(space)]) for space in move.ends],
        "moto_grand_prix.ask_move", (move.used,), bike.number, "MG-15", note=note,
        values=move.ends, near=move.near_misses, explain=move.explain)
    game.drive(bike, move.path(end))
