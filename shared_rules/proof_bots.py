"""Bots in races that others drive: what they would answer at every prompt, whoever is asked."""

from binascii import crc32

from shared_rules import proof


def ask_everywhere(job, track):
    """Plays a random race in which a bot is asked at every prompt; returns a dict: ``asked`` (how many choices and numbers
    it was asked for), ``said`` (a CRC over its answers), ``problem`` (a sentence if one isn't offered, or None) and ``end``
    (the digest).
    """
    found = {"asked": 0, "said": 0, "problem": None}

    def ask(race):
        for prompt in race.prompts if not race.asking else ():       # bots agree to an undo unasked
            text = race.bot_answer(prompt.seat)
            if prompt.kind in ("roll", "draw"):
                continue
            if text not in prompt.options():
                found["problem"] = "Expected one of %s at %s, the bot says %s." % (
                    ", ".join(prompt.options()[:20]), prompt.ask, repr(text))
            found["asked"] += 1
            found["said"] = crc32(text.encode(), found["said"])

    setup = proof.random_setup(job["game"], job["variant"], track, job["seed"])
    found["end"] = proof.random_race(setup, track, job["seed"], before=ask).digest()
    return found
