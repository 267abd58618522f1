# The commands of everyday work; `make help` lists them.

# debug builds soonest; `make demo CONFIGURATION=release` runs fastest.
CONFIGURATION ?= debug
# A release has the runtimes of Swift and C++ in it and stands at a fixed address: it starts a quarter sooner.
# The folder holds nothing but the archive, so that the linker finds no shared library beside it.
STATIC_FOLDER = $(CURDIR)/.build-static
RELEASE_FLAGS = -c release --static-swift-stdlib -Xlinker -no-pie -Xlinker --gc-sections -Xlinker -L$(STATIC_FOLDER)
# Where `make install` puts the program.
PREFIX ?= /usr/local
# Seconds that `make fuzz` gives to each target.
SECONDS ?= 60
# Real guides, for `make survey` and `make round-trip`.
GUIDES ?= ../shared/data
# Rounds of `make kill-test`.
ROUNDS ?= 50
# More for `make oracle`, such as ORACLE_FLAGS='--seed 7 --cases 50'.
ORACLE_FLAGS ?=
# More for `swift test`, such as TEST_FLAGS='--filter Normaliser'.
TEST_FLAGS ?=

SWIFT_SOURCES = Package.swift Sources Tests Benchmarks Fuzz/Package.swift $(wildcard Fuzz/[IJPTX]*)
RELEASED_EPG = $$(swift build $(RELEASE_FLAGS) --show-bin-path)/epg
EPG = $$(swift build -c $(CONFIGURATION) --show-bin-path)/epg

.DEFAULT_GOAL := help
.PHONY: help setup build release install demo test conformance survey round-trip grabber-test fuzz docs oracle goldens \
	kill-test bench lint format

help: ## lists the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## checks for Swift and the system packages, and installs what is missing
	@Scripts/setup.sh

build: setup ## builds the program epg
	swift build -c $(CONFIGURATION) --product epg

$(STATIC_FOLDER): # without gcc it stays empty, and the shared library is taken
	@mkdir -p $@
	@archive=$$(gcc -print-file-name=libstdc++.a 2>/dev/null); [ ! -f "$$archive" ] || ln -sf "$$archive" $@/

release: setup $(STATIC_FOLDER) ## builds the program epg to be installed
	swift build $(RELEASE_FLAGS) --product epg

install: release ## puts epg and the grabber tv_grab_zz_epg into PREFIX/bin
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -s "$(RELEASED_EPG)" "$(DESTDIR)$(PREFIX)/bin/epg"
	ln -sf epg "$(DESTDIR)$(PREFIX)/bin/tv_grab_zz_epg"

demo: build ## imports the sample guide and shows it
	@Scripts/demo.sh "$(EPG)"

test: ## runs all tests
	@Scripts/setup.sh --tests
	swift test $(TEST_FLAGS)

conformance: ## the W3C's XML suite, libexpat as the oracle on all guides and 100,000 mutations, the XMLTV project's filters
	@Scripts/setup.sh --tests
	EPG_SLOW=1 EPG_MUTATIONS=100000 swift test -c release --filter XMLTVTests
	@Scripts/filter-conformance.sh -c release

survey: release ## what epg validate finds in every real guide (GUIDES), as a table
	@python3 Scripts/survey.py "$(RELEASED_EPG)" "$(GUIDES)"

round-trip: release ## import, export and import of every real guide (GUIDES): equal databases
	@python3 Scripts/round-trip.py "$(RELEASED_EPG)" "$(GUIDES)"

grabber-test: release ## the XMLTV project's validators on what we write
	@Scripts/validate-grabber.sh "$(RELEASED_EPG)"

fuzz: ## libFuzzer on every reader, SECONDS each
	@Scripts/setup.sh --tests
	Fuzz/run.sh $(SECONDS)

docs: ## builds the documentation of CollectionLayout into .build/docs, and says how to look at it
	@Scripts/docs.sh

oracle: ## lays generated guides, flow and compositional layouts out with the engine and with a browser: equal to a device pixel
	@Scripts/setup.sh --oracle
	Tests/LayoutOracle/run.sh $(ORACLE_FLAGS)

goldens: ## makes the golden files anew; review the difference like code
	@Scripts/setup.sh --tests
	@# The run that writes them fails where one differed, so the run after it is the one that counts.
	-UPDATE_GOLDENS=1 swift test --filter Golden
	swift test --skip-build --filter Golden
	@git --no-pager diff --stat -- Tests

kill-test: release ## kills imports at random instants and proves that the guide is whole
	@Scripts/setup.sh --tests
	@Scripts/kill-test.sh "$(RELEASED_EPG)" $(ROUNDS)

bench: $(STATIC_FOLDER) ## compares with libexpat and plain SQLite, in one run
	@Scripts/setup.sh --tests
	RELEASE_FLAGS='$(RELEASE_FLAGS)' Benchmarks/run.sh

lint: ## checks the format of the Swift sources and the syntax of the scripts
	swift format lint --strict --parallel --recursive $(SWIFT_SOURCES)
	@for script in Scripts/*.sh Benchmarks/*.sh Fuzz/*.sh Tests/*/*.sh .ci/run; do bash -n "$$script" || exit 1; done

format: ## formats the Swift sources in place
	swift format --in-place --parallel --recursive $(SWIFT_SOURCES)
