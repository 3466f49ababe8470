"""``gridglow cards``: lists, names, learns and forgets the cards that a board knows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import click

from gridglow.cli.board_options import board_options, chosen, end_race_option
from gridglow.cli.common import json_option, print_json, print_table, say
from gridglow.cli.walk import may_end
from gridglow.device import cards as known
from gridglow.device.connect import Found
from gridglow.device.person import somebody
from gridglow.device.service import Service
from shared_rules.errors import GridglowError

WAIT_S = 60.0


@click.group()
def cards() -> None:
    """List, name, learn and forget the cards that a board knows.

    A card on the reader stands for what it was learnt as. The board learns cards at the table too: put an unknown card
    down when the game asks you to draw, and choose what it is. Several cards may stand for the same thing.

    \b
    gridglow cards list
    gridglow cards learn red 3               then put the card down
    gridglow cards name 04A1B2C3D4E5F6 red 3
    gridglow cards forget 04A1B2C3D4E5F6
    gridglow cards clear
    """


@cards.command("list")
@board_options
@json_option
def list_(board: str | None, port: str | None, as_json: bool) -> None:
    """List the cards with what they stand for. A running race goes on."""
    found = chosen(board, port)
    with found.talk() as talk:
        there = known.cards_of(talk)
    if as_json:
        print_json({"board": found.title, "cards": there})
    elif there:
        print_table(["CARD", "STANDS FOR"], sorted(there.items(), key=lambda card: (card[1], card[0])))
    else:
        say(f"No card has been learnt on {found.title} yet; to begin: gridglow cards learn MEANING")


@cards.command("learn")
@click.argument("meaning", nargs=-1, required=True)
@click.option("--seconds", metavar="N", type=click.FloatRange(1, 3600), default=WAIT_S, show_default=True,
              help="How long to wait for the card.")
@board_options
@end_race_option
@json_option
def learn(meaning: Sequence[str], seconds: float, board: str | None, port: str | None, end_race: bool,
          as_json: bool) -> None:
    """Wait for a card on the reader and learn it as MEANING, such as: red 3"""
    words = known.check_meaning(" ".join(meaning))

    def work(service: Service, _there: dict[str, str]) -> tuple[str, str]:
        say(f"Put down the card for {words!r} within {seconds:g} s.")
        uid = known.wait_for_card(service, seconds, service.talk.now)
        return uid, known.keep(service, uid, words)

    found, (uid, told) = _in_service(board, port, end_race, work, _has_reader)
    _tell(found, f"The card {uid} now stands for {words!r},", told, {"card": uid, "meaning": words}, as_json)


@cards.command("name")
@click.argument("uid", metavar="ID")
@click.argument("meaning", nargs=-1, required=True)
@board_options
@end_race_option
@json_option
def name(uid: str, meaning: Sequence[str], board: str | None, port: str | None, end_race: bool, as_json: bool) -> None:
    """Set what the card ID stands for, such as: 04A1B2C3D4E5F6 red 3"""
    uid, words = known.check_uid(uid), known.check_meaning(" ".join(meaning))
    found, told = _in_service(board, port, end_race, lambda service, _there: known.keep(service, uid, words))
    _tell(found, f"The card {uid} now stands for {words!r},", told, {"card": uid, "meaning": words}, as_json)


@cards.command("forget")
@click.argument("uid", metavar="ID")
@board_options
@end_race_option
@json_option
def forget(uid: str, board: str | None, port: str | None, end_race: bool, as_json: bool) -> None:
    """Forget the card ID."""
    uid = known.check_uid(uid)

    def is_known(_found: Found, there: dict[str, str]) -> None:
        if uid not in there:
            raise GridglowError(f"The board doesn't know the card {uid}; \"gridglow cards list\" shows the ones it knows.")

    def work(service: Service, there: dict[str, str]) -> str:
        known.forget(service, uid)
        return there[uid]

    found, meant = _in_service(board, port, end_race, work, is_known)
    _tell(found, f"Forgot the card {uid}, which stood for {meant!r},", "", {"card": uid, "meaning": meant}, as_json)


@cards.command("clear")
@click.option("--yes", is_flag=True, help="Agree to forget all cards, and to end a running race (it "
              "stays saved).")
@board_options
@json_option
def clear(yes: bool, board: str | None, port: str | None, as_json: bool) -> None:
    """Forget all cards."""
    def agreed(found: Found, there: dict[str, str]) -> None:
        person = None if as_json else somebody()
        asked = f"{len(there)} card{'s' if len(there) != 1 else ''} would be forgotten."
        if not there:
            raise GridglowError(f"No card has been learnt on {found.title}, so there is none to forget.")
        if not yes and not (person and person.yes(f"{asked} Go on?", "no")):
            raise GridglowError(f"{asked} Give --yes to agree; nothing was changed.")

    def work(service: Service, there: dict[str, str]) -> int:
        known.clear(service)
        return len(there)

    found, count = _in_service(board, port, yes, work, agreed)
    _tell(found, f"{count} card{'s are' if count != 1 else ' is'} forgotten", "", {"forgotten": count}, as_json)


def _has_reader(found: Found, _there: dict[str, str]) -> None:
    """Raises GridglowError if the board has no card reader."""
    for name, state, *_ in found.about.get("parts") or ():
        if name == "reader" and state == "off":
            raise GridglowError(f"{found.title[:1].upper()}{found.title[1:]} has no card reader, so it can't learn a card; "
                                "give a card's id instead: gridglow cards name ID MEANING")


def _in_service(board: str | None, port: str | None, end_race: bool, work: Callable,
                check: Callable[[Found, dict[str, str]], None] = lambda found, there: None) -> tuple[Found, object]:
    """Returns the board, and the result of `work`, which gets the board in service mode and its known cards. `check` raises
    an error before a race is ended in vain."""
    found = chosen(board, port)
    with found.talk() as talk:
        there = known.cards_of(talk)
        check(found, there)
        with Service(talk, may_end(found, end_race, None), say) as service:
            return found, work(service, there)


def _tell(found: Found, said: str, told: str, value: dict, as_json: bool) -> None:
    if as_json:
        print_json({"board": found.title, **value, "say": told})
        return
    click.echo(f"{said} on {found.title}.")
    if told:
        say(told)
