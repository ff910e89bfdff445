# The verbs of the repository. Thin: each line calls the tool that does the work. `make help` lists them.

PART ?=
TIME ?= 60s

# What tools/setup had to unpack comes first.
export PATH := $(CURDIR)/.toolchain/bin:$(PATH)

# Composer stops a script after five minutes unless told otherwise.
export COMPOSER_PROCESS_TIMEOUT := 0

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup ready build-js ext demo demo-small quick quick-go quick-js quick-php test test-all test-tools \
  test-go test-js test-php test-ext test-lab test-packages test-images test-readme lab report coverage check fmt \
  vectors vectors-regen vectors-release conformance fuzz bench bench-go bench-js bench-first bench-php bench-ext \
  bench-snapshot clean

help: ## List the verbs
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' Makefile

setup: ## Install the toolchains and packages that this checkout lacks (safe to repeat)
	@tools/setup

ready:
	@tools/setup --unless-ready

build-js: ready
	@npm run --silent --workspace js build

ext: ready ## Build the PHP extension for the PHP on PATH, as build/ext/php/modules/polypack.so
	tools/build-ext

demo: ready ## Send real data through every language and back
	node demo/relay.mjs

demo-small: ready ## The same relay with a small sample, in seconds
	node demo/relay.mjs --small

test: ready ## Run every test, two verbs at a time, and print the time of each
	@tools/test

quick: quick-go quick-js quick-php ## Run units and vectors of every part, in seconds each

quick-go: ready ## Run units and vectors of the Go library
	tools/test-go quick

quick-js: ready ## Run units and vectors of the JavaScript package, from its sources
	npm run --silent --workspace js quick

quick-php: ready ## Run units and vectors of the PHP library
	composer run-script --working-dir=php quick

test-all: test ## Run every test, and those of JavaScript and PHP on more versions and builds of Node and PHP
	node --max-semi-space-size=64 conformance/run.mjs
	node tools/test-images.mjs
	node js/tools/test.mjs --node node22,node24,node26
	node js/tools/test-browser.mjs --optional
	php -d extension=$(CURDIR)/build/ext/php/modules/polypack.so php/fuzz/operations.php --operations 1000000
	tools/setup-php
	for php in php8.4 php8.5; do $$php php/tests/run.php || failed="$$failed $$php"; done; test -z "$$failed"
	for version in 8.4 8.5; do tools/test-ext --php $$version || failed="$$failed $$version"; done; test -z "$$failed"
	tools/setup-php asan zts minimal
	for build in zts minimal asan valgrind; do tools/test-ext --build $$build || failed="$$failed $$build"; done; \
	  test -z "$$failed"

