"""The start of a first race: every player draws a card, the highest takes the best free place (AB-07, AB-08)."""

from shared_rules.games.ausgebremst import data
from shared_rules.prompts_cards import Draw


class StartDraw(Draw):
    """A card for the start. It lies open, but a car without a driver may move at once, by a card that nobody knows: without
    the seed nobody can replay up to it."""

    laid_open = True

    def forced(self):
        # Each seat its own card, so that players who leave together don't tie for ever.
        cards = data.different("".join(self.deck))
        return [cards[(self.seat - 1) % len(cards)]]


def draw(game):
    """Draws until one card is the highest, then puts the cars on the grid: those without a driver first, then the players
    clockwise from the one who drew it."""
    drawing = [car for car in game.cars_ if not car.derelict and car.status == "run"]
    seats = [car.seat for car in drawing]
    while len(drawing) > 1:
        prompts = [StartDraw(car.seat, list(game.decks[car.number - 1]), "ausgebremst.ask_start", (), car.number, "AB-07")
                   for car in drawing]
        drawn = [int(cards[0]) for cards in (yield prompts)]
        drawing = [car for car, card in zip(drawing, drawn) if card == max(drawn)]
        for car in game.cars_:
            if car.seat:
                game.decks[car.number - 1] = game.pile(car, game.decks[car.number - 1])
    first = drawing[0].seat
    order = [car.number for car in game.cars_ if car.derelict]
    order += [seat for seat in seats if seat >= first] + [seat for seat in seats if seat < first]
    game.order = order + [number for number in range(1, data.CARS + 1) if number not in order]
    game.line_up()
