import EPGFiles
import EPGProgram
import Glibc

/// An output file of a command: a ``ReplacedFile`` whose errors stop the command.
final class OutputFile {
    private let path: String
    private let file: ReplacedFile

    /// - Throws: ``ExitStatus/cannotCreate``.
    init(at path: String) throws(CommandFailure) {
        self.path = path
        do throws(ReplacedFile.Failure) {
            file = try ReplacedFile(at: path)
        } catch {
            guard error.fault.number != EISDIR else {
                throw CommandFailure(.cannotCreate, "\(path) is a folder. Give the path of a file.")
            }
            throw Self.failure(error, path, .cannotCreate)
        }
    }

    /// Appends bytes.
    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        do throws(ReplacedFile.Failure) {
            try file.write(bytes)
        } catch {
            // The reader of the named pipe has closed it.
            if error.fault.number == EPIPE { throw CommandFailure(.success, "") }
            throw Self.failure(error, path, .inputOutput)
        }
    }

    /// Replaces the old file with the complete one.
    func replace() throws(CommandFailure) {
        do throws(ReplacedFile.Failure) {
            try file.replace()
        } catch {
            throw Self.failure(error, path, .inputOutput)
        }
    }

    private static func failure(
        _ failure: ReplacedFile.Failure, _ path: String, _ code: ExitStatus
    ) -> CommandFailure {
        CommandFailure(
            code, "Cannot \(failure.operation.rawValue) \(path): \(failure.fault). No file was replaced.")
    }
}
