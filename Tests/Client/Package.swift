// swift-tools-version: 6.2
import PackageDescription

// A program of somebody else: it sees the package's products and nothing else of it. Its source is the example of README.md.
let package = Package(
    name: "Client",
    dependencies: [.package(name: "swift-epg", path: "../..")],
    targets: [
        .executableTarget(
            name: "Client",
            dependencies: [
                .product(name: "EPGImport", package: "swift-epg"),
                .product(name: "EPGStore", package: "swift-epg"),
                .product(name: "XMLTV", package: "swift-epg"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
