# The commands of everyday work; `make help` lists them.

# debug builds soonest; `make demo CONFIGURATION=release` runs fastest.
CONFIGURATION ?= debug
# A release has the runtimes of Swift and C++ in it. BIND_NOW and full RELRO, so that nothing can overwrite the addresses that it
# calls, add 1 to 2% to a start.
# The programs name no folder of their build. The build ID is a hash of the sources, because services that were built apart must
# agree on it: it is part of the names of generations.
# The folder holds nothing but the archive, so that the linker finds no shared library beside it.
STATIC_FOLDER = $(CURDIR)/.build-static
RELEASE_FLAGS = -c release --static-swift-stdlib -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now \
	-Xlinker --gc-sections -Xlinker -L$(STATIC_FOLDER) \
	-Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=.
# epgd, which listens and starts once, is loaded at an address that nobody can foresee; its start takes at most 4% longer. epg
# starts for each command: 103,015 relocations would add 19% to `epg --version`, 6% to `epg now` and 5 to 7% to `epg grid`.
EPG_FLAGS = $(RELEASE_FLAGS) -Xlinker -no-pie
EPGD_FLAGS = $(RELEASE_FLAGS) -Xlinker -pie
build_id = 0x$$({ echo $(1); find Package.swift schema.sql Sources -type f | LC_ALL=C sort | xargs cat; } | sha1sum | cut -c -40)
# Where `make install` puts the programs.
PREFIX ?= /usr/local
# More for `make package-test`, such as PACKAGE_FLAGS=--whole, which builds the programs in a clean Debian too.
PACKAGE_FLAGS ?=
# Seconds that `make fuzz` gives to each target.
SECONDS ?= 60
# Real guides, for `make survey` and `make round-trip`.
GUIDES ?= ../shared/data
# A real guide of some days with series, for `make nights`.
GUIDE ?= $(GUIDES)/matthuisman_i.mjh.nz/au/all/epg.xml.gz
# Rounds of `make kill-test`.
ROUNDS ?= 50
# More for `make oracle`, such as ORACLE_FLAGS='--seed 7 --cases 50'.
ORACLE_FLAGS ?=
# More for `swift test`, such as TEST_FLAGS='--filter Normaliser'.
TEST_FLAGS ?=

SWIFT_SOURCES = Package.swift Sources Tests Benchmarks Fuzz/Package.swift $(filter-out Fuzz/Package.% Fuzz/Sources,$(wildcard Fuzz/[A-Z]*))
RELEASED = $$(swift build $(RELEASE_FLAGS) --show-bin-path)
RELEASED_EPG = $(RELEASED)/epg
BUILT = $$(swift build -c $(CONFIGURATION) --show-bin-path)
EPG = $(BUILT)/epg
# How long proxy-test leaves the service down, in seconds.
DOWN ?= 10
# More for `make browser-test`, such as BROWSER_FLAGS='--only search'.
BROWSER_FLAGS ?=
# More for `make terminal-test`, such as TERMINAL_FLAGS='--only signal'.
TERMINAL_FLAGS ?=
# More for `make faults`, such as FAULTS_FLAGS='--only kills'.
FAULTS_FLAGS ?=
# How long `make soak` takes.
MINUTES ?= 10
# Where `make serve` listens.
PORT ?= 8080

.DEFAULT_GOAL := help
.PHONY: help setup build release install uninstall deb package-test demo serve test client-test browser-test abuse-test proxy-test \
	terminal-test conformance survey round-trip player-test nights grabber-test fuzz docs coverage oracle goldens kill-test faults sanitize soak bench \
	serve-bench lint format

help: ## lists the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## checks for Swift and the system packages, and installs what is missing
	@Scripts/setup.sh

build: setup ## builds the programs epg and epgd
	swift build -c $(CONFIGURATION) --product epg
	swift build -c $(CONFIGURATION) --product epgd

$(STATIC_FOLDER): # without gcc it stays empty, and the shared library is taken
	@mkdir -p $@
	@archive=$$(gcc -print-file-name=libstdc++.a 2>/dev/null); [ ! -f "$$archive" ] || ln -sf "$$archive" $@/

