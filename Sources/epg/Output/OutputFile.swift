import EPGFiles
import EPGImport
import EPGModel
import EPGProgram
import Glibc

/// The output of a command: standard output, or a file that is replaced when the output is complete. Its errors stop the
/// command.
final class OutputFile {
    private let path: String
    /// `nil` for standard output.
    private let file: ReplacedFile?

    /// - Parameters:
    ///   - path: The path of the file; `nil` or `-` for standard output.
    ///   - guide: The exported guide, which must not be overwritten.
    /// - Throws: ``ExitStatus/cannotCreate``.
    init(at path: String?, of guide: (any GuideStorage)? = nil) throws(CommandFailure) {
        self.path = path ?? "-"
        guard let path, path != "-" else {
            file = nil
            return
        }
        guard guide?.owns(file: path) != true else {
            throw CommandFailure(.cannotCreate, "\(path) is a file of the guide itself. Give another file.")
        }
        do throws(ReplacedFile.Failure) {
            file = try ReplacedFile(at: path)
        } catch {
            guard error.fault.number != EISDIR else {
                throw CommandFailure(.cannotCreate, "\(path) is a folder. Give the path of a file.")
            }
            throw Self.failure(error, path, .cannotCreate)
        }
    }

    /// Writes the whole output, and replaces the file.
    ///
    /// - Parameters:
    ///   - isCompressed: Whether to compress the output with gzip.
    ///   - export: Writes all bytes to the sink.
    /// - Throws: The error of the export; the file is then unchanged.
    func write<Outcome>(
        isCompressed: Bool = false, _ export: (@escaping ExportSink) throws -> Outcome
    ) throws -> Outcome {
        let outcome: Outcome
        if isCompressed {
            let compressor = try compressor()
            outcome = try export { try compressor.write($0) }
            try compressor.finish()
        } else {
            outcome = try export { [self] in try append($0) }
        }
        do throws(ReplacedFile.Failure) {
            try file?.replace()
        } catch {
            throw Self.failure(error, path, .inputOutput)
        }
        return outcome
    }

    private func append(_ bytes: [UInt8]) throws(CommandFailure) {
        guard let file else { return try StandardOutput.write(bytes) }
        do throws(ReplacedFile.Failure) {
            try file.write(bytes)
        } catch {
            // The reader of the named pipe has closed it.
            if error.fault.number == EPIPE { throw CommandFailure(.success, "") }
            throw Self.failure(error, path, .inputOutput)
        }
    }

    private func compressor() throws -> GzipFile {
        do {
            return try GzipFile { [self] in try append($0) }
        } catch let error as CompressionError {
            throw CommandFailure(.unavailable, "Cannot compress the output: \(error).")
        }
    }

    private static func failure(
        _ failure: ReplacedFile.Failure, _ path: String, _ code: ExitStatus
    ) -> CommandFailure {
        CommandFailure(
            code, "Cannot \(failure.operation.rawValue) \(path): \(failure.fault). No file was replaced.")
    }
}
