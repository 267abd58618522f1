import Foundation
import TestSupport

/// The result of running the built program.
struct CommandRun: Sendable {
    let arguments: [String]
    /// The exit code.
    let status: Int32
    let output: String
    let errors: String

    /// Runs the program and waits for it.
    init(_ arguments: [String], input: String?, environment: [String: String], folder: URL) throws {
        let process = CommandRun.process(arguments, environment: environment, folder: folder)
        let (output, errors, standardInput) = (Pipe(), Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = standardInput
        try process.run()
        // Read both pipes concurrently, so that neither fills up while the other one is read.
        let errorReader = PipeReader(errors.fileHandleForReading)
        try standardInput.fileHandleForWriting.write(contentsOf: Data((input ?? "").utf8))
        try standardInput.fileHandleForWriting.close()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        self.init(
            arguments, status: process.terminationStatus, output: String(decoding: bytes, as: UTF8.self),
            errors: errorReader.text)
    }

    init(_ arguments: [String], status: Int32, output: String, errors: String) {
        (self.arguments, self.status, self.output, self.errors) = (arguments, status, output, errors)
    }

    /// Returns the program as a process that is not started yet.
    static func process(_ arguments: [String], environment: [String: String], folder: URL) -> Process {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = environment
        process.currentDirectoryURL = folder
        return process
    }

    /// `epg` in the folder of the test bundle.
    static let program: URL = {
        let bundle = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        return bundle.deletingLastPathComponent().appending(path: "epg")
    }()

    /// Returns the output, parsed as JSON.
    func json<Value>(as type: Value.Type = Value.self) throws -> Value {
        guard let value = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? Value else {
            throw SandboxError(message: "not a \(type): \(output.prefix(200))")
        }
        return value
    }
}

extension Process {
    /// Waits until the process has opened a file, such as a lock.
    ///
    /// - Returns: Whether it has.
    func opens(_ path: String) -> Bool {
        let descriptors = "/proc/\(processIdentifier)/fd"
        return waitUntil {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: descriptors)) ?? []
            return names.contains { name in
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\(name)")) == path
            }
        }
    }
}

/// Reads a pipe to its end on a separate thread.
private final class PipeReader: @unchecked Sendable {
    // The thread writes it before signaling the semaphore, and other threads read it after that.
    private var bytes = Data()
    private let isDone = DispatchSemaphore(value: 0)

    init(_ handle: FileHandle) {
        Thread.detachNewThread {
            self.bytes = handle.readDataToEndOfFile()
            self.isDone.signal()
        }
    }

    var text: String {
        isDone.wait()
        isDone.signal()
        return String(decoding: bytes, as: UTF8.self)
    }
}
