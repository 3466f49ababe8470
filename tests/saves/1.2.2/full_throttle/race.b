gridglow save 1 1 3 20 20 3 223
gridglow journal 1
game: full_throttle standard
rules: 2
track: track-a 58fca0a5
laps: 3
option removed: 3
option stuck_bonus: yes
seat 1: person Player 1
seat 2: person Player 2
dice: device
decks: device
seed: kept salt


gridglow save 2 eec7f430
[2, {"game": "full_throttle", "variant": "standard", "track": "track-a", "laps": 3, "options": [["removed", "3"], ["stuck_bonus", "yes"]], "players": [["person", "Player 1"], ["person", "Player 2"]], "dice": "device", "decks": "device", "seed": "kept", "salt": "salt"}, "track-a", "58fca0a5", 20, 20, "[2, \"device\", [], [29029, 63474, 65238, 49522], [64962, 1142, 31764, 35852], [\"416bd1b9\", \"f02c35df\"], [\"race\", 3, 1, [5, 3, 4, 25, 22, 2], [1, 1, 1, 1, 0, 1], [], \"pmdnfhregncqmnfdkemoahodeciqmdjkgakkqggpdnpaahpqmabhbilbbehrjqfnjocpklrl\", [\"ge\", \"jb\"], \"ij\", \"\", [], []]]", [], [], null]

*d3956bd1
