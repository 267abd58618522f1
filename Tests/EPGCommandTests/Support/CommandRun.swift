import Foundation

/// A run of the built program, to its end.
struct CommandRun: Sendable {
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
        // Both pipes are read at once, so that neither can be full while the other is waited for.
        let errorReader = PipeReader(errors.fileHandleForReading)
        try standardInput.fileHandleForWriting.write(contentsOf: Data((input ?? "").utf8))
        try standardInput.fileHandleForWriting.close()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        status = process.terminationStatus
        self.output = String(decoding: bytes, as: UTF8.self)
        self.errors = errorReader.text
    }

    /// The program, ready to run.
    static func process(_ arguments: [String], environment: [String: String], folder: URL) -> Process {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = environment
        process.currentDirectoryURL = folder
        return process
    }

    /// `epg` stands beside the test bundle.
    static let program: URL = {
        let bundle = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        return bundle.deletingLastPathComponent().appending(path: "epg")
    }()

    /// The output as JSON.
    func json<Value>(as type: Value.Type = Value.self) throws -> Value {
        guard let value = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? Value else {
            throw SandboxError(words: "not a \(type): \(output.prefix(200))")
        }
        return value
    }
}

/// Reads a pipe to its end on a thread of its own.
private final class PipeReader: @unchecked Sendable {
    // Written by the thread before the semaphore is signalled, read after it: never at once.
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
