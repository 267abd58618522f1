# Development commands; `make help` lists them.

# A debug build takes the least time; `make demo CONFIGURATION=release` runs fastest.
CONFIGURATION ?= debug
# A release is linked statically with the Swift and C++ runtimes. BIND_NOW and full RELRO, which protect the addresses of called
# functions from being overwritten, add 1 to 2% to the start time.
# The programs contain no build paths. The build ID is a hash of the sources, because separately built services must agree on it:
# it is part of the names of generations.
# The folder contains only the archive, so that the linker finds no shared library next to it.
STATIC_FOLDER = $(CURDIR)/.build-static
# Contains epg-commit.h, which `--version` of a release prints. COMMIT sets it where the sources have no Git repository.
COMMIT_FOLDER = $(CURDIR)/.build-commit
RELEASE_FLAGS = -c release --static-swift-stdlib -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now \
	-Xlinker --gc-sections -Xlinker -L$(STATIC_FOLDER) -Xcc -I$(COMMIT_FOLDER) \
	-Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=.
# epgd, which listens and starts once, is loaded at a random address, which adds at most 4% to its start time. epg starts for
# each command: 103,015 relocations would add 19% to `epg --version`, 6% to `epg now` and 5 to 7% to `epg grid`.
EPG_FLAGS = $(RELEASE_FLAGS) -Xlinker -no-pie
EPGD_FLAGS = $(RELEASE_FLAGS) -Xlinker -pie
build_id = 0x$$({ echo $(1); find Package.swift schema.sql Sources -type f | LC_ALL=C sort | xargs cat; } | sha1sum | cut -c -40)
# Installation prefix of `make install`.
PREFIX ?= /usr/local
# Options of `make package-test`, such as PACKAGE_FLAGS=--whole, which also builds the programs in a clean Debian.
PACKAGE_FLAGS ?=
# Seconds per target of `make fuzz`.
SECONDS ?= 60
# Folder of real guides for `make survey` and `make round-trip`.
GUIDES ?= ../shared/data
# A real guide of several days with series for `make nights`.
GUIDE ?= $(GUIDES)/matthuisman_i.mjh.nz/au/all/epg.xml.gz
# Rounds of `make kill-test`.
ROUNDS ?= 50
# Options of `make oracle`, such as ORACLE_FLAGS='--seed 7 --cases 50'.
ORACLE_FLAGS ?=
# Options of `swift test`, such as TEST_FLAGS='--filter Normaliser'.
TEST_FLAGS ?=

SWIFT_SOURCES = Package.swift Sources Tests Benchmarks Fuzz/Package.swift $(filter-out Fuzz/Package.% Fuzz/Sources,$(wildcard Fuzz/[A-Z]*))
RELEASED = $$(swift build $(RELEASE_FLAGS) --show-bin-path)
RELEASED_EPG = $(RELEASED)/epg
BUILT = $$(swift build -c $(CONFIGURATION) --show-bin-path)
EPG = $(BUILT)/epg
# Seconds for which `make proxy-test` stops the service.
DOWN ?= 10
# Options of `make browser-test`, such as BROWSER_FLAGS='--only search'.
BROWSER_FLAGS ?=
# Options of `make terminal-test`, such as TERMINAL_FLAGS='--only signal'.
TERMINAL_FLAGS ?=
# Options of `make faults`, such as FAULTS_FLAGS='--only kills'.
FAULTS_FLAGS ?=
# Duration of `make soak` in minutes.
MINUTES ?= 10
# Port of `make serve`.
PORT ?= 8080

.DEFAULT_GOAL := help
.PHONY: help setup build release commit-header install uninstall deb sbom package-test demo serve test client-test browser-test abuse-test proxy-test \
	terminal-test conformance survey round-trip player-test nights grabber-test fuzz docs coverage oracle goldens kill-test faults sanitize soak bench \
	serve-bench lint format

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## check for Swift and install missing system packages
	@Scripts/setup.sh

build: setup ## build epg and epgd
	swift build -c $(CONFIGURATION) --product epg
	swift build -c $(CONFIGURATION) --product epgd

$(STATIC_FOLDER): # without gcc, the folder stays empty, and the linker uses the shared library
	@mkdir -p $@
	@archive=$$(gcc -print-file-name=libstdc++.a 2>/dev/null); [ ! -f "$$archive" ] || ln -sf "$$archive" $@/

commit-header:
	@Scripts/commit-header.sh "$(COMMIT_FOLDER)" "$(COMMIT)"

