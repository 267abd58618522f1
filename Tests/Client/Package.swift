// swift-tools-version: 6.2
import PackageDescription

// A third-party program: it uses only the package's public products. Its source is the example in README.md.
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
