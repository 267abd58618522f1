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

    private let sources: [FilterSource]
    private let output: String?

    /// - Parameters:
    ///   - files: Paths, or `-`; standard input if empty.
    ///   - output: The file to replace; `nil` or `-` for standard output.
    init(files: [String], output: String? = nil) throws(CommandFailure) {
        var sources: [FilterSource] = []
        for file in files.isEmpty ? ["-"] : files { sources.append(try Self.source(file)) }
        self.sources = sources
        self.output = output
    }

    /// Runs a filter. Replaces the output file only when the result is complete.
    func run(_ filter: Filter) throws {
        try OutputFile(at: output).write { send in
            try run { try filter($0, $1, send) }
        }
    }

    /// Runs a filter that writes its result itself.
    func run(_ filter: (_ sources: [FilterSource], _ warn: @escaping (FilterWarning) -> Void) throws -> Void) throws {
        let warnings = FilterWarnings()
        defer { warnings.finish() }
        try filter(sources) { warnings.add($0) }
    }

    /// Opens a guide, compressed or not.
    private static func source(_ path: String) throws(CommandFailure) -> FilterSource {
        guard path != "-" else {
            return FilterSource(name: "standard input", source: DecompressedSource(FileSource.standardInput))
        }
        if FileStatus(path: path)?.isFolder == true {
            throw CommandFailure(.noInput, "\(path) is a folder. Give the path of a guide.")
        }
        do throws(SystemFault) {
            return FilterSource(name: path, source: DecompressedSource(try FileSource(path: path)))
        } catch {
            throw CommandFailure(.noInput, "Cannot open \(path): \(error).")
        }
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
        if shown.insert(text).inserted { StandardError.report("warning: \(text)") }
    }

    func finish() {
        if omittedCount > 0 { StandardError.report("\(omittedCount) more warnings") }
    }
}