release: setup $(STATIC_FOLDER) ## builds the programs epg and epgd to be installed
	swift build $(EPG_FLAGS) -Xlinker --build-id=$(call build_id,epg) --product epg
	swift build $(EPGD_FLAGS) -Xlinker --build-id=$(call build_id,epgd) --product epgd

install: release ## puts programs, manual pages, completions and systemd units below PREFIX (DESTDIR)
	@Scripts/setup.sh --install
	DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" Scripts/install.sh "$(RELEASED)"

uninstall: ## takes away what make install put there
	DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" Scripts/install.sh --remove

deb: release ## makes a Debian package in .build-package
	@Scripts/setup.sh --packaging
	Scripts/deb.sh "$(RELEASED)" .build-package

package-test: release ## units, manual pages, completions and the Debian package, installed in a clean Debian that is booted
	@Scripts/setup.sh --packaging
	@Scripts/setup.sh --clean-debian || echo "without a clean Debian" >&2
	@python3 Tests/Packaging/packaging.py "$(RELEASED)" $(PACKAGE_FLAGS)

demo: setup ## imports the sample guide, shows it, and refreshes it from a server of this machine
	@Scripts/setup.sh --demo
	swift build -c $(CONFIGURATION) --product epg
	@Scripts/demo.sh "$(EPG)"

serve: build ## serves the sample guide at http://127.0.0.1:PORT, until you press Control-C
	@Scripts/serve.sh "$(BUILT)" $(PORT)

test: ## runs all tests; sanitizers, faults, browser, proxy and oracle tests in their short form
	@Scripts/setup.sh --tests
	@Scripts/setup.sh --browser || echo "the browser tests are left out" >&2
	@Scripts/setup.sh --page || echo "the comparison with the guide page's modules is left out" >&2
	@Scripts/setup.sh --client || echo "the test of the generated client may be skipped" >&2
	@Scripts/setup.sh --faults || echo "some faults are left out" >&2
	@Scripts/setup.sh --proxies || echo "the proxy tests are left out" >&2
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
		else echo "the layout oracle is left out: chromium is missing" >&2; fi

client-test: ## builds the example of README.md against the package's products; talks to epgd by a client generated from openapi.yaml
	@Tests/Client/run.sh
	@Scripts/setup.sh --client || echo "the test of the generated client may be skipped" >&2
	swift build --product epg
	swift build --product epgd
	@Tests/Client/openapi.sh "$$(swift build --show-bin-path)"

browser-test: release ## drives the service in a real browser, with guides of 20,000 stations, speed and accessibility
	@Scripts/setup.sh --browser
	Scripts/browser-test.sh "$(RELEASED)" --long $(BROWSER_FLAGS)

abuse-test: release ## 5,000 requests made up from the OpenAPI document, hostile bytes, guides full of scripts, costly searches
	@Scripts/setup.sh --browser
	Scripts/abuse-test.sh "$(RELEASED)"
	@Scripts/faults.sh "$(RELEASED)" --only searches

proxy-test: release ## nginx and Varnish, as packaging/ sets them up, in front of the service; down for DOWN seconds
	@Scripts/setup.sh --proxies
	@python3 Tests/Proxies/proxies.py --epg "$(RELEASED)/epg" --epgd "$(RELEASED)/epgd" --down $(DOWN)

terminal-test: ## full-screen programs in a pseudo-terminal: screens, keys, mouse, sizes, stops, and every signal
	@Scripts/setup.sh --terminal || echo "the terminal tests may be skipped" >&2
	swift build --product TerminalProbe
	@Tests/Terminal/run.sh "$$(swift build --show-bin-path)" $(TERMINAL_FLAGS)

conformance: ## the W3C's XML suite, libexpat as the oracle on all guides and 100,000 mutations, the XMLTV project's filters
	@Scripts/setup.sh --tests
	EPG_SLOW=1 EPG_MUTATIONS=100000 swift test -c release --filter XMLTVTests
	@Scripts/filter-conformance.sh -c release

