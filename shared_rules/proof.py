"""Proofs that run on every interpreter: the spec's vectors, random races and replays.

The host writes jobs as JSON lines to standard input and reads answers as JSON lines; see ``serve``. A
connected board runs the same functions.
"""

import gc
import json
import sys
from binascii import crc32, unhexlify

from shared_rules import games
from shared_rules.chance import Chance
from shared_rules.errors import BadSave, BadText, GridglowError, Refused
from shared_rules.notation import ENGINE_VERBS
from shared_rules.prompts import TABLE
from shared_rules.race import Race
from shared_rules.setup import Setup
from shared_rules.track import Track

#: A random race that isn't over after this many answers counts as endless.
MOST_ANSWERS = 20000

#: A heap of fewer bytes is a board's: it is tidied at each step, and a race's answers are kept short.
SMALL_HEAP_BYTES = 300000
_SMALL_HEAP = hasattr(gc, "mem_free") and gc.mem_free() + gc.mem_alloc() < SMALL_HEAP_BYTES


class Failed(Exception):
    """A check of a vector that didn't hold: what was expected, then what came."""


# Vectors

def run_vector(vector, track):
    """None if the vector (a dict as in spec/FORMAT.md) holds, else a sentence."""
    refused = vector.get("refused", "")
    try:
        race = vector_race(vector, track)
    except GridglowError as error:
        if refused and refused in str(error):
            return None
        return "The set-up is refused: %s" % error
    except (KeyError, ValueError, IndexError) as error:
        return "The arranged state can't be put up: %s" % repr(error)
    if refused:
        return "The set-up should be refused ('%s'), but a race began." % refused
    for at, step in enumerate(vector["steps"]):
        if _SMALL_HEAP:
            gc.collect()     # as a board does when a prompt opens; otherwise what stays fragments the heap
        try:
            _run_step(race, {"do": step} if isinstance(step, str) else step)
        except Failed as failure:
            return "Step %d: %s" % (at + 1, failure)
        except (GridglowError, KeyError, ValueError, IndexError, AttributeError) as error:
            return "Step %d: %s" % (at + 1, repr(error))
    return None


def vector_race(vector, track):
    """The race of a vector before its first step; raises an error that says why it can't be set up."""
    names = vector.get("names") or ["Player %d" % (n + 1) for n in range(vector.get("seats", 2))]
    setup = Setup.from_plain({
        "game": vector["game"],
        "variant": vector.get("variant"),
        "laps": vector.get("laps"),
        "options": [[key, value] for key, value in vector.get("options", [])],
        "players": [["person", name] for name in names],
        "dice": vector.get("dice", "table"),
        "decks": vector.get("decks", "table"),
        "seed": vector.get("seed", vector["id"].replace(" ", "-")[:60]),
    }, track)
    race = Race(setup, track)
    if "arrange" in vector:
        race.arrange(vector["arrange"])
    return race


def _run_step(race, step):  # noqa: C901 one kind of step after another
    if "do" in step:
        seat, text = _seat_and_text(step["do"])
        try:
            race.answer(seat, text)
        except (Refused, BadText) as error:
            raise Failed("expected '%s' to be accepted, but: %s" % (step["do"], error))
    if "refuse" in step:
        _check_refused(race, step)
    prompt = None
    if "options" in step or "offers" in step or "lacks" in step or "near" in step:
        prompt = race.prompt_of(step["seat"]) if "seat" in step else (race.prompts or [None])[0]
        if prompt is None:
            raise Failed("expected an open prompt, got none")
    if "options" in step:
        _expect("options", sorted(step["options"]), sorted(prompt.options()))
    for text in step.get("offers", []):
        if text not in prompt.options():
            raise Failed("expected '%s' among the options, got %s" % (text, ", ".join(prompt.options())))
    for text in step.get("lacks", []):
        if text in prompt.options():
            raise Failed("expected '%s' not to be offered, got %s" % (text, ", ".join(prompt.options())))
    if "near" in step:
        clauses = [refusal.clause for refusal in prompt.refused() if refusal.text == step["near"]]
        _expect("near miss '%s'" % step["near"], [step.get("clause", "")], clauses)
    if "prompt" in step:
        came = ", ".join(["%d %s" % (prompt.seat, prompt.kind) for prompt in race.prompts])
        _expect("prompts", step["prompt"], came)
    for key, value in step.get("look", []):
        _expect("'%s'" % key, value, race.game.look(key))
    if "scene" in step:
        texts = scene_texts(race.scene(), race.take_events())
        for text in step["scene"]:
            if text not in texts:
                raise Failed("expected '%s' in the scene, got %s" % (text, "; ".join(texts)))
    if "over" in step:
        _expect("over", step["over"], race.over)
    if "standings" in step:
        _expect("standings", step["standings"],
                [" ".join([str(part) for part in row]) for row in race.standings()])


