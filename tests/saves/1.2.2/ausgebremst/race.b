gridglow save 1 1 25 24 24 25 315
gridglow journal 1
game: ausgebremst family
rules: 2
track: bleifuss-drom ac6d9fcc
laps: 3
option derelict_decks: device
option derelict_partial: spent
option leaver: derelict
option stacking: value
seat 1: person Player 1
seat 2: person Player 2
seat 3: person Player 3
dice: device
decks: device
seed: kept salt


gridglow save 2 4b45ae49
[2, {"game": "ausgebremst", "variant": "family", "track": "bleifuss-drom", "laps": 3, "options": [["derelict_decks", "device"], ["derelict_partial", "spent"], ["leaver", "derelict"], ["stacking", "value"]], "players": [["person", "Player 1"], ["person", "Player 2"], ["person", "Player 3"]], "dice": "device", "decks": "device", "seed": "kept", "salt": "salt"}, "bleifuss-drom", "ac6d9fcc", 24, 24, "[46, \"device\", [], [29029, 63474, 65238, 49522], [9319, 14221, 28830, 36057], [\"bb82ca48\", \"ad4f6cdb\"], [\"race\", 0, [4, 5, 6, 3, 1, 2], 3, [[1, 1, 0, 33, 1, \"run\", 1, 0, 0, 19, 0, \"6 19b\"], [2, 2, 0, 48, 1, \"run\", 1, 0, 0, 28, 0, \"5 28a\"], [3, 3, 0, 27, 1, \"run\", 1, 0, 0, 14, 0, \"1 15b\"], [4, 0, 1, 43, 1, \"run\", 1, 0, 0, 22, 6, \"4 24b\"], [5, 0, 1, 42, 1, \"run\", 1, 0, 0, 20, 12, \"6 24a\"], [6, 0, 1, 41, 1, \"run\", 1, 0, 0, 24, 3, \"3 23b\"]], [], [], 1, 0, [\"\", \"\", \"\"], [\"1146653524421421\", \"63211342544523\", \"1465624544162312\", \"32653264451545623614\", \"25526565643142241541\", \"45546626532144543621\"], [\"356\", \"146\", \"356\"], [], []]]", [], [], null]

*8338c549
