import EPGJSON
import ArgumentParser
import EPGRender

/// How an answer is written.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Write JSON; times are ISO 8601 in UTC.")
    var json = false

    /// Writes an answer: as JSON where that was asked for, else as text for where standard output leads.
    func print(_ value: some JSONValue, text: (Terminal) throws -> String) throws {
        guard json else { return try StandardOutput.write(try text(.standardOutput)) }
        try Self.printJSON(value)
    }

    /// Writes an answer as JSON.
    static func printJSON(_ value: some JSONValue) throws {
        var writer = JSONWriter(style: .lines)
        writer.write(value)
        try StandardOutput.write(writer.takeBytes() + Array("\n".utf8))
    }
}
