gridglow save 1 1 19 20 20 19 271
gridglow journal 1
game: fast_and_furious street
rules: 2
track: tag-team 66613b1b
laps: 1
option damage: no
option drivers: no
option obstacles: course
option shift_in_draw: yes
seat 1: person Player 1
seat 2: person Player 2
dice: device
decks: device
seed: kept salt


gridglow save 2 6625adbe
[2, {"game": "fast_and_furious", "variant": "street", "track": "tag-team", "laps": 1, "options": [["damage", "no"], ["drivers", "no"], ["obstacles", "course"], ["shift_in_draw", "yes"]], "players": [["person", "Player 1"], ["person", "Player 2"]], "dice": "device", "decks": "device", "seed": "kept", "salt": "salt"}, "tag-team", "66613b1b", 20, 20, "[11, \"device\", [], [29029, 63474, 65238, 49522], [27054, 34243, 30663, 35889], [\"1010b334\", \"3322cb29\"], [\"race\", 0, 2, 2, 2, [[1, 1, 97, 0, \"run\", 1, 0, 0, \"\", -1, 0, 0, -1, 0, 0, 0, \"010020111\", \"000000010\", 0], [2, 2, 96, 0, \"run\", 1, 0, 0, \"\", -1, 0, 0, -1, 0, 0, 0, \"011120001\", \"000100000\", 0]], [], [], \"3n3d1e1i4h2b6h3t6g4f4i1f4j5p3b1p1l2n5h4r5l5j6l5k5m2c5a1b6p6b6t3j6i5b1r3l2e4n3f2q1t5i3c3h2p4s2t4o5n3a2f2j4p4c2i5t3p3o2o3k4b2a4q1d5e4e6c5d6j2d6e2m5r3r6d3e1o3q4k6r6o2l6m4m5s3m6k4g4d1a1m4a3i1n2g6a1k2r1g2h6f5c5f5o1q6n3s1s\", [\"1c4t5g5q6q6s\", \"1h1j2k2s3g4l\"], \"\", []]]", [], [], null]

*26b34ef2
