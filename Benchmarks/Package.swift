// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(name: "swift-epg", path: ".."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .executableTarget(
            name: "reader-benchmark", dependencies: [.product(name: "XMLTV", package: "swift-epg")],
            swiftSettings: settings),
        .executableTarget(
            name: "layout-benchmark",
            dependencies: [
                .product(name: "CollectionView", package: "swift-epg"),
                .product(name: "EPGLayout", package: "swift-epg"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "row-benchmark",
            dependencies: [
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "viewport-benchmark",
            dependencies: [
                .product(name: "EPGStore", package: "swift-epg"), .product(name: "EPGPostgres", package: "swift-epg"),
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