test-tools: ready ## Test the tools, the judge and the relay themselves
	node --test --test-reporter=spec tools/tests/*.test.mjs
	npm test --workspace conformance --workspace demo

test-go: ready ## Vet and test the Go modules in every build (tools/test-go --help)
	tools/test-go

# The newest Node, and a browser, run what the quick run has: the oldest has tried everything, and test-all does so in
# each.
test-js: build-js ## Build and test the JavaScript package, in the oldest and newest Node and in a browser
	npm test --workspace js
	node js/tools/test-browser.mjs --optional --quick

test-php: ready ## Test the PHP library in every mode of PHP
	cd php && composer run-script test

test-ext: ready ## Build the PHP extension, and test the PHP library with it
	tools/test-ext

test-lab: build-js ## Test the lab, with contestants that lie, hang and die
	cd lab && composer run-script test
	npm test --silent --workspace lab
	cd lab/workers/go && $(CURDIR)/.toolchain/bin/go test ./...

test-packages: ready ## Install each package into an empty project and use it there
	tools/test-packages $(PART)

test-images: ready ## Build the lab's Docker images without Docker, as root on Debian, and use them
	node tools/test-images.mjs

test-readme: build-js ## Run the commands and examples of the READMEs and guides
	node tools/test-readme.mjs

coverage: ready ## Print how many lines of each part its tests run, minutes (PART=go|php|js FLAGS=--uncovered)
	node tools/coverage.mjs $(FLAGS) $(PART)

check: ready ## Check formatting, types and texts: what CI checks
	tools/check

fmt: ready ## Mend formatting in every language
	tools/check --fix

vectors: ready ## Check the vectors against their schema and bytes
	node tools/vectors/cli.mjs check

vectors-regen: ready ## Rewrite the golden vectors; read git diff afterwards
	node tools/vectors/cli.mjs regen

vectors-release: ready ## Write the vectors out for other projects, with a manifest, into build/vectors
	node tools/vectors/cli.mjs release

conformance: ready ## Judge every implementation by the vectors (or one: IMPL=go; FIX=1, TURNS=1: see conformance/README)
	node --max-semi-space-size=64 conformance/run.mjs $(if $(IMPL),--impl $(IMPL)) $(if $(FIX),--fix) $(if $(TURNS),--turns)
	$(if $(IMPL)$(FIX),,node conformance/cost.mjs --check)
	$(if $(IMPL)$(FIX),,node conformance/fuzz.mjs --seed 1 --count 500)
	$(if $(IMPL)$(FIX),,node conformance/snapshots.mjs --seed 1 --count 1000)

fuzz: ready ## Fuzz one part for a while, all against each other, or what input costs (PART=all|cost|ext|go|js|php|snapshot TIME=60s)
	tools/fuzz $(PART) $(TIME)

bench: ready ## Run the quick benches (PART=go|js|php|first|cost for one)
	node tools/bench.mjs $(PART)

bench-go: ready ## Compare the Go library with others, minutes (PEERS="msgp=DIR msgpck=DIR …" FLAGS="-workloads 12")
	node tools/bench-go.mjs $(foreach peer,$(PEERS),--peer $(peer)) -- $(FLAGS)

bench-js: ready ## Compare the JavaScript package with others, minutes (FLAGS="--quick --node node24 --peers msgpackr")
	node tools/bench-js.mjs $(FLAGS)

bench-first: ready ## Compare first use, in fresh processes, minutes (FLAGS="js --quick --runtime node24 --peers msgpackr")
	node tools/bench-first.mjs $(FLAGS)

bench-php: ready ## Compare the PHP library with others, minutes (PEERS="rybakit=DIR" FLAGS="--workloads event")
	php php/bench/compare.php --modes plain,opcache,jit,jit-function --workloads '*' $(foreach peer,$(PEERS),--peer $(peer)) \
	  $(foreach file,$(wildcard .toolchain/php-extensions/igbinary.so),--extension $(CURDIR)/$(file)) $(FLAGS)

lab: ready ## Compare serializers of PHP, minutes (FLAGS="serialize -b 10,1000 -e symfony")
	php lab/bin/lab $(or $(FLAGS),serialize)

bench-ext: ext ## Compare the PHP extension with others, minutes (FLAGS="--quick --workloads event")
	ext/bench/build
	POLYPACK_ENGINE=ext php php/bench/compare.php --modes opcache --extension $(CURDIR)/build/ext/php/modules/polypack.so \
	  --extension $(CURDIR)/build/ext/bench/floor.so --against pecl,igbinary,json,floor,strict --out build/bench/ext.json \
	  --workloads 'api1000,config,event,event-static,ints*,floats10k,texts300,strs5k,blobs*,matrix*,idmap5k,real-*,small-*' $(FLAGS)

bench-snapshot: ext ## Compare snapshots with other serializers of PHP: size, time to write and to read (FLAGS="--quick --shapes 'rowset_*'")
	POLYPACK_ENGINE=ext php -d opcache.enable_cli=1 -d serialize_precision=-1 -d extension=$(CURDIR)/build/ext/php/modules/polypack.so \
	  php/bench/snapshot.php $(FLAGS)

report: ready ## Make a page of the lab's latest result, a quick one if there is none, or of a bench (FILE=build/bench/js.json)
	test -n "$(FILE)" || test -f build/lab/latest.json || php lab/bin/lab run --quick
	php lab/bin/lab report $(FILE)

clean: ## Remove what builds made; toolchains and packages stay
	rm -rf build js/build js/dist
