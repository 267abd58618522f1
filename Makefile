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
# Port of `make serve`.
PORT ?= 8080
# Options of `swift test` in `make test`, such as FLAGS='--filter Schema', which then runs no journeys; of Tests/System/run.py in
# `make test-SUITE`, such as FLAGS='--short' (Tests/System/run.py --help lists them); of Benchmarks/run.sh and Benchmarks/serving.py.
FLAGS ?=
# How many test cases run at the same time (Swift Testing of Swift 6.3). Without a limit, all tests start at once, and each request of
# a test waits until most other tests have run.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 8

SWIFT_SOURCES = Package.swift Sources Tests Benchmarks Fuzz/Package.swift $(filter-out Fuzz/Package.% Fuzz/Sources,$(wildcard Fuzz/[A-Z]*))
RELEASED = $$(swift build $(RELEASE_FLAGS) --show-bin-path)
BUILT = $$(swift build -c $(CONFIGURATION) --show-bin-path)

.DEFAULT_GOAL := help
.PHONY: help setup build release commit-header install uninstall deb demo serve test goldens check-all bench bench-serving docs lint format clean

help: ## list the targets and the suites
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo "  .ci/run                in continuous integration: lint, test, the short forms of the suites, and the release programs"
	@echo "Suites, which take longer or need other programs (FLAGS=--short is a short form):"
	@Tests/System/run.py --list || echo "  make test-SUITE needs python3" >&2

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
	@Scripts/setup.sh install
	DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" Scripts/install.sh "$(RELEASED)"

uninstall: ## remove the files of make install
	DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" Scripts/install.sh --remove

deb: release ## build a Debian package and its bill of materials (SPDX) in .build-package
	@Scripts/setup.sh packaging
	Scripts/deb.sh "$(RELEASED)" .build-package
	Scripts/sbom.py "$(RELEASED)" >.build-package/swift-epg.spdx.json

demo: ## import the sample guide, show it, and refresh it from a local server
	@Scripts/setup.sh python
	swift build -c $(CONFIGURATION) --product epg
	@Scripts/demo.sh "$(BUILT)/epg"

serve: build ## serve the sample guide at http://127.0.0.1:PORT until Control-C
	@Scripts/serve.sh "$(BUILT)" $(PORT)

# The build comes first: `swift test` would build the programs only as far as the tests need them.
test: ## before a pull request: all Swift tests, and journeys through the programs (FLAGS='--filter NAME': only these tests)
	@Scripts/setup.sh tests
	@Scripts/setup.sh node || echo "the comparison with the guide page's modules will be skipped" >&2
	swift build --build-tests
	swift test --skip-build $(FLAGS)
	@$(if $(FLAGS),,Tests/System/run.py --journeys --jobs 2)

# One recipe for all suites, which Tests/System/run.py lists.
test-%:
	@Scripts/setup.sh python
	@Tests/System/run.py $* $(FLAGS)

check-all: lint ## before a release, for hours: lint, and the full forms of all tests and suites
	@Scripts/setup.sh tests node
	EPG_SCOPE=all swift test
	@Tests/System/run.py

docs: ## build the documentation of the layout libraries into .build/docs
	@Scripts/docs.sh

goldens: ## rewrite the golden files (review the difference like code)
	@Scripts/setup.sh tests
	@# The run that writes the files fails if one differed, so only the second run counts.
	-UPDATE_GOLDENS=1 swift test --filter Golden
	swift test --skip-build --filter Golden
	@git --no-pager diff --stat -- Tests

bench: $(STATIC_FOLDER) commit-header ## compare with libexpat and plain SQLite in one run
	@Scripts/setup.sh tests
	RELEASE_FLAGS='$(EPG_FLAGS)' Benchmarks/run.sh $(FLAGS)

bench-serving: release ## compare the service with nginx serving the same bytes
	@Scripts/setup.sh tests proxies
	@Benchmarks/serving.sh "$(RELEASED)/epgd" $(FLAGS)

lint: ## check the format of the Swift sources, the scripts, and the language
	swift format lint --strict --parallel --recursive $(SWIFT_SOURCES)
	@for script in Scripts/*.sh Benchmarks/*.sh Fuzz/*.sh Tests/System/*/*.sh packaging/*.sh Documentation/images/*.sh .ci/run; do bash -n "$$script" || exit 1; done
	@Scripts/check-language.py
	@export NODE_PATH=/usr/share/nodejs; if Scripts/setup.sh node && node -e 'require("acorn"), require("eslint-scope")' 2>/dev/null; \
	then Scripts/check-modules.js; else echo "the scripts of the pages were not checked" >&2; fi

format: ## format the Swift sources in place
	swift format --in-place --parallel --recursive $(SWIFT_SOURCES)

clean: ## remove everything that was built
	rm -rf .build* Benchmarks/.build* Fuzz/.build* Tests/*/.build*
