// swift-tools-version: 6.2
import PackageDescription

// Fuzz targets, one folder each, with a function that is exported as LLVMFuzzerTestOneInput. They are built as archives
// of this package, because it compiles the program's modules with libFuzzer's counters and needs their `package`
// declarations; Sources is a link to the program's. run.sh links each with libFuzzer, whose `main` it takes.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .unsafeFlags(["-sanitize=fuzzer", "-parse-as-library"]),
]

/// Which modules a target reads with.
let subjects: [(name: String, modules: [Target.Dependency])] = [
    ("Inflate", ["EPGImport", "XMLTV"]),
    ("JSONGuide", ["EPGImport", "EPGModel", "XMLTV"]),
    ("Playlist", ["EPGImport", "EPGModel", "XMLTV"]),
    ("Times", ["XMLTV"]),
    ("XMLTVReader", ["XMLTV"]),
]

let package = Package(
    name: "Fuzz",
    products: subjects.map { .library(name: "Fuzz\($0.name)", type: .static, targets: ["Fuzz\($0.name)"]) },
    targets: [
        .target(name: "CArchive"),
        .target(name: "CUTF8Proc"),
        .target(name: "EPGModel", swiftSettings: settings),
        .target(name: "EPGCalendar", dependencies: ["EPGModel"], swiftSettings: settings),
        .target(name: "XMLTV", swiftSettings: settings),
        .target(
            name: "EPGImport", dependencies: ["EPGModel", "EPGCalendar", "XMLTV", "CArchive", "CUTF8Proc"],
            swiftSettings: settings),
    ]
        + subjects.map { name, modules in
            .target(
                name: "Fuzz\(name)", dependencies: modules, path: name, exclude: ["corpus"], swiftSettings: settings)
        },
    swiftLanguageModes: [.v6]
)
