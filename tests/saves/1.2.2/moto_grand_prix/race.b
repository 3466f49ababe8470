gridglow save 1 1 9 20 20 9 307
gridglow journal 1
game: moto_grand_prix basic
rules: 2
track: fabulous-driving-park 6211e703
laps: 6
option bikes: 1
option cornering: last-corner
option hills: summary
option qualifying: roll
option redline: used
seat 1: person Player 1
seat 2: person Player 2
dice: device
decks: device
seed: kept salt


gridglow save 2 456354f8
[2, {"game": "moto_grand_prix", "variant": "basic", "track": "fabulous-driving-park", "laps": 6, "options": [["bikes", "1"], ["cornering", "last-corner"], ["hills", "summary"], ["qualifying", "roll"], ["redline", "used"]], "players": [["person", "Player 1"], ["person", "Player 2"]], "dice": "device", "decks": "device", "seed": "kept", "salt": "salt"}, "fabulous-driving-park", "6211e703", 20, 20, "[7, \"device\", [], [44514, 38397, 9980, 49538], [28042, 15663, 6636, 35769], [\"bf72289d\", \"e818feea\"], [\"race\", 4, 1, [[1, 1, \"blue\", 0, 68, 1, \"race\", 0, 8, 8, 8, [], 0, 0, \"straight\"], [2, 2, \"yellow\", 0, 59, 1, \"race\", 0, 8, 8, 8, [], 0, 0, \"straight\"]], [1, 2], []]]", [], [], null]

*31cf0757
