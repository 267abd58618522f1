import Foundation

/// The folder of real guides, which lies beside the package where there is one.
enum SharedFolder {
    static let url: URL = {
        var folder = URL(filePath: #filePath)
        // Support, EPGFilterTests, Tests, the package.
        for _ in 0..<5 { folder.deleteLastPathComponent() }
        return folder.appending(path: "shared/data")
    }()

    /// What the XMLTV project's programs are tested with.
    static let filterCases = url.appending(path: "XMLTV_xmltv/t/data")

    static var hasFilterCases: Bool { FileManager.default.fileExists(atPath: filterCases.path()) }
}
