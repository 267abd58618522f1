// swift-tools-version: 6.2
import PackageDescription

// The engine's side of the browser oracle: reads layout cases as JSON and prints frames. It is a separate package so
// that only `make test-oracle` and `make test` build it.

let package = Package(
    name: "LayoutOracle",
    dependencies: [
        .package(name: "swift-epg", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "layout-frames",
            dependencies: [.product(name: "EPGLayout", package: "swift-epg")],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
