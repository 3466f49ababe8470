gridglow save 1 1 23 25 25 23 182
gridglow journal 1
game: racing_rules race-1
rules: 2
track: house-board b5b964bd
laps: 1
seat 1: person Player 1
seat 2: person Player 2
dice: device
decks: device
seed: kept salt


gridglow save 2 ce614b16
[2, {"game": "racing_rules", "variant": "race-1", "track": "house-board", "laps": 1, "options": [], "players": [["person", "Player 1"], ["person", "Player 2"]], "dice": "device", "decks": "device", "seed": "kept", "salt": "salt"}, "house-board", "b5b964bd", 25, 25, "[22, \"device\", [], [6846, 36504, 57467, 49544], [36015, 43011, 39188, 35792], [\"e7d3dc4c\", \"4130f463\"], [2, [[1, 28, \"run\", 0, 0, 0], [2, 34, \"run\", 0, 0, 1]], [\"extra-turn\", \"ahead-2\", \"lose-turn\", \"lose-turn\", \"follow-8\", \"ahead-2\", \"back-3\", \"back-purple\", \"ahead-4\", \"next-green\", \"leader-back-1\", \"lose-turn\", \"nothing\", \"swap-8\", \"swap-8\", \"back-3\", \"back-3\", \"ahead-2\", \"ahead-4\", \"nothing\", \"back-8\"], [\"back-purple\", \"next-green\", \"extra-turn\"], [], [[\"racing_rules.news_card\", \"car:2\", \"cards:extra-turn\"]]]]", [], [], null]

*18123aaf
