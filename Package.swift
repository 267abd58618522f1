// swift-tools-version: 6.2
import PackageDescription

/// Warnings are errors in CI only, so that newer compilers can still build the package.
let strictness: [SwiftSetting] = Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)]

let settings: [SwiftSetting] =
    strictness + [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]

/// Modules that parse untrusted input: every unsafe construct in them must be marked `unsafe`.
let strictSettings: [SwiftSetting] = settings + [.strictMemorySafety()]

/// What the modules of the service use of packages.
let web: [Target.Dependency] = [
    .product(name: "HTTPTypes", package: "swift-http-types"),
    .product(name: "Hummingbird", package: "hummingbird"),
    .product(name: "HummingbirdCore", package: "hummingbird"),
    .product(name: "Logging", package: "swift-log"),
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOHTTP1", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
]

/// The fuzz targets, one folder each.
let fuzzTargets = [
    "HTTPHead", "Inflate", "JSONGuide", "Picture", "Playlist", "Query", "Search", "Times", "XMLTVReader",
]

let package = Package(
    name: "swift-epg",
    products: [
        .library(name: "XMLTV", targets: ["XMLTV", "EPGFiles"]),
        .library(name: "CollectionLayout", targets: ["CollectionLayout"]),
        .library(name: "CollectionView", targets: ["CollectionView", "CollectionLayout"]),
        .library(name: "EPGLayout", targets: ["EPGLayout", "CollectionLayout", "EPGModel", "EPGCalendar"]),
        .library(name: "EPGImport", targets: ["EPGImport", "EPGModel", "XMLTV"]),
        .library(name: "EPGStore", targets: ["EPGStore", "EPGModel"]),
        .library(name: "EPGPostgres", targets: ["EPGPostgres", "EPGModel"]),
        .executable(name: "epg", targets: ["epg"]),
        .executable(name: "epgd", targets: ["epgd"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        // GRDB does not test on Linux, and minor versions have failed to build there (GRDB.swift, issues 826 and 1824).
        .package(url: "https://github.com/groue/GRDB.swift", .upToNextMinor(from: "7.10.0")),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // Values and protocols. Imports nothing.
        .target(name: "EPGModel", swiftSettings: strictSettings),

        // Files, system errors and environment variables.
        .target(name: "EPGFiles", swiftSettings: strictSettings),

        // Text files of other modules, embedded in the programs.
        .target(name: "CResources", path: "Sources/C/Resources"),

        // Reading guides.
        .target(name: "XMLTV", dependencies: ["EPGFiles"], swiftSettings: strictSettings),
        .target(name: "EPGCalendar", dependencies: ["EPGFiles", "EPGModel"], swiftSettings: strictSettings),
        // Transformations applied on output: genres, texts, logos and links.
        .target(
            name: "EPGOutput", dependencies: ["EPGFiles", "EPGModel", "EPGCalendar", "CResources"],
            exclude: ["Genres/genres.txt"], swiftSettings: settings),
        // The libraries that are loaded on first use.
        .target(name: "CLibrary", path: "Sources/C/Library", linkerSettings: [.linkedLibrary("dl")]),
        .target(
            name: "CArchive", dependencies: ["CLibrary"], path: "Sources/C/Archive",
            linkerSettings: [.linkedLibrary("z")]),
        .target(name: "CUTF8Proc", dependencies: ["CLibrary"], path: "Sources/C/UTF8Proc"),
        .target(name: "EPGJSON", dependencies: ["EPGModel", "XMLTV"], swiftSettings: strictSettings),
        .target(
            name: "EPGImport",
            dependencies: [
                "EPGFiles", "EPGModel", "EPGJSON", "EPGOutput", "EPGCalendar", "XMLTV", "CArchive", "CUTF8Proc",
            ],
            swiftSettings: settings),

        // The XMLTV project's filters, on streams.
        .target(name: "EPGFilter", dependencies: ["EPGModel", "EPGCalendar", "XMLTV"], swiftSettings: strictSettings),

        // Keeping them. What all SQL engines do, once.
        .target(
            name: "EPGSQL", dependencies: ["EPGModel", "EPGJSON", "EPGOutput", "CResources"],
            swiftSettings: strictSettings),
        .target(name: "CSQLite", path: "Sources/C/SQLite"),
        // The search index, a file of each computer, and the files and connections of SQLite.
        .target(
            name: "EPGSearch",
            dependencies: [
                "EPGFiles", "EPGModel", "CSQLite",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: settings),
        .target(
            name: "EPGStore",
            dependencies: [
                "EPGFiles", "EPGModel", "EPGJSON", "EPGSQL", "EPGSearch",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: settings),

        // The same on PostgreSQL.
        .target(name: "CPostgres", dependencies: ["CLibrary"], path: "Sources/C/Postgres"),
        .target(
            name: "EPGPostgres",
            dependencies: [
                "EPGModel", "EPGJSON", "EPGSQL", "EPGSearch", "CPostgres",
            ],
            swiftSettings: settings),

        // Showing them. The first imports nothing.
        .target(name: "CollectionLayout", swiftSettings: strictSettings),
        .target(name: "CollectionView", dependencies: ["CollectionLayout"], swiftSettings: strictSettings),
        .target(name: "EPGLayout", dependencies: ["EPGModel", "CollectionLayout"], swiftSettings: strictSettings),
        .target(
            name: "EPGRender",
            dependencies: [
                "EPGModel", "EPGJSON", "EPGOutput", "CollectionLayout", "EPGLayout", "EPGCalendar", "XMLTV", "CPage",
            ],
            swiftSettings: settings),
        // Decoding pictures (PNG and JPEG), and encoding them (WebP).
        .target(name: "CWebP", dependencies: ["CLibrary"], path: "Sources/C/WebP"),
        .target(name: "EPGPicture", dependencies: ["CArchive", "CWebP"], swiftSettings: strictSettings),
        // The terminal of a full-screen program.
        .target(name: "CTerminal", path: "Sources/C/Terminal"),
        .target(
            name: "EPGTerminal",
            dependencies: [
                "EPGModel", "EPGCalendar", "CollectionLayout", "CollectionView", "EPGLayout", "EPGRender", "EPGPicture",
                "CTerminal",
            ],
            swiftSettings: settings),
        // The files of the pages, embedded as they are.
        .target(name: "CPage", path: "Sources/C/Page"),

        // Fetching them.
        .target(name: "CCurl", dependencies: ["CLibrary"], path: "Sources/C/Curl"),
        .target(name: "CProcess", path: "Sources/C/Process"),
        // Passwords and tokens.
        .target(name: "CCrypt", path: "Sources/C/Crypt", linkerSettings: [.linkedLibrary("crypt")]),
        .target(
            name: "EPGAccess", dependencies: ["EPGFiles", "EPGModel", "CCrypt"], swiftSettings: strictSettings),
        .target(
            name: "EPGRefresh",
            dependencies: [
                "EPGFiles", "EPGModel", "EPGJSON", "EPGCalendar", "XMLTV", "EPGImport", "CCurl", "CProcess",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),

        // Serving them.
        .target(
            name: "EPGConfig",
            dependencies: [
                "EPGFiles", "EPGModel", "EPGOutput", "EPGCalendar", "XMLTV", "CProcess", "CResources",
                .product(name: "Yams", package: "Yams"),
            ],
            exclude: ["example.yml"],
            swiftSettings: settings),
        // Reading files without waiting for a disk.
        .target(name: "CCachedFile", path: "Sources/C/CachedFile"),
        // Connections, admission and access of a service, which know nothing of a guide.
        .target(
            name: "EPGHTTP",
            dependencies: [
                "EPGAccess", "EPGFiles", "EPGModel", "EPGJSON", "EPGCalendar", "CArchive",
            ] + web,
            swiftSettings: strictSettings),
        .target(
            name: "EPGServer",
            dependencies: [
                "EPGHTTP", "EPGFiles", "EPGModel", "EPGJSON", "EPGOutput", "EPGCalendar", "EPGImport",
                "CollectionLayout", "EPGLayout", "EPGRender", "EPGPicture", "XMLTV", "CCachedFile", "CPage", "CProcess",
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ] + web,
            swiftSettings: settings),

        // Administration in the browser.
        .target(
            name: "EPGAdmin",
            dependencies: [
                "EPGAccess", "EPGHTTP", "EPGServer", "EPGModel", "EPGCalendar", "EPGImport", "EPGRender", "XMLTV",
            ] + web,
            swiftSettings: settings),

        // What both programs share: exit codes, and the next steps after errors.
        .target(name: "EPGProgram", dependencies: ["EPGConfig", "EPGRefresh"], swiftSettings: settings),
        .target(name: "CMemory", path: "Sources/C/Memory"),
        // Empty locale data, which makes the programs 34 MB smaller.
        .target(name: "CICUData", path: "Sources/C/ICUData"),
        // The version, and the commit of a release.
        .target(name: "CVersion", path: "Sources/C/Version"),
        .executableTarget(
            name: "epgd",
            dependencies: [
                "CICUData", "CMemory", "CVersion", "EPGAccess", "EPGFiles", "EPGModel", "EPGJSON", "EPGOutput",
                "EPGCalendar",
                "EPGConfig", "XMLTV",
                "EPGImport", "EPGRender", "EPGRefresh", "EPGHTTP", "EPGServer", "EPGAdmin", "EPGStore", "EPGPostgres",
                "EPGProgram",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "epg",
            dependencies: [
                "CICUData", "CVersion", "EPGAccess", "EPGFiles", "EPGModel", "EPGJSON", "EPGOutput", "EPGCalendar",
                "XMLTV",
                "EPGImport", "EPGFilter", "EPGStore", "EPGSQL", "EPGPostgres", "CollectionLayout", "EPGLayout",
                "EPGRender",
                "EPGPicture",
                "EPGTerminal",
                "EPGRefresh", "EPGConfig", "EPGProgram",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),

        // Proving them.
        .systemLibrary(
            name: "CExpat", path: "Tests/CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        // Finds what tests need from outside the package, compares with golden files, and waits for conditions.
        .target(
            name: "TestSupport", dependencies: ["EPGModel"], path: "Tests/TestSupport", swiftSettings: settings),
        // What every store promises, and doubles of stored guides; the tests of stores, refresh and service use it.
        .target(
            name: "StoreConformance", dependencies: ["EPGModel", "EPGJSON", "XMLTV", "EPGImport", "TestSupport"],
            path: "Tests/StoreConformance", swiftSettings: settings),
        .testTarget(
            name: "EPGAccessTests", dependencies: ["EPGAccess", "EPGModel", "TestSupport"], swiftSettings: settings),
        .testTarget(name: "EPGFilesTests", dependencies: ["EPGFiles", "TestSupport"], swiftSettings: settings),
        .testTarget(name: "EPGModelTests", dependencies: ["EPGModel", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "EPGOutputTests", dependencies: ["EPGModel", "EPGCalendar", "EPGOutput", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "EPGJSONTests", dependencies: ["EPGModel", "EPGJSON", "TestSupport"], swiftSettings: settings),
        .testTarget(name: "XMLTVTests", dependencies: ["XMLTV", "CExpat", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "EPGCalendarTests", dependencies: ["EPGModel", "EPGCalendar", "TestSupport"],
            exclude: ["Schedules/oracle.py", "Schedules/oracle.tsv"], swiftSettings: settings),
        .testTarget(
            name: "EPGImportTests",
            dependencies: [
                "EPGFiles", "EPGModel", "EPGJSON", "EPGSQL", "EPGOutput", "EPGCalendar", "XMLTV", "EPGImport",
                "EPGStore",
                "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            exclude: ["Matching/stations.tsv", "Matching/names.tsv", "Matching/names-held-out.tsv"],
            swiftSettings: settings),
        .testTarget(
            name: "EPGFilterTests", dependencies: ["EPGModel", "EPGCalendar", "XMLTV", "EPGFilter", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "EPGStoreTests",
            dependencies: [
                "EPGModel", "EPGJSON", "EPGSQL", "XMLTV", "EPGImport", "EPGRefresh", "EPGSearch", "EPGStore",
                "StoreConformance",
                "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["Schema/Fixtures"], swiftSettings: settings),
        .testTarget(
            name: "EPGPostgresTests",
            dependencies: [
                "EPGModel", "EPGJSON", "EPGSQL", "XMLTV", "EPGImport", "EPGStore", "EPGPostgres", "StoreConformance",
                "TestSupport",
            ],
            swiftSettings: settings),
        // The corpus reader, the model of batch updates and the lists that tests of layouts and of the view share.
        .target(
            name: "LayoutTestSupport", dependencies: ["CollectionLayout"], path: "Tests/LayoutTestSupport",
            swiftSettings: settings),
        .testTarget(
            name: "CollectionLayoutTests", dependencies: ["CollectionLayout", "LayoutTestSupport", "TestSupport"],
            exclude: ["Corpus"], swiftSettings: settings),
        .testTarget(
            name: "CollectionViewTests",
            dependencies: ["CollectionLayout", "CollectionView", "LayoutTestSupport", "TestSupport"],
            swiftSettings: settings),
        // Compiles the samples of the DocC pages and draws their pictures.
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "EPGModel", "EPGCalendar", "CollectionLayout", "CollectionView", "EPGLayout", "EPGRender", "XMLTV",
                "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "EPGLayoutTests",
            dependencies: ["EPGModel", "CollectionLayout", "CollectionView", "EPGLayout", "TestSupport"],
            exclude: ["Corpus"],
            swiftSettings: settings),
        .testTarget(
            name: "EPGRenderTests",
            dependencies: [
                "EPGModel", "EPGOutput", "EPGJSON", "EPGCalendar", "CollectionLayout", "EPGLayout", "EPGRender",
                "TestSupport",
            ],
            exclude: ["HTML/Goldens"], swiftSettings: settings),
        .testTarget(
            name: "EPGPictureTests", dependencies: ["EPGPicture", "TestSupport"], exclude: ["Fixtures"],
            swiftSettings: settings),
        .testTarget(
            name: "EPGTerminalTests",
            dependencies: [
                "EPGModel", "EPGCalendar", "XMLTV", "EPGImport", "EPGStore", "EPGRender", "EPGPicture", "EPGTerminal",
                "StoreConformance", "TestSupport",
            ],
            swiftSettings: settings),
        // What Tests/System/terminal drives in a pseudo-terminal.
        .executableTarget(
            name: "TerminalProbe", dependencies: ["EPGRender", "EPGTerminal"], path: "Tests/TerminalProbe",
            swiftSettings: settings),
        .testTarget(
            name: "EPGRefreshTests",
            dependencies: [
                "EPGModel", "EPGJSON", "EPGSQL", "EPGCalendar", "XMLTV", "EPGImport", "EPGStore", "StoreConformance",
                "EPGRefresh", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "EPGConfigTests", dependencies: ["EPGModel", "EPGOutput", "EPGConfig", "TestSupport"],
            swiftSettings: settings),
        // A running service with its clients, for the tests of its modules.
        .target(
            name: "ServiceTestSupport",
            dependencies: [
                "EPGAccess", "EPGModel", "EPGSQL", "EPGOutput", "EPGCalendar", "EPGConfig", "XMLTV", "EPGImport",
                "EPGStore", "EPGHTTP", "EPGServer", "EPGAdmin", "epgd", "StoreConformance", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Tests/ServiceTestSupport", swiftSettings: settings),
        .testTarget(
            name: "EPGHTTPTests",
            dependencies: [
                "EPGAccess", "EPGModel", "EPGCalendar", "EPGHTTP", "ServiceTestSupport", "TestSupport",
            ] + web,
            swiftSettings: settings),
        .testTarget(
            name: "EPGAdminTests",
            dependencies: [
                "EPGAccess", "EPGModel", "EPGJSON", "EPGSQL", "EPGCalendar", "EPGConfig", "EPGImport", "EPGStore",
                "EPGPostgres", "StoreConformance", "EPGHTTP", "EPGServer", "EPGAdmin", "epgd",
                "ServiceTestSupport", "TestSupport",
            ] + web,
            swiftSettings: settings),
        .testTarget(
            name: "EPGServerTests",
            dependencies: [
                "EPGFiles", "EPGModel", "EPGJSON", "EPGSQL", "EPGOutput", "EPGCalendar", "EPGConfig", "XMLTV",
                "EPGImport",
                "EPGStore", "EPGPostgres", "StoreConformance", "EPGRender",
                "EPGHTTP", "EPGServer", "EPGAdmin", "epgd", "ServiceTestSupport", "TestSupport",
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Yams", package: "Yams"),
            ] + web,
            swiftSettings: settings),
        // The fuzz targets on their corpora and on mutations; `make test-fuzz` runs them longer, see Fuzz/Package.swift.
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "EPGModel", "EPGJSON", "EPGCalendar", "XMLTV", "EPGImport", "EPGRender", "EPGPicture", "EPGHTTP",
                "EPGServer",
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ] + web,
            path: "Fuzz", exclude: ["Package.swift", "run.sh", "Sources"] + fuzzTargets.map { "\($0)/corpus" },
            sources: fuzzTargets.map { "\($0)/\($0).swift" } + ["ShortRun"], swiftSettings: settings),
        .testTarget(
            name: "EPGProgramTests", dependencies: ["EPGConfig", "EPGRefresh", "EPGProgram", "TestSupport"],
            swiftSettings: settings),
        .testTarget(name: "EPGCommandTests", dependencies: ["epg", "TestSupport"], swiftSettings: settings),
        // A third-party program with the example of README.md. It uses only public declarations.
        .executableTarget(
            name: "EPGExampleClient", dependencies: ["EPGImport", "EPGModel", "EPGStore", "XMLTV"],
            path: "Tests/Client",
            exclude: ["expected.txt"], packageAccess: false),
        // The engine's side of the browser oracle: reads layout cases as JSON and prints frames.
        .executableTarget(
            name: "layout-frames", dependencies: ["EPGLayout", "CollectionLayout", "EPGModel", "EPGCalendar"],
            path: "Tests/LayoutOracle/Frames", packageAccess: false, swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
