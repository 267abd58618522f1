import EPGFilter
import XMLTV

/// The guides that a filter reads, and where its result and its warnings go.
struct FilterJob {
    /// What stands for the guides in a call of a filter.
    typealias Work = (
        _ sources: [FilterSource], _ warn: @escaping (FilterWarning) -> Void, _ send: @escaping ([UInt8]) throws -> Void
    ) throws -> Void

    private let inputs: [FilterInput]
    private let output: String?

    /// - Parameters:
    ///   - files: Paths, or `-`; none is standard input.
    ///   - output: The file to replace; `nil` is standard output.
    init(files: [String], output: String? = nil) throws(CommandFailure) {
        var inputs: [FilterInput] = []
        for file in files.isEmpty ? ["-"] : files { inputs.append(try FilterInput(file)) }
        self.inputs = inputs
        self.output = output
    }

    /// Runs a filter. A file is replaced only when the result is complete.
    func run(_ work: Work) throws {
        let file = try output.map { try ReplacedFile(at: $0) }
        try run { sources, warn in
            try work(sources, warn) { bytes in
                if let file { try file.write(bytes) } else { try StandardOutput.write(bytes) }
            }
        }
        try file?.replace()
    }

    /// Runs a filter that knows where its result goes.
    func run(_ work: (_ sources: [FilterSource], _ warn: @escaping (FilterWarning) -> Void) throws -> Void) throws {
        let sources = inputs.map { FilterSource(name: $0.name, source: $0.bytes()) }
        let warnings = FilterWarnings()
        defer { warnings.end() }
        do {
            try work(sources) { warnings.add($0) }
        } catch let error as FilterError {
            throw CommandFailure(error)
        }
    }
}

/// Writes warnings to standard error: each once, and no more than a person would read.
private final class FilterWarnings {
    private static let limit = 200
    private var shown: Set<String> = []
    private var others = 0

    func add(_ warning: FilterWarning) {
        guard shown.count < FilterWarnings.limit else {
            others += 1
            return
        }
        let words = warning.description
        if shown.insert(words).inserted { StandardError.write("epg: warning: \(words.withoutControls)\n") }
    }

    func end() {
        if others > 0 { StandardError.write("epg: \(others) more warnings\n") }
    }
}

extension CommandFailure {
    /// A guide that a filter can't read on, or a result that can't be written.
    fileprivate init(_ error: FilterError) {
        switch error {
        case .unreadable(_, let fault):
            switch fault.reason {
            case .unreadable(.system): self.init(.inputOutput, "\(error).")
            case .unreadable(.tooLarge):
                self.init(.badContent, "\(error). If you trust the guide, unpack it and give the unpacked file.")
            case .unreadable: self.init(.badContent, "\(error). Get the guide again.")
            default:
                self.init(.badContent, "\(error). Repair the guide, or import it: 'epg import' reads what is sound.")
            }
        case .tooManyFiles, .badFileName: self.init(.badContent, "\(error)")
        }
    }
}
