import EPGFiles
import EPGFilter
import EPGImport
import EPGProgram
import Glibc
import XMLTV

/// Runs a filter: opens its input, and writes its result and its warnings.
struct FilterJob {
    /// A filter function.
    typealias Filter = (
        _ sources: [FilterSource], _ warn: @escaping (FilterWarning) -> Void, _ send: @escaping ([UInt8]) throws -> Void
    ) throws -> Void

    private let inputs: [FilterInput]
    private let output: String?

    /// - Parameters:
    ///   - files: Paths, or `-`; standard input if empty.
    ///   - output: The file to replace; `nil` for standard output.
    init(files: [String], output: String? = nil) throws(CommandFailure) {
        var inputs: [FilterInput] = []
        for file in files.isEmpty ? ["-"] : files { inputs.append(try FilterInput(file)) }
        self.inputs = inputs
        self.output = output
    }

    /// Runs a filter. Replaces the output file only when the result is complete.
    func run(_ filter: Filter) throws {
        let file = try output.map { try OutputFile(at: $0) }
        try run { sources, warn in
            try filter(sources, warn) { bytes in
                if let file { try file.write(bytes) } else { try StandardOutput.write(bytes) }
            }
        }
        try file?.replace()
    }

    /// Runs a filter that writes its result itself.
    func run(_ filter: (_ sources: [FilterSource], _ warn: @escaping (FilterWarning) -> Void) throws -> Void) throws {
        let sources = inputs.map { FilterSource(name: $0.name, source: $0.bytes()) }
        let warnings = FilterWarnings()
        defer { warnings.finish() }
        try filter(sources) { warnings.add($0) }
    }
}

/// Writes warnings to standard error, each once and at most 200.
private final class FilterWarnings {
    private static let limit = 200
    private var shown: Set<String> = []
    private var omittedCount = 0

    func add(_ warning: FilterWarning) {
        guard shown.count < FilterWarnings.limit else {
            omittedCount += 1
            return
        }
        var text = warning.description
        if warning == .missingStop { text += "; 'epg filter sort' adds stops" }
        if shown.insert(text).inserted { StandardError.write("epg: warning: \(text.withoutControls)\n") }
    }

    func finish() {
        if omittedCount > 0 { StandardError.write("epg: \(omittedCount) more warnings\n") }
    }
}

/// A guide that a filter reads: a file or standard input, compressed or not.
private struct FilterInput {
    /// The name in messages.
    let name: String
    private let source: FileSource

    /// Opens a guide.
    ///
    /// - Parameter text: A path, or `-`.
    init(_ text: String) throws(CommandFailure) {
        guard text != "-" else {
            name = "standard input"
            source = .standardInput
            return
        }
        name = text
        if FileStatus(path: text)?.isFolder == true {
            throw CommandFailure(.noInput, "\(text) is a folder. Give the path of a guide.")
        }
        do throws(SystemFault) {
            source = try FileSource(path: text)
        } catch {
            throw CommandFailure(.noInput, "Cannot open \(text): \(error).")
        }
    }

    /// The decompressed content.
    func bytes() -> DecompressedSource { DecompressedSource(source) }
}
