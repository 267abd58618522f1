import EPGImport
import EPGModel
import EPGProgram
import Glibc

/// The destination of an export: standard output, or a file that is replaced when the export is complete.
final class ExportOutput {
    private let file: OutputFile?

    /// - Parameters:
    ///   - path: The path of the file; `nil` or `-` for standard output.
    ///   - guide: The exported guide, which must not be overwritten.
    init(to path: String?, of guide: (any GuideStorage)? = nil) throws(CommandFailure) {
        if let path, path != "-", guide?.owns(file: path) ?? false {
            throw CommandFailure(.cannotCreate, "\(path) is a file of the guide itself. Give another file.")
        }
        file = if let path, path != "-" { try OutputFile(at: path) } else { nil }
    }

    /// Runs an export and replaces the file.
    ///
    /// - Parameters:
    ///   - isCompressed: Whether to compress the output with gzip.
    ///   - export: Writes all bytes to the sink.
    /// - Throws: The error of the export; the file is then unchanged.
    func write<Outcome>(isCompressed: Bool, _ export: (@escaping ExportSink) throws -> Outcome) throws -> Outcome {
        let file = file
        let sink: ExportSink = { bytes in
            if let file { try file.write(bytes) } else { try StandardOutput.write(bytes) }
        }
        let outcome: Outcome
        if isCompressed {
            let compressor = try Self.compressor(to: sink)
            outcome = try export { try compressor.write($0) }
            try compressor.finish()
        } else {
            outcome = try export(sink)
        }
        try file?.replace()
        return outcome
    }

    private static func compressor(to sink: @escaping ExportSink) throws -> GzipFile {
        do {
            return try GzipFile(to: sink)
        } catch let error as CompressionError {
            throw CommandFailure(.unavailable, "Cannot compress the output: \(error).")
        }
    }
}
