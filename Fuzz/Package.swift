// swift-tools-version: 6.2
import PackageDescription

// Fuzz targets, one folder each. A target is a function that accepts any bytes and returns unless a rule is broken; it
// is exported as LLVMFuzzerTestOneInput. `swift test` runs the same functions briefly (FuzzTests of the package above).
// This package builds them as archives because it compiles the program's modules with libFuzzer's counters and needs
// their internal declarations; Sources is a link to the program's. run.sh links each archive with libFuzzer, which
// provides `main`. Third-party packages are compiled without counters.

let features: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .define("FUZZING"),
]
let settings = features + [.unsafeFlags(["-sanitize=fuzzer", "-parse-as-library", "-enable-testing"])]

/// Dependencies of the service.
let server: [Target.Dependency] = [
    .product(name: "HTTPTypes", package: "swift-http-types"),
    .product(name: "Hummingbird", package: "hummingbird"),
    .product(name: "HummingbirdCore", package: "hummingbird"),
    .product(name: "Logging", package: "swift-log"),
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOEmbedded", package: "swift-nio"),
    .product(name: "NIOHTTP1", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
    .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
]

/// Modules under test by target.
let subjects: [(name: String, modules: [Target.Dependency])] = [
    ("HTTPHead", ["EPGModel", "EPGCalendar", "EPGHTTP", "EPGServer"] + server),
    ("Inflate", ["EPGImport", "XMLTV"]),
    ("JSONGuide", ["EPGImport", "EPGJSON", "EPGModel", "XMLTV"]),
    ("Picture", ["EPGPicture"]),
    ("Playlist", ["EPGImport", "EPGModel", "XMLTV"]),
    ("Query", ["EPGModel", "EPGCalendar", "EPGImport", "EPGRender", "EPGHTTP", "EPGServer"] + server),
    ("Search", ["EPGModel"]),
    ("Times", ["XMLTV"]),
    ("XMLTVReader", ["XMLTV"]),
]

let package = Package(
    name: "Fuzz",
    products: subjects.map { .library(name: "Fuzz\($0.name)", type: .static, targets: ["Fuzz\($0.name)"]) },
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .target(name: "CArchive", dependencies: ["CLibrary"], path: "Sources/C/Archive"),
        .target(name: "CCachedFile", path: "Sources/C/CachedFile"),
        .target(name: "CCrypt", path: "Sources/C/Crypt"),
        .target(name: "CLibrary", path: "Sources/C/Library"),
        .target(name: "CPage", path: "Sources/C/Page"),
        .target(name: "CProcess", path: "Sources/C/Process"),
        .target(name: "CResources", path: "Sources/C/Resources"),
        .target(name: "CUTF8Proc", dependencies: ["CLibrary"], path: "Sources/C/UTF8Proc"),
        .target(name: "CWebP", dependencies: ["CLibrary"], path: "Sources/C/WebP"),
        .target(name: "EPGModel", swiftSettings: settings),
        .target(name: "EPGFiles", swiftSettings: settings),
        .target(name: "EPGCalendar", dependencies: ["EPGFiles", "EPGModel"], swiftSettings: settings),
        .target(name: "XMLTV", dependencies: ["EPGFiles"], swiftSettings: settings),
        .target(name: "EPGJSON", dependencies: ["EPGModel", "XMLTV"], swiftSettings: settings),
        .target(
            name: "EPGOutput", dependencies: ["EPGFiles", "EPGModel", "EPGCalendar", "CResources"],
            exclude: ["Genres/genres.txt"],
            swiftSettings: settings),
        .target(
            name: "EPGImport",
            dependencies: [
                "EPGFiles", "EPGModel", "EPGJSON", "EPGOutput", "EPGCalendar", "XMLTV", "CArchive", "CUTF8Proc",
            ],
            swiftSettings: settings),
        .target(name: "EPGPicture", dependencies: ["CArchive", "CWebP"], swiftSettings: settings),
        .target(name: "EPGAccess", dependencies: ["EPGFiles", "EPGModel", "CCrypt"], swiftSettings: settings),
        .target(name: "CollectionLayout", swiftSettings: features),
        .target(name: "EPGLayout", dependencies: ["EPGModel", "CollectionLayout"], swiftSettings: features),
        .target(
            name: "EPGRender",
            dependencies: [
                "EPGModel", "EPGJSON", "EPGOutput", "CollectionLayout", "EPGLayout", "EPGCalendar", "XMLTV", "CPage",
            ],
            swiftSettings: features),
        .target(
            name: "EPGHTTP",
            dependencies: ["EPGAccess", "EPGFiles", "EPGModel", "EPGJSON", "EPGCalendar", "CArchive"] + server,
            swiftSettings: settings),
        .target(
            name: "EPGServer",
            dependencies: [
                "EPGAccess", "EPGHTTP", "EPGFiles", "EPGModel", "EPGJSON", "EPGOutput", "EPGCalendar", "EPGImport",
                "CollectionLayout", "EPGLayout", "EPGRender", "EPGPicture", "XMLTV", "CCachedFile", "CPage",
                "CProcess",
            ] + server, swiftSettings: settings),
    ]
        + subjects.map { name, modules in
            .target(
                name: "Fuzz\(name)", dependencies: modules, path: name, exclude: ["corpus"], swiftSettings: settings)
        },
    swiftLanguageModes: [.v6]
)