release: setup $(STATIC_FOLDER) commit-header ## build epg and epgd for installation
	swift build $(EPG_FLAGS) -Xlinker --build-id=$(call build_id,epg) --product epg
	swift build $(EPGD_FLAGS) -Xlinker --build-id=$(call build_id,epgd) --product epgd

install: release ## install programs, manual pages, completions and systemd units below PREFIX (and DESTDIR)
	@Scripts/setup.sh --install
	DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" Scripts/install.sh "$(RELEASED)"

uninstall: ## remove the files of make install
	DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" Scripts/install.sh --remove

deb: release ## build a Debian package in .build-package
	@Scripts/setup.sh --packaging
	Scripts/deb.sh "$(RELEASED)" .build-package

package-test: release ## test units, manual pages, completions and the Debian package, in a booted, clean Debian
	@Scripts/setup.sh --packaging
	@Scripts/setup.sh --clean-debian || echo "the tests in a clean Debian will be skipped" >&2
	@python3 Tests/Packaging/packaging.py "$(RELEASED)" $(PACKAGE_FLAGS)

demo: setup ## import the sample guide, show it, and refresh it from a local server
	@Scripts/setup.sh --demo
	swift build -c $(CONFIGURATION) --product epg
	@Scripts/demo.sh "$(EPG)"

serve: build ## serve the sample guide at http://127.0.0.1:PORT until Control-C
	@Scripts/serve.sh "$(BUILT)" $(PORT)

test: ## run all tests, with short forms of the sanitizer, fault, browser, proxy and oracle tests
	@Scripts/setup.sh --tests
	@Scripts/setup.sh --browser || echo "the browser tests will be skipped" >&2
	@Scripts/setup.sh --page || echo "the comparison with the guide page's modules will be skipped" >&2
	@Scripts/setup.sh --client || echo "the test of the generated client may be skipped" >&2
	@Scripts/setup.sh --faults || echo "some faults will be skipped" >&2
	@Scripts/setup.sh --proxies || echo "the proxy tests will be skipped" >&2
	@Scripts/setup.sh --terminal || echo "the terminal tests may be skipped" >&2
	swift test $(TEST_FLAGS)
	@Tests/Client/run.sh
	@Tests/Client/openapi.sh "$$(swift build --show-bin-path)"
	@Tests/Terminal/run.sh "$$(swift build --show-bin-path)" --short
	@Scripts/sanitize.sh --short 3
	@Scripts/faults.sh "$$(swift build --show-bin-path)" --short --untimed
	@Scripts/browser-test.sh "$$(swift build --show-bin-path)" --short
	@python3 Tests/Proxies/proxies.py --epg "$$(swift build --show-bin-path)/epg" \
		--epgd "$$(swift build --show-bin-path)/epgd" --short || [ $$? -eq 69 ]
	@if command -v chromium >/dev/null; then Tests/LayoutOracle/run.sh --cases 5; \
		else echo "the layout oracle is skipped: chromium is missing" >&2; fi

client-test: ## build the example of README.md with the package's products; test epgd with a client generated from openapi.yaml
	@Tests/Client/run.sh
	@Scripts/setup.sh --client || echo "the test of the generated client may be skipped" >&2
	swift build --product epg
	swift build --product epgd
	@Tests/Client/openapi.sh "$$(swift build --show-bin-path)"

browser-test: release ## test the service in a browser: guides of 20,000 stations, speed, accessibility
	@Scripts/setup.sh --browser
	Scripts/browser-test.sh "$(RELEASED)" --long $(BROWSER_FLAGS)

abuse-test: release ## test hostile input: 5,000 generated requests, malformed bytes, guides with scripts, expensive searches
	@Scripts/setup.sh --browser
	Scripts/abuse-test.sh "$(RELEASED)"
	@Scripts/faults.sh "$(RELEASED)" --only searches

proxy-test: release ## test nginx and Varnish with the configuration of packaging/ in front of the service, stopped for DOWN seconds
	@Scripts/setup.sh --proxies
	@python3 Tests/Proxies/proxies.py --epg "$(RELEASED)/epg" --epgd "$(RELEASED)/epgd" --down $(DOWN)

terminal-test: ## test full-screen programs in a pseudo-terminal: screens, keys, mouse, sizes, suspension, signals
	@Scripts/setup.sh --terminal || echo "the terminal tests may be skipped" >&2
	swift build --product TerminalProbe
	@Tests/Terminal/run.sh "$$(swift build --show-bin-path)" $(TERMINAL_FLAGS)

