import Foundation

/// The folder of real guides, which lies beside the package where there is one.
enum SharedFolder {
    static let url: URL = {
        var folder = URL(filePath: #filePath)
        // Support, XMLTVTests, Tests, the package.
        for _ in 0..<5 { folder.deleteLastPathComponent() }
        return folder.appending(path: "shared/data")
    }()

    static var exists: Bool { FileManager.default.fileExists(atPath: url.path()) }

    /// All files that look like XML or compressed XML, sorted by path.
    static func documents() -> [URL] {
        let endings = ["xml", "xml.gz", "xml-expected", "expected", "xsd"]
        let found = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)
        return (found?.compactMap { $0 as? URL } ?? [])
            .filter { file in endings.contains { file.lastPathComponent.lowercased().hasSuffix(".\($0)") } }
            .sorted { $0.path() < $1.path() }
    }

    /// The path from the folder on.
    static func name(of file: URL) -> String { String(file.path().dropFirst(url.path().count)) }

    /// The bytes of a file, inflated if it is compressed.
    static func bytes(of file: URL) throws -> [UInt8] {
        guard file.pathExtension == "gz" else { return [UInt8](try Data(contentsOf: file)) }
        return try Program.output(of: "/usr/bin/gzip", ["-dc", file.path()])
    }
}

/// Runs the programs that tests compare with or unpack with.
enum Program {
    struct Failure: Error {
        let program: String
        let status: Int32
    }

    static func exists(_ path: String) -> Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// What a program writes to its standard output.
    static func output(of path: String, _ arguments: [String]) throws -> [UInt8] {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(program: path, status: process.terminationStatus)
        }
        return [UInt8](output)
    }
}
