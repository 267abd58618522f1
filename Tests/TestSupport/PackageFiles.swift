package import Foundation

/// The files of the package, and the data that tests need from outside it.
package enum PackageFiles {
    /// The root of the package.
    package static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// `../shared/data` next to the package: published guides, the XML test suite of the W3C, and the DTD and the test
    /// data of the XMLTV project.
    package static let sharedData = root.deletingLastPathComponent().appending(path: "shared/data")

    /// Returns the path of a file in `sample-data`.
    package static func sample(_ name: String) -> String { root.appending(path: "sample-data/\(name)").path }
}

/// Programs that tests use as oracles, or to make and decompress files.
package enum TestProgram {
    /// Returns the path of a program in the folders of `PATH`, or of one with a path; `nil` if it is not installed.
    package static func path(of name: String) -> String? {
        if name.contains("/") { return FileManager.default.isExecutableFile(atPath: name) ? name : nil }
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Debian's Python, for which Scripts/setup.sh installs modules, or else the Python in `PATH`.
    package static let python =
        FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") ? "/usr/bin/python3" : "python3"

    /// The reason why a program cannot be run, or the status of one that failed.
    package struct Failure: Error {
        package let program: String
        package let status: Int32?
    }

    /// Runs a program to completion and returns its standard output.
    ///
    /// - Throws: ``Failure`` if the program is not installed or fails.
    package static func output(of name: String, _ arguments: [String]) throws -> [UInt8] {
        guard let path = path(of: name) else { throw Failure(program: name, status: nil) }
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(program: name, status: process.terminationStatus) }
        return [UInt8](output)
    }
}
