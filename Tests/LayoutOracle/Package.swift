// swift-tools-version: 6.2
import PackageDescription

// The engine's side of the browser oracle: reads cases as JSON and answers with frames. A package of its own, so that
// nobody builds it but `make oracle`.

let package = Package(
    name: "LayoutOracle",
    dependencies: [
        .package(name: "swift-epg", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "layout-answers",
            dependencies: [.product(name: "EPGLayout", package: "swift-epg")],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