def _check_refused(race, step):
    before = _whole(race)
    seat, text = _seat_and_text(step["refuse"])
    try:
        race.answer(seat, text)
    except Refused as error:
        if error.clause != step.get("clause", ""):
            raise Failed("expected '%s' to be refused by %s, got %s" % (
                step["refuse"], step.get("clause", ""), error))
        if _whole(race) != before:
            raise Failed("the refused answer '%s' has changed the race" % step["refuse"])
        return
    raise Failed("expected '%s' to be refused by %s, but it was accepted" % (
        step["refuse"], step.get("clause", "")))


def _whole(race):
    """Everything that a refused answer must leave unchanged; the journal by its length and digest, as a small heap may have
    no room for a long one."""
    return [race.snapshot(), race.lines, race.digest(), race.public_digest()]


def _expect(what, expected, came):
    if expected != came:
        raise Failed("%s: expected %s, got %s" % (what, json.dumps(expected), json.dumps(came)))


def _seat_and_text(text):
    seat, _, answer = text.partition(" ")
    return int(seat), answer


# Scenes as text

def scene_texts(scene, events=()):
    """One string per fact, for the spec's vectors: "car 1 at 12b", "lap 1 of 6", …; one per event: "event moved 1 12b"."""
    out = []
    for car, space, status in scene.cars:
        out.append("car %d %s" % (car, "at " + _space_name(scene, space) if space >= 0 else status))
    for space, word in scene.marks:
        out.append("mark %s %s" % (_space_name(scene, space), word))
    for dial in scene.dials:
        out.append("dial " + " ".join([str(part) for part in dial[1:]]))
    for line in scene.lines:
        out.append("line " + " ".join([str(part) for part in line]))
    if scene.laps:
        out.append("lap %d of %d" % (scene.lap, scene.laps))
    for event in events:
        words = [event[0]]
        for at, part in enumerate(event[1:]):
            if event[0] in ("moved", "grid", "bumped", "called") and at == 1:
                spaces = part if isinstance(part, list) else [part]
                words.extend([_space_name(scene, space) for space in spaces])
            elif isinstance(part, list):
                words.extend([str(value) for value in part])
            else:
                words.append(str(part))
        out.append("event " + " ".join(words))
    return out


def _space_name(scene, space):
    return scene.track.space_name(space) if scene.track and space >= 0 else "-"


# Random races

def random_race(setup, track, seed, each=None, game_class=None, before=None):
    """A whole race with random legal answers, as a finished Race; calls ``each(race)`` after every answer and
    ``before(race)`` before every one.

    Now and then a player takes back an answer, so that undo is compared between interpreters, too.
    """
    log = None
    if _SMALL_HEAP:
        from shared_rules.journal_log import ShortLog
        log = ShortLog()
    race = Race(setup, track, log, game_class)
    if _SMALL_HEAP:
        race.tidy = gc.collect
    chance = Chance(seed, "player")
    for _ in range(MOST_ANSWERS):
        if race.over:
            return race
        if _SMALL_HEAP:
            gc.collect()     # as in a vector
        if before:
            before(race)
        prompt = chance.die(race.prompts)
        seat = prompt.seat or 1
        text = prompt.sample(chance)
        if chance.below(40) == 0 and race.taken_count() and not race.pending_answers() and not race.asking:
            text = "undo 1"
        try:
            race.answer(seat, text)
        except Refused:
            if text != "undo 1":
                raise
        if each:
            each(race)
        race.drop_events()
    raise RuntimeError("the race doesn't end")


def random_setup(game, variant, track, seed, most_seats=6, game_class=None):
    """A random set-up of this game on this track: seats, options, sources and laps vary with the seed."""
    game_class = game_class or games.load(game)
    chance = Chance(seed, "setup")
    while True:
        few, most = game_class.SEATS
        seats = few + chance.below(min(most, most_seats) - few + 1)
        options = [[key, chance.die(values)] for key, values, _ in game_class.OPTIONS]
        laps = 1 + chance.below(2)
        setup = {
            "game": game, "variant": variant, "seed": seed, "options": options,
            "laps": laps if game_class.LAPS else track.laps,
            "dice": chance.die(["device", "table"]), "decks": chance.die(["device", "table"]),
            "players": [["person", "Player %d" % (n + 1)] for n in range(seats)],
        }
        try:
            return Setup.from_plain(setup, track, game_class)
        except GridglowError:
            continue


# Replays

