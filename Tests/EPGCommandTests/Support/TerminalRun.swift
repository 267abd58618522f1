import Foundation

/// The result of running the built program on a terminal, which `script` of util-linux creates.
struct TerminalRun {
    let status: Int32
    /// The combined standard output and standard error.
    let text: String

    /// Whether this system has `script`.
    static let isAvailable = FileManager.default.isExecutableFile(atPath: script.path)

    private static let script = URL(filePath: "/usr/bin/script")

    /// Runs the program and waits for it.
    ///
    /// - Parameter arguments: The arguments in shell syntax.
    init(_ arguments: String, in sandbox: Sandbox, environment: [String: String] = [:]) throws {
        let variables = sandbox.variables(["TERM": "xterm"].merging(environment) { $1 })
        let process = CommandRun.process([], environment: variables, folder: sandbox.folder)
        process.arguments = ["-qec", "'\(CommandRun.program.path)' \(arguments)", "/dev/null"]
        process.executableURL = TerminalRun.script
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
    }
}
