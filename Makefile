# make run    build, speak a sentence in a sample's voice into hello.wav
# make test   build with sanitizers and run every test that needs no special hardware
# Both install what is missing first (scripts/setup.sh; quick when nothing is).
JOBS ?= $(shell nproc)

.PHONY: help setup build run test bench bench-peers eval format format-check clean

help:
	@sed -n 's/^# //p' Makefile; echo "also: build bench bench-peers eval format format-check clean"

setup:
	@scripts/setup.sh

build: setup
	@cmake --preset release > build-release.log 2>&1 || { cat build-release.log; exit 1; }
	@rm -f build-release.log
	cmake --build --preset release -j $(JOBS) --target timbre

run: build
	build/release/timbre say "Hello, this is my voice." --voice samples/nova.wav -o hello.wav
	@echo "wrote hello.wav"

test: setup
	cmake --preset dev
	cmake --build --preset dev -j $(JOBS)
	ctest --preset dev -j $(JOBS)

bench: build
	@python3 bench/budgets.py

bench-peers: build
	@bench/peers/run.sh

eval: build
	@bench/evaluate/run.sh

format:
	git ls-files '*.h' '*.cc' | xargs clang-format -i

format-check:
	git ls-files '*.h' '*.cc' | xargs clang-format --dry-run -Werror

clean:
	rm -rf build
