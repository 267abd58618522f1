import Foundation

/// The result of running the built program on a terminal, which `script` of util-linux creates.
struct TerminalRun {
    let status: Int32
    /// The combined standard output and standard error.
    let text: String

    /// Runs the program and waits for it.
    ///
    /// - Parameter arguments: The arguments in shell syntax.
    init(_ arguments: String, in sandbox: Sandbox, environment: [String: String] = [:]) throws {
        let variables = sandbox.variables(["TERM": "xterm"].merging(environment) { $1 })
        let process = CommandRun.process([], environment: variables, folder: sandbox.folder)
        process.arguments = ["script", "-qec", "'\(CommandRun.program.path)' \(arguments)", "/dev/null"]
        process.executableURL = URL(filePath: "/usr/bin/env")
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
    }
}
