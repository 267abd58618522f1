import EPGImport
import Foundation
import TestSupport
import XMLTV

/// Compresses data with installed programs.
enum Archives {
    /// Returns a guide with little repetition, which compresses to about a third.
    static func guide(programmes: Int) -> [UInt8] {
        var state: UInt64 = 42
        var text = "<?xml version=\"1.0\"?>\n<tv>\n"
        for _ in 0..<programmes {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            text += "<programme channel=\"\(state >> 40)\"><title>\(String(state, radix: 36))</title></programme>\n"
        }
        return Array((text + "</tv>\n").utf8)
    }

    /// Returns the output of a shell command for some input, and its exit status.
    static func run(_ command: String, on input: [UInt8]) throws -> (output: [UInt8], status: Int32) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "archives-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            do {
                try FileManager.default.removeItem(at: folder)
            } catch {
                print("cannot remove \(folder.path): \(error)")
            }
        }
        let file = folder.appending(path: "guide.xml")
        try Data(input).write(to: file)
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        process.currentDirectoryURL = folder
        process.standardInput = try FileHandle(forReadingFrom: file)
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (Array(output), process.terminationStatus)
    }

    struct Failure: Error {
        let command: String
        let status: Int32
    }

    /// Returns the bytes compressed by a command.
    static func compress(_ input: [UInt8], _ command: String) throws -> [UInt8] {
        let result = try run(command, on: input)
        guard result.status == 0 else { throw Failure(command: command, status: result.status) }
        return result.output
    }
}

/// The output of a source, and the fault that ended it.
struct ReadResult {
    var bytes: [UInt8] = []
    var fault: ByteFault?

    /// Reads a source to its end, piece by piece.
    init(_ source: some ByteSource, piece: Int = 5000, upTo limit: Int = .max) {
        var source = source
        var buffer = [UInt8](repeating: 0, count: piece)
        do throws(ByteFault) {
            while bytes.count < limit {
                let got = try source.read(into: &buffer, at: 0, upTo: piece)
                if got == 0 { break }
                bytes += buffer[0..<got]
            }
        } catch {
            fault = error
        }
    }

    init(decompressing bytes: [UInt8], limits: DecompressionLimits = DecompressionLimits()) {
        self.init(DecompressedSource(ChunkSource(bytes), limits: limits))
    }
}

/// A program that compresses a stream, and decompresses it again as the oracle.
enum Compressor: String, CaseIterable, Sendable {
    case gzip, xz, bzip2, zstd

    func compress(_ bytes: [UInt8]) throws -> [UInt8] { try Archives.compress(bytes, "\(rawValue) -c") }

    /// Returns what the program itself decompresses, with its exit status.
    func decompress(_ bytes: [UInt8]) throws -> (output: [UInt8], status: Int32) {
        try Archives.run("\(rawValue) -dc", on: bytes)
    }
}

extension Requirement {
    /// All programs that compress.
    static let compressors = Requirement.programs("gzip", "xz", "bzip2", "zstd", "zip")

    /// The library that folds names.
    static let utf8proc = Requirement(NameFolding.normalized("ﬁ") == "fi", missing: "libutf8proc")
}
