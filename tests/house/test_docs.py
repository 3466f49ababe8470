"""The documents: links lead somewhere, commands run, examples are right, and everything is documented."""

import os
import re
import shlex
import signal
import subprocess
import sys
import tomllib
import urllib.request
from pathlib import Path

import pytest

from gridglow.boards import boardfile, wiring
from gridglow.cli import main
from gridglow.cli.play import play
from gridglow.tracks import compile_file, draw_svg, load_track
from gridglow.tracks import source as track_source
from shared_rules.journal_file import Journal
from shared_rules.race import Race
from shared_rules.setup import Setup

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", ROOT / "shared_rules/spec/FORMAT.md",
             *sorted((ROOT / "docs").glob("*.md")), ROOT / "hardware/README.md",
             *sorted((ROOT / "hardware/docs").glob("*.md"))]
COMMAND = ".venv/bin/gridglow"
RUN = [sys.executable, "-m", "gridglow.cli"]
COMMAND_S = 300


def shown(path):
    return path.relative_to(ROOT).as_posix()


def blocks(path, language):
    """The code blocks in this language of a document ("" for none), each as a text without its indentation."""
    found, block, indent = [], None, ""
    for line in path.read_text("utf-8").split("\n"):
        fence = re.fullmatch(r"( *)```(\w*)", line)
        if fence and block is None:
            block, indent, kind = [], fence[1], fence[2]
        elif fence:
            if kind == language:
                found.append("\n".join(block) + "\n")
            block = None
        elif block is not None:
            block.append(line.removeprefix(indent))
    return found


def commands(path):
    return [line for block in blocks(path, "sh") for line in block.splitlines() if line.strip()]


def anchors(path):
    heads = re.findall(r"^#+ (.*)$", path.read_text("utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("path", DOCUMENTS, ids=shown)
def test_links_lead_somewhere(path):
    text = re.sub(r"^ *```.*?^ *```", "", path.read_text("utf-8"), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith(("http://", "https://")):
            continue
        file, _, anchor = target.partition("#")
        there = (path.parent / file).resolve() if file else path
        assert there.exists(), f"{shown(path)} leads to {target}, which does not exist"
        if anchor:
            assert anchor in anchors(there), f"{shown(path)} leads to {target}, where there is no such heading"


@pytest.mark.parametrize("path", DOCUMENTS, ids=shown)
def test_commands_of_make_have_a_target(path):
    for command in commands(path):
        if command.startswith("make "):
            target = shlex.split(command)[1]
            assert target in make_targets(), f"{shown(path)}: {command}"


def make_targets():
    text = (ROOT / "Makefile").read_text()
    return set(re.search(r"^\.PHONY: (.*)$", text, re.M)[1].split()) - {"check-python"}


def test_make_tells_its_targets():
    command = ["make", "--no-print-directory", "-C", str(ROOT)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert set(re.findall(r"^make ([\w-]+)", said, re.M)) | {"help"} == make_targets()


def test_readme_begins_with_the_two_commands():
    assert commands(ROOT / "README.md")[:2] == ["make play", "make test"]


@pytest.mark.parametrize("path", [path for path in DOCUMENTS if commands(path)], ids=shown)
def test_commands_run(path, tmp_path, micropython):
    """In order, in one folder that contains only what the documents mention of the checkout."""
    (tmp_path / "shared_rules").symlink_to(ROOT / "shared_rules")
    environment = {**os.environ, "CI": "1", "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "host")])}
    for command in commands(path):
        words = shlex.split(command)
        if words[0] == "make":
            continue
        assert words[0] == COMMAND, f"{shown(path)} names a command that no test has tried: {command}"
        words = shorter(words[1:])
        if words[0] == "play" and "--headless" not in words:
            serve_and_stop([*RUN, *words, "--port", "0"], tmp_path, environment)
            continue
        result = subprocess.run([*RUN, *words], cwd=tmp_path, env=environment, capture_output=True, text=True,
                                timeout=COMMAND_S)
        assert result.returncode == 0, f"{command}\n{result.stdout}{result.stderr}"
        assert "Traceback" not in result.stderr


def shorter(words):
    """`gridglow test` proves much, and duels of all games take minutes; their own tests run them in full."""
    if words[0] == "test":
        words = [*words, "--races", "1"]
    if words[0] == "bench" and "--bots" in words and "--game" not in words:
        words = [*words, "--game", "racing_rules"]
    return words


def serve_and_stop(command, folder, environment):
    child = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        address = child.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:"), child.stderr.read()
        with urllib.request.urlopen(address, timeout=30) as page:
            assert "Gridglow" in page.read().decode()
        child.send_signal(signal.SIGINT)
        assert child.wait(60) in (0, 130)
    finally:
        if child.poll() is None:
            child.kill()
        child.communicate()


def test_the_journal_of_the_docs_is_a_real_one():
    (text,) = [block for block in blocks(ROOT / "docs/journal.md", "") if block.startswith("gridglow journal")]
    journal = Journal.parse(text)
    track = load_track(journal.track).track
    assert track.hash == journal.track_hash
    race = Race(Setup.from_plain({**journal.plain, "track": journal.track}, track), track)
    for line in journal.lines:
        race.feed_answer(line.seat, line.text)
    assert text == race.journal(unseal=True), "the rules have changed what a race is; put in the right one"


def test_the_track_of_the_docs_can_be_raced_and_drawn(tmp_path):
    whole, mark, road, more = blocks(ROOT / "docs/track-files.md", "toml")
    kinds = set(tomllib.loads(more))
    assert tomllib.loads(road)["road"][0]["kind"] == "side" and kinds == {"colours", "die", "paint", "card"}
    path = tmp_path / "my-ring.toml"
    path.write_text(whole + mark)
    compiled = compile_file(path)
    assert compiled.track.marks and "<svg" in draw_svg(compiled)


def test_all_keys_of_files_are_told():
    tracks = (ROOT / "docs/track-files.md").read_text()
    for key in track_source.HEAD_KEYS:
        assert f"`{key}`" in tracks or f"[[{key}]]" in tracks
    boards = (ROOT / "docs/board-files.md").read_text()
    for key in (*boardfile.HEAD_KEYS, *boardfile.OUTPUT_KEYS, *boardfile.MODULE_KEYS, *boardfile.SUPPLY_KEYS,
                *wiring.PANEL_PINS, *wiring.CONSOLE_PINS, *wiring.READER_PINS):
        assert f"`{key}`" in boards or f"[{key}]" in boards


def test_all_options_of_play_are_told_and_no_others():
    text = (ROOT / "docs/virtual-board.md").read_text()
    told = set(re.findall(r"`(--[a-z0-9-]+)", text))
    there = {option for parameter in play.params for option in parameter.opts}
    assert told - {"--out"} == there


@pytest.mark.parametrize("path", DOCUMENTS, ids=shown)
def test_commands_that_are_named_exist(path):
    for name in re.findall(r"`gridglow ([a-z][a-z-]*)[^0-9]*?`", path.read_text("utf-8")):
        assert name in main.list_commands(None), f"{shown(path)}: gridglow {name}"


def test_all_commands_are_told():
    text = "\n".join(path.read_text("utf-8") for path in DOCUMENTS)
    for name in main.list_commands(None):
        assert f"gridglow {name}" in text, f"no document names gridglow {name}"