survey: release ## what epg validate finds in every real guide (GUIDES), as a table
	@python3 Scripts/survey.py "$(RELEASED_EPG)" "$(GUIDES)"

round-trip: release ## import, export and import of every real guide (GUIDES): equal databases
	@python3 Scripts/round-trip.py "$(RELEASED_EPG)" "$(GUIDES)"

player-test: release ## what pvr.iptvsimple keeps of every real guide (GUIDES): all that the guide shows, with the same times
	@python3 Scripts/player-guide.py "$(RELEASED_EPG)" "$(GUIDES)"

nights: release ## ages the search index: imports a real guide (GUIDE) on 400 simulated nights
	@python3 Scripts/nights.py "$(RELEASED_EPG)" "$(GUIDE)"

grabber-test: release ## the XMLTV project's validators on what we write
	@Scripts/validate-grabber.sh "$(RELEASED_EPG)"

fuzz: ## libFuzzer on every reader, on heads, queries and searches, SECONDS each
	@Scripts/setup.sh --tests
	Fuzz/run.sh $(SECONDS)

docs: ## builds the documentation of the layout libraries into .build/docs, and says how to look at it
	@Scripts/docs.sh

coverage: ## how much of CollectionLayout and CollectionView runs in programs; COVERAGE_FLAGS=--functions lists what does not
	@Scripts/setup.sh --terminal || echo "the terminal tests may be skipped" >&2
	@Scripts/layout-coverage.sh $(COVERAGE_FLAGS)

oracle: ## generated guides, flow and compositional layouts by the engine and by a browser: equal to a device pixel; and the guide page's modules
	@Scripts/setup.sh --oracle
	Tests/LayoutOracle/run.sh $(ORACLE_FLAGS)
	@Scripts/setup.sh --page
	EPG_PAGE_CASES=2000 EPG_PAGE_SEED=$${EPG_PAGE_SEED:-$$(date +%s)} swift test --filter PageAgreementTests

goldens: ## makes the golden files anew; review the difference like code
	@Scripts/setup.sh --tests
	@# The run that writes them fails where one differed, so the run after it is the one that counts.
	-UPDATE_GOLDENS=1 swift test --filter Golden
	swift test --skip-build --filter Golden
	@git --no-pager diff --stat -- Tests

kill-test: release ## kills imports at random instants and proves that the guide is whole
	@Scripts/setup.sh --tests
	@Scripts/kill-test.sh "$(RELEASED_EPG)" $(ROUNDS)

faults: release ## kills, failing calls, full disks, few descriptors, crowds, wrong clocks, damage: no guide is lost; a line for each fault
	@Scripts/setup.sh --faults
	@Scripts/faults.sh "$(RELEASED)" $(FAULTS_FLAGS)

sanitize: ## the modules with unsafe code, C and threads under the address and the thread sanitizer
	@Scripts/setup.sh --tests
	Scripts/sanitize.sh --short 60
	Scripts/sanitize.sh address
	Scripts/sanitize.sh thread

soak: release ## refreshes every ten seconds under load, for MINUTES: memory, descriptors and the log don't grow
	@Scripts/setup.sh --faults
	@Scripts/faults.sh "$(RELEASED)" --only soak --minutes $(MINUTES)

bench: $(STATIC_FOLDER) ## compares with libexpat and plain SQLite, in one run
	@Scripts/setup.sh --tests
	RELEASE_FLAGS='$(EPG_FLAGS)' Benchmarks/run.sh

serve-bench: release ## compares the service with nginx serving the same bytes
	@Scripts/setup.sh --tests
	@Scripts/setup.sh --proxies
	@Benchmarks/serving.sh "$(RELEASED)/epgd"

lint: ## checks the format of the Swift sources and the syntax of the scripts
	swift format lint --strict --parallel --recursive $(SWIFT_SOURCES)
	@for script in Scripts/*.sh Benchmarks/*.sh Fuzz/*.sh Tests/*/*.sh packaging/*.sh .ci/run; do bash -n "$$script" || exit 1; done

format: ## formats the Swift sources in place
	swift format --in-place --parallel --recursive $(SWIFT_SOURCES)
