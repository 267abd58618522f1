# The commands of everyday work; `make help` lists them.

# debug builds soonest; `make demo CONFIGURATION=release` runs fastest.
CONFIGURATION ?= debug
# Rounds of `make kill-test`.
ROUNDS ?= 50
# More for `swift test`, such as TEST_FLAGS='--filter Normaliser'.
TEST_FLAGS ?=

SWIFT_SOURCES = Package.swift Sources Tests Benchmarks
EPG = $$(swift build -c $(CONFIGURATION) --show-bin-path)/epg

.DEFAULT_GOAL := help
.PHONY: help setup build demo test conformance goldens kill-test bench lint format

help: ## lists the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## checks for Swift and the system packages, and installs what is missing
	@Scripts/setup.sh

build: setup ## builds the program epg
	swift build -c $(CONFIGURATION) --product epg

demo: build ## imports the sample guide and shows it
	@Scripts/demo.sh "$(EPG)"

test: ## runs all tests
	@Scripts/setup.sh --tests
	swift test $(TEST_FLAGS)

conformance: ## runs the XML conformance suites: the W3C's, and libexpat as the oracle
	@Scripts/setup.sh --tests
	swift test --filter 'W3C|Expat'

goldens: ## makes the golden files anew; review the difference like code
	@Scripts/setup.sh --tests
	@# The run that writes them fails where one differed, so the run after it is the one that counts.
	-UPDATE_GOLDENS=1 swift test --filter Golden
	swift test --skip-build --filter Golden
	@git --no-pager diff --stat -- Tests

kill-test: build ## kills imports at random instants and proves that the guide is whole
	@Scripts/kill-test.sh "$(EPG)" $(ROUNDS)

bench: ## compares with libexpat and plain SQLite, in one run
	@Scripts/setup.sh --tests
	@Benchmarks/run.sh

lint: ## checks the format of the Swift sources and the syntax of the scripts
	swift format lint --strict --parallel --recursive $(SWIFT_SOURCES)
	@for script in Scripts/*.sh Benchmarks/*.sh .ci/run; do bash -n "$$script" || exit 1; done

format: ## formats the Swift sources in place
	swift format --in-place --parallel --recursive $(SWIFT_SOURCES)
