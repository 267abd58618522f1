import Foundation
import TestSupport

/// Python 3, whose modules `json` and `jsonschema` are oracles.
enum Python {
    struct Failure: Error {
        let status: Int32
    }

    /// Returns the output of a program for bytes on its standard input.
    static func output(of program: String, input: [UInt8], _ arguments: [String] = []) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "epg-python-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { _ = Result { try FileManager.default.removeItem(at: folder) } }
        let file = folder.appending(path: "input")
        try Data(input).write(to: file)
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [TestProgram.python, "-c", program] + arguments
        process.standardInput = try FileHandle(forReadingFrom: file)
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
        return String(decoding: output, as: UTF8.self)
    }
}
