import Foundation

/// A run of the built program at a terminal, which `script` of util-linux makes.
struct TerminalRun {
    let status: Int32
    /// All that it wrote, to either output.
    let text: String

    /// Runs the program and waits for it; `nil` where this machine has no `script`.
    ///
    /// - Parameter words: The arguments, as one writes them for a shell.
    init?(_ words: String, in sandbox: Sandbox, environment: [String: String] = [:]) throws {
        let script = URL(filePath: "/usr/bin/script")
        guard FileManager.default.isExecutableFile(atPath: script.path) else {
            print("skipped: there is no \(script.path) to make a terminal")
            return nil
        }
        let variables = sandbox.variables(["TERM": "xterm"].merging(environment) { $1 })
        let process = CommandRun.process([], environment: variables, folder: sandbox.folder)
        process.arguments = ["-qec", "'\(CommandRun.program.path)' \(words)", "/dev/null"]
        process.executableURL = script
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
    }
}
