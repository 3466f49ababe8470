"""``gridglow torture``: trials that try to break what a table of people relies on."""

from __future__ import annotations

import click

from gridglow.cli.common import Failed, json_option, print_json, print_table, say
from gridglow.tomlfile import nearest
from gridglow_workshop.torture import TRIALS, hold, trial
from gridglow_workshop.torture.trial import LONG, QUICK


def take_names(ctx: click.Context, param: click.Parameter, value: str | None) -> list[str]:
    """The trials of ``--only``, in their own order; an unknown one is a usage error."""
    if value is None:
        return list(TRIALS)
    names = [name.strip() for name in value.split(",")]
    for name in names:
        if name not in TRIALS:
            raise click.BadParameter(f"There is no trial {name!r}{nearest(name, TRIALS)}", ctx, param)
    return [name for name in TRIALS if name in names]


@click.command()
@click.option("--quick", is_flag=True, help="A sample of each, a minute or two in all: what the test suite runs.")
@click.option("--only", "names", metavar="NAMES", callback=take_names,
              help=f"These trials only, separated by commas: {', '.join(TRIALS)}.")
@click.option("--seed", metavar="N", type=click.IntRange(0, 2**31 - 1), default=1, show_default=True,
              help="The seed for everything random.")
@json_option
def torture(quick: bool, names: list[str], seed: int, as_json: bool) -> None:
    """Try to break what a table relies on.

    Each trial attacks one promise, such as that no power cut loses a race, and counts its attempts and how many were
    survived. Each failure is reported in one sentence, with how to run it again. Everything takes hours; --quick takes a
    sample of each.

    \b
    gridglow torture --quick                a sample of every trial
    gridglow torture --only cuts,files      everything in these two
    gridglow torture --only soak --seed 7   with another seed

    The exit code is 0 only if nothing broke.
    """
    amount = QUICK if quick else LONG
    outcomes = []
    for name in names:
        say(f"{name}: {trial(name).WHAT}")
        outcomes.append(hold(name, amount, seed, say))
        for failure in outcomes[-1].failures:
            say(failure)
    failed = any(outcome.failed for outcome in outcomes)
    if as_json:
        print_json({"amount": amount, "seed": seed, "failed": failed, "trials": [one.plain() for one in outcomes]})
    else:
        rows = [[one.name, one.tried, one.survived, one.unit] for one in outcomes]
        print_table(["TRIAL", "TRIED", "SURVIVED", "WHAT"], rows)
        for one in outcomes:
            for fact in one.facts:
                click.echo(f"{one.name}: {fact}")
        say("Something broke, see above." if failed else "Nothing broke.")
    if failed:
        raise Failed