conformance: ## run the W3C XML suite, compare with libexpat on all guides and 100,000 mutations, run the XMLTV project's filter suite
	@Scripts/setup.sh --tests
	EPG_SLOW=1 EPG_MUTATIONS=100000 swift test -c release --filter XMLTVTests
	@Scripts/filter-conformance.sh -c release

survey: release ## print a table of epg validate's results for every real guide (GUIDES)
	@python3 Scripts/survey.py "$(RELEASED_EPG)" "$(GUIDES)"

round-trip: release ## import, export and import every real guide (GUIDES) and compare the databases
	@python3 Scripts/round-trip.py "$(RELEASED_EPG)" "$(GUIDES)"

player-test: release ## check that pvr.iptvsimple keeps all airings of every real guide (GUIDES) with the same times
	@python3 Scripts/player-guide.py "$(RELEASED_EPG)" "$(GUIDES)"

nights: release ## age the search index: import a real guide (GUIDE) on 400 simulated nights
	@python3 Scripts/nights.py "$(RELEASED_EPG)" "$(GUIDE)"

grabber-test: release ## run the XMLTV project's validators on the output of epg
	@Scripts/validate-grabber.sh "$(RELEASED_EPG)"

fuzz: ## run libFuzzer on every reader, HTTP heads, queries and searches, SECONDS each
	@Scripts/setup.sh --tests
	Fuzz/run.sh $(SECONDS)

docs: ## build the documentation of the layout libraries into .build/docs
	@Scripts/docs.sh

coverage: ## measure how much of CollectionLayout and CollectionView the programs execute (COVERAGE_FLAGS=--functions lists the rest)
	@Scripts/setup.sh --terminal || echo "the terminal tests may be skipped" >&2
	@Scripts/layout-coverage.sh $(COVERAGE_FLAGS)

oracle: ## compare generated layouts of the engine with a browser, to a device pixel, and with the guide page's modules
	@Scripts/setup.sh --oracle
	Tests/LayoutOracle/run.sh $(ORACLE_FLAGS)
	@Scripts/setup.sh --page
	EPG_PAGE_CASES=2000 EPG_PAGE_SEED=$${EPG_PAGE_SEED:-$$(date +%s)} swift test --filter PageAgreementTests

goldens: ## rewrite the golden files (review the difference like code)
	@Scripts/setup.sh --tests
	@# The run that writes the files fails if one differed, so only the second run counts.
	-UPDATE_GOLDENS=1 swift test --filter Golden
	swift test --skip-build --filter Golden
	@git --no-pager diff --stat -- Tests

kill-test: release ## kill imports at random instants and verify that the guide is intact
	@Scripts/setup.sh --tests
	@Scripts/kill-test.sh "$(RELEASED_EPG)" $(ROUNDS)

faults: release ## inject faults (kills, failing calls, full disks, few descriptors, concurrency, wrong clocks, damage) and verify the guide
	@Scripts/setup.sh --faults
	@Scripts/faults.sh "$(RELEASED)" $(FAULTS_FLAGS)

sanitize: ## run the modules with unsafe code, C or threads under the address and thread sanitizers
	@Scripts/setup.sh --tests
	Scripts/sanitize.sh --short 60
	Scripts/sanitize.sh address
	Scripts/sanitize.sh thread

soak: release ## refresh every ten seconds under load for MINUTES; memory, descriptors and the log must not grow
	@Scripts/setup.sh --faults
	@Scripts/faults.sh "$(RELEASED)" --only soak --minutes $(MINUTES)

sbom: release ## list what the programs contain, as SPDX JSON in .build-package
	@mkdir -p .build-package
	@Scripts/sbom.py "$(RELEASED)" >.build-package/swift-epg.spdx.json
	@echo .build-package/swift-epg.spdx.json

bench: $(STATIC_FOLDER) commit-header ## compare with libexpat and plain SQLite in one run
	@Scripts/setup.sh --tests
	RELEASE_FLAGS='$(EPG_FLAGS)' Benchmarks/run.sh

serve-bench: release ## compare the service with nginx serving the same bytes
	@Scripts/setup.sh --tests
	@Scripts/setup.sh --proxies
	@Benchmarks/serving.sh "$(RELEASED)/epgd"

lint: ## check the format of the Swift sources, the syntax of the scripts, and the language
	swift format lint --strict --parallel --recursive $(SWIFT_SOURCES)
	@for script in Scripts/*.sh Benchmarks/*.sh Fuzz/*.sh Tests/*/*.sh packaging/*.sh .ci/run; do bash -n "$$script" || exit 1; done
	@Scripts/check-language.py

format: ## format the Swift sources in place
	swift format --in-place --parallel --recursive $(SWIFT_SOURCES)
