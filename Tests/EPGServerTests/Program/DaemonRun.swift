import Foundation

@testable import ServiceTestSupport

/// A completed run of the `epgd` program in the build folder.
struct DaemonRun: Sendable {
    let status: Int32
    let errors: String

    /// Runs the program and waits for it.
    ///
    /// - Parameters:
    ///   - environment: The complete environment of the program.
    ///   - openFiles: Limit of open files; `nil` for the limit of the test process.
    init(_ arguments: [String], environment: [String: String] = [:], openFiles: Int? = nil) async throws {
        (status, errors) = try await RawClient.onThread {
            let process = Process()
            // The program is in the same folder as the test bundle.
            process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
                .deletingLastPathComponent().appending(path: "epgd")
            process.arguments = arguments
            if let openFiles, let program = process.executableURL {
                process.executableURL = URL(filePath: "/bin/sh")
                process.arguments =
                    ["-c", "ulimit -n \(openFiles) && exec \"$0\" \"$@\"", program.path] + arguments
            }
            process.environment = environment
            let errors = Pipe()
            process.standardOutput = FileHandle.nullDevice
            process.standardError = errors
            try process.run()
            let bytes = try errors.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
        }
    }
}
