"""A board with a firmware of a few lines: it answers info and read as Gridglow does, and is sent within a second."""

from pathlib import Path

from gridglow.boards.boardfile import load_board
from gridglow.device import manifest
from gridglow.device.manifest import of_files
from gridglow.firmware.image import Image

FIRMWARE = Path(__file__).resolve().parents[3] / "firmware"

MAIN = '''
import binascii, json, os, sys
FW = "{fw}"
RACE = {race}

def send(text):
    sys.stdout.write("<" + text + "*%08x" % (binascii.crc32(text.encode()) & 0xffffffff) + "\\n")

def listing(folder):
    out = []
    for one in os.ilistdir(folder or "/"):
        name = folder + "/" + one[0] if folder else one[0]
        if one[1] & 0x4000 == 0:
            out.append("%d %s" % (os.stat(name)[6], name))
        elif name != "save":
            out += listing(name)
    return out

def answer(message):
    n = message["n"]
    if message["t"] == "info":
        board = json.load(open("board.json"))
        about = {{"fw": FW, "name": board["name"], "board": board["id"], "version": [1, 26, 1],
                 "mpy": sys.implementation._mpy, "state": "race" if RACE else "idle", "race": RACE,
                 "flash_free": os.statvfs("/")[0] * os.statvfs("/")[3], "parts": [["pixels", "ok", ""]]}}
        send(json.dumps({{"t": "info", "n": 1, "about": about}}))
    elif message["t"] == "read":
        try:
            data = "\\n".join(listing("")).encode() if message["name"] == "listing" else open(message["name"], "rb").read()
        except OSError:
            send(json.dumps({{"t": "no", "n": 1, "re": n, "say": "There is no such file.", "clause": ""}}))
            return
        of = max(1, (len(data) + 599) // 600)
        for k in range(of):
            part = binascii.b2a_base64(data[600 * k:600 * k + 600]).decode().strip()
            send(json.dumps({{"t": "file", "n": 1, "name": message["name"], "k": k, "of": of, "d": part}}))

while True:
    line = sys.stdin.readline().strip()
    if line[:2] == ">{{" and line[-9:-8] == "*":
        answer(json.loads(line[1:-9]))
'''


def small_files(fw="1", race=None, **more):
    """The files of a small firmware by name, without their manifest; `more` adds or (None) removes some."""
    files = {
        "boot.py": (FIRMWARE / "boot.py").read_bytes(), "install.py": (FIRMWARE / "install.py").read_bytes(),
        "main.py": MAIN.format(fw=fw, race=race).encode(), "board.json": b'{"id":"mini","name":"Mini console"}',
        "glow/app.mpy": f"app {fw}".encode() * 40, "glow/same.mpy": b"same" * 600, "shared_rules/race.mpy": b"rules" * 20,
        "text/en.pack": f"text {fw} ".encode() * 500, "tracks/gp-ring.pack": b"track" * 120,
        "tracks/index.json": b"[]",
    }
    files.update({name.replace("__", "."): data for name, data in more.items()})
    return {name: data for name, data in files.items() if data is not None}


def small_image(fw="1", race=None, files=None, **head):
    """The same as an Image, with its manifest."""
    files = small_files(fw, race) if files is None else files
    words = {"fw": fw, "board": "mini", "games": "all", "tracks": "all", "languages": "all", "rules": "1",
             "code": "moto_grand_prix:11111111"}
    made = of_files(files, {**words, **head})
    contents = {**files, manifest.NAME: made.text()}
    return Image(Path("device"), load_board("mini"), True, contents=contents)


# With its own program

PROGRAM_MAIN = MAIN.replace('FW = "{fw}"\n', '''FW = "{fw}"
from hal import changed, data_files, file_system
changed.put_in(data_files.frozen_id())

def board_json():
    try:
        with open("board.json") as file:
            return json.load(file)
    except OSError:
        return json.loads(data_files.frozen("board.json"))

def name():
    from glow.store.store import Settings
    return Settings("save").get("name", board_json()["name"])

def saved():
    from glow.store.store import Settings
    return Settings("save").get("open", 0)
''').replace('''        board = json.load(open("board.json"))
''', '''        board = board_json()
''').replace('"name": board["name"], ', '"name": name(), "saved": saved(), "id": "e661640843123456", ').replace(
    '"version": [1, 26, 1],', '''"version": [1, 28, 0], "frozen": data_files.frozen_id(), "fs": file_system.state,
                 "changed": changed.names, "left_out": changed.left_out, "machine": sys.implementation._machine,
                 "flash_size": 786432,''').replace(
    '"flash_free": os.statvfs("/")[0] * os.statvfs("/")[3]', '"flash_free": free()').replace(
    '''open(message["name"], "rb").read()
''', '''(data_files.frozen("modules.txt")
                if message["name"] == "modules.txt" else open(message["name"], "rb").read())
''').replace('def send(text):', '''def free():
    try:
        return os.statvfs("/")[0] * os.statvfs("/")[3]
    except OSError:
        return 0

def send(text):''')
#: The parts of the firmware that a small program has besides its main.py.
OF_FIRMWARE = ("boot.py", "install.py", "hal/__init__.py", "hal/changed.py", "hal/data_files.py", "hal/file_system.py",
               "glow/__init__.py", "glow/store/__init__.py", "glow/store/store.py", "glow/store/files.py",
               "glow/store/read.py")
PLAIN = b"NAME = 'as in the program'\n"


def small_program(folder, fw="1", race=None, rules=None, **modules):
    """A program of a few modules; see `fake_program.make_program`."""
    from fake_program import program_of

    from gridglow.firmware.frozen import Frozen, modules_list

    sources = {name: (FIRMWARE / name).read_bytes() for name in OF_FIRMWARE}
    sources["main.py"] = PROGRAM_MAIN.format(fw=fw, race=race).encode()
    sources["glow/plain_one.py"] = PLAIN
    sources |= {name.replace("__", "/") + ".py": text for name, text in modules.items()}
    data = {"board.json": b'{"id":"mini","name":"Mini console"}', "text/en.pack": b"text", "tracks/index.json": b"[]",
            "tracks/gp-ring.pack": b"track"}
    data["modules.txt"] = modules_list(sources | data)
    return program_of(folder, Frozen("rp2040", sources, data, fw), rules)


def small_data(files=None, **head):
    """What a sync sends such a board, as BoardData."""
    from gridglow.device.board_data import BoardData

    files = {"board.json": b'{"id":"mini","name":"Kitchen"}', "text/fr.pack": b"text fr " * 500,
             "tracks/mine.pack": b"track" * 120, "tracks/index.json": b'[{"id":"mine"}]'} if files is None else files
    made = of_files(files, {"fw": "1", "board": "mini", "tracks": "all", "languages": "all", **head})
    return BoardData({**files, manifest.NAME: made.text()}, made)
