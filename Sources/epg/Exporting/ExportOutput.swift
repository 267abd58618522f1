import EPGImport
import EPGModel
import Glibc

/// Where an export goes: standard output, or a file that is replaced when the export is complete.
final class ExportOutput {
    private let file: ReplacedFile?

    /// - Parameters:
    ///   - path: The file; `nil` or `-` for standard output.
    ///   - guide: The guide that is exported, which must not be overwritten.
    init(to path: String?, of guide: (any GuideStorage)? = nil) throws(CommandFailure) {
        if let path, path != "-", guide?.owns(file: path) ?? false {
            throw CommandFailure(.cannotCreate, "\(path) is the guide itself, or one of its files. Name another file.")
        }
        file = if let path, path != "-" { try ReplacedFile(at: path) } else { nil }
    }

    /// Runs an export and completes the file.
    ///
    /// - Parameters:
    ///   - isCompressed: Whether the bytes are packed with gzip.
    ///   - export: Hands all bytes to the sink.
    /// - Throws: What the export throws; the file that stood is then untouched.
    func write<Outcome>(isCompressed: Bool, _ export: (@escaping ExportSink) throws -> Outcome) throws -> Outcome {
        let file = file
        let sink: ExportSink = { bytes in
            if let file { try file.write(bytes) } else { try StandardOutput.write(bytes) }
        }
        let outcome: Outcome
        if isCompressed {
            let packer = try Self.packer(to: sink)
            outcome = try export { try packer.write($0) }
            try packer.finish()
        } else {
            outcome = try export(sink)
        }
        try file?.replace()
        return outcome
    }

    private static func packer(to sink: @escaping ExportSink) throws -> GzipFile {
        do {
            return try GzipFile(to: sink)
        } catch let error as PackingError {
            throw CommandFailure(.unavailable, "The output can't be packed: \(error).")
        }
    }
}
