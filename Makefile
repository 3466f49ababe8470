# Gridglow. `make play` starts the board in the browser, `make flash` turns a Pico into a board, `make test` runs all tests; each
# installs what it needs.
#
#   make play ARGS="--track gp-ring --bots 1"     arguments for `gridglow play`
#   make flash ARGS="--board-file mini"           arguments for `gridglow flash`; doctor and watch take them the same way
#   make test ARGS="tests/table/test_link.py -k noise"  arguments for pytest
#   make PYTHON=/path/to/python3.12 …             use another Python

.PHONY: help play flash doctor watch setup test test-pico lint uf2 quick-emulator hardware bench clean
.DEFAULT_GOAL := help

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
ARGS ?=
# The first of these that runs here and is new enough; if none is, python3, so that the check below can say what is wrong with it.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && exit; done; command -v python3)

help:
	@echo "make play    set up a race in the browser (make play ARGS=\"--track gp-ring\")"
	@echo "make flash   turn a Pico into a board (make flash ARGS=\"--board-file mini\")"
	@echo "make doctor  examine the connected board, part by part"
	@echo "make watch   show the race on the connected board in the browser"
	@echo "make test    run all tests"
	@echo "make test-pico   run the tests on the emulated Pico, which boot the program and race all games: some hours"
	@echo "make setup   create $(VENV) with everything the tests need"
	@echo "make lint    check the style, and that the code runs on both interpreters"
	@echo "make uf2     build build/gridglow-rp2040.uf2, the one file that makes a board (ARGS=\"--chip rp2350\" for a Pico 2)"
	@echo "make quick-emulator   compile the emulated Pico's core for this Python: about three times as fast"
	@echo "make hardware   regenerate hardware/generated and the tables of hardware/docs"
	@echo "make bench   measure speed and memory"
	@echo "make clean   remove everything these commands made"

# The stamp files say what is installed: what play needs, and in addition what the tests need.
play: $(VENV)/ready-to-play
	@$(BIN)/gridglow play $(ARGS)

flash: $(VENV)/ready-to-play
	@$(BIN)/gridglow flash $(ARGS)

doctor: $(VENV)/ready-to-play
	@$(BIN)/gridglow doctor $(ARGS)

watch: $(VENV)/ready-to-play
	@$(BIN)/gridglow watch $(ARGS)

setup: $(VENV)/ready-to-test

test: $(VENV)/ready-to-test
	@$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist worksteal $(ARGS)

# Vulture finds unused code, and exits with 3 if there is any. Findings in tests are ignored; tests count only as users.
lint: $(VENV)/ready-to-test
	@$(BIN)/ruff check .
	@$(BIN)/python tools/subset_lint.py
	@found=$$($(BIN)/vulture); case $$? in 0|3) ;; *) exit 1;; esac; ! echo "$$found" | grep -v "^tests/" | grep .

uf2: $(VENV)/ready-to-play
	@$(BIN)/gridglow firmware build $(ARGS)

# GRIDGLOW_FIRMWARE_SOURCES names a folder with the sources; without it they are fetched by git.
test-pico: $(VENV)/ready-to-test
	@$(BIN)/gridglow firmware build --out build/gridglow-rp2040.uf2
	@$(BIN)/python tools/quicken_emulator.py || true
	@GRIDGLOW_UF2="$(CURDIR)/build/gridglow-rp2040.uf2" GRIDGLOW_ALL_GAMES=1 $(BIN)/python -m pytest -n auto --maxprocesses 2 \
		tests/device/test_own_firmware.py tests/pico/test_own_firmware.py tests/pico/test_board_of_before.py \
		tests/pico/test_bench_evening.py \
		tests/pico/test_engine.py tests/pico/test_engine_flash.py \
		tests/pico/test_engine_race.py tests/pico/test_page.py tests/pico/test_new_game.py tests/pico/test_drivers.py tests/device/test_uf2.py $(ARGS)

quick-emulator: $(VENV)/ready-to-test
	@$(BIN)/python tools/quicken_emulator.py

hardware: $(VENV)/ready-to-test
	@$(BIN)/python tools/generate_hardware.py $(ARGS)

bench: $(VENV)/ready-to-play
	@$(BIN)/gridglow bench $(ARGS)

clean:
	rm -rf $(VENV) build dist .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Reports anything wrong with Python, or with the folder, before anything is made.
define check
	@if [ -z "$(PYTHON)" ]; then \
		echo "Gridglow needs Python 3.11 or newer and found none; run: apt-get install python3" >&2; exit 1; fi
	@"$(PYTHON)" -c '' 2>/dev/null || { \
		echo "$(PYTHON) can't be run, and Gridglow needs Python 3.11 or newer; name another: make PYTHON=python3.13" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Gridglow needs Python 3.11 or newer, and " + \
		"%s is Python %d.%d.%d; install a newer one, or name it: make PYTHON=python3.13" % \
		((sys.argv[1],) + tuple(sys.version_info[:3])))' "$(PYTHON)"
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "This Python can't make environments, as python3-venv is missing; run: apt-get install python3-venv" >&2; exit 1; }
	@if [ -e $(VENV) ]; then [ -w $(VENV) ]; else [ -w "$$(dirname $(VENV))" ]; fi || { \
		echo "$(VENV) can't be written here, and Gridglow is installed into it; make this folder your own, or name another: \
	make VENV=$$HOME/gridglow-venv" >&2; exit 1; }
endef

# Installs $(1) into $(VENV). One left unfinished, by Ctrl-C or a full disk, is made again, because nobody knows what it lacks.
define install
	@if [ -e $(VENV)/unfinished ] || ! $(BIN)/python -m pip --version >/dev/null 2>&1; then \
		rm -rf $(VENV) && mkdir -p $(VENV) && touch $(VENV)/unfinished && "$(PYTHON)" -m venv $(VENV); fi
	@touch $(VENV)/unfinished
	@$(PIP) install --editable $(1)
	@rm $(VENV)/unfinished
	@touch $@
endef

$(VENV)/ready-to-play: pyproject.toml
	$(check)
	@echo "Installing Gridglow into $(VENV) ..." >&2
	$(call install,.)

$(VENV)/ready-to-test: pyproject.toml $(VENV)/ready-to-play
	$(check)
	@echo "Installing what the tests need into $(VENV) ..." >&2
	$(call install,'.[test]')