def replay(text, track, game_class=None):
    """Replays a journal; returns a dict with ``problem`` (a sentence, or None), ``sealed``, ``checked`` (lines),
    ``lines``, ``over``, ``turns``, ``digest``, ``public_digest``, ``standings``, ``cars``."""
    from shared_rules.journal_file import Journal
    try:
        journal = Journal.parse(text)
    except BadSave as error:
        return {"problem": str(error)}
    if (journal.track, journal.track_hash) != (track.id, track.hash):
        return {"problem": "Expected track %s %s as in the journal, got %s %s; find the track file of that race."
                           % (journal.track, journal.track_hash, track.id, track.hash)}
    try:
        setup = Setup.from_plain(journal.plain, track, game_class)
    except GridglowError as error:
        return {"problem": "The journal's set-up can't be raced: %s" % error}
    try:
        race = Race(setup, track, None, game_class, journal.start or bool(journal.sealed))
    except (TypeError, ValueError, IndexError, KeyError, AttributeError):
        return {"problem": "The journal's start isn't one of this game; it was edited."}
    problem, checked = _replay_lines(race, journal)
    return {
        "problem": problem, "sealed": bool(journal.sealed), "checked": checked, "lines": len(journal.lines),
        "over": race.over, "turns": race.turns, "digest": race.digest(), "public_digest": race.public_digest(),
        "standings": race.standings(), "cars": race.game.cars(),
    }


def _replay_lines(race, journal):
    """(problem or None, number of checked lines)."""
    compared = 0
    for at, line in enumerate(journal.lines):
        number = journal.line_number(at)
        if journal.sealed and line.text == "sealed":
            return None, compared
        if journal.sealed and line.full:
            return "Line %d: expected one digest in a sealed journal, got two." % number, compared
        wrong = _wrong_seat(race, line)
        if wrong:
            return "Line %d: %s" % (number, wrong), compared
        try:
            race.feed_answer(line.seat, line.text)
        except GridglowError as error:
            return "Line %d: '%d %s' can't be replayed: %s" % (number, line.seat, line.text, error), compared
        while compared < race.lines:
            if compared >= len(journal.lines):
                return "Line %d: expected more answers after it; the journal was cut." % number, compared
            came = race.line(compared + 1)
            told = journal.lines[compared]
            wrong = _difference(came, told, journal.sealed)
            if wrong:
                return "Line %d: %s" % (journal.line_number(compared), wrong), compared
            compared += 1
    if compared < len(journal.lines):
        return ("Line %d: expected the answers of the other seats that were asked together with it; the "
                "journal was cut." % journal.line_number(compared)), compared
    return None, compared


def _wrong_seat(race, line):
    """A sentence if a game's answer isn't for the first open prompt: answers that were given together are listed
    in seat order."""
    asked = race.prompts[0].seat if race.prompts and not race.asking else TABLE
    if asked in (TABLE, line.seat) or line.text.split(" ")[0] in ENGINE_VERBS:
        return None
    return "expected an answer of seat %d, got one of seat %d; the line was changed." % (asked, line.seat)


def _difference(came, told, sealed):
    pairs = [("answer", came.text, told.text), ("seat", str(came.seat), str(told.seat)),
             ("public digest", came.public, told.public)]
    if not sealed:
        pairs.append(("digest", came.full, told.full))
        pairs.append(("the mark", _mark(came), _mark(told)))
    for what, expected, got in pairs:
        if expected != got:
            return "expected %s %s, got %s; the line was changed." % (what, expected, got or "none")
    return None


def _mark(line):
    return "'secret'" if line.secret else "none"


# Served to the host

def serve():
    """Reads one job per line from standard input and writes its result as a line.

    Jobs: {"job": "track", "hex"} or {"job": "track", "file"} (a pack on the board's flash), {"job": "vector", "vector"},
    {"job": "race", "game", "variant", "seed"}, {"job": "bots", "game", "variant", "seed"}, {"job": "replay", "text"}; the
    track is the last one given.
    """
    track = None
    while True:
        row = sys.stdin.readline()
        if not row.strip():
            return
        job = json.loads(row)
        kind = job["job"]
        if kind == "track":
            track = None
            gc.collect()
            if "file" in job:
                with open(job["file"], "rb") as file:
                    track = Track.read(file)
            else:
                track = Track.unpack(unhexlify(job["hex"]))
            result = {"track": track.id}
        elif kind == "vector":
            result = {"id": job["vector"]["id"], "problem": run_vector(job["vector"], track)}
        elif kind == "race":
            result = _race_job(job, track)
        elif kind == "bots":
            from shared_rules import proof_bots
            result = proof_bots.ask_everywhere(job, track)
        elif kind == "replay":
            result = replay(job["text"], track)
        else:
            result = {"problem": "unknown job"}
        gc.collect()
        sys.stdout.write(json.dumps(result).replace("\n", " ") + "\n")
        if hasattr(sys.stdout, "flush"):
            sys.stdout.flush()


def _race_job(job, track):
    """Plays a random race; ``digest`` is a CRC over both digests after every answer."""
    crc = [0, 0]

    def note(race):
        crc[0] = crc32((race.digest() + race.public_digest()).encode(), crc[0])
        crc[1] += 1

    setup = random_setup(job["game"], job["variant"], track, job["seed"])
    race = random_race(setup, track, job["seed"], note)
    return {"seed": job["seed"], "answers": crc[1], "turns": race.turns, "digest": "%08x" % crc[0],
            "end": race.digest(), "standings": race.standings()}
