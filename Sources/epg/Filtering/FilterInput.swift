import EPGImport
import Glibc
import XMLTV

/// A guide that a filter reads: a file or standard input, packed or not.
struct FilterInput {
    /// What it is called in messages.
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
        var status = stat()
        if stat(text, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            throw CommandFailure(.noInput, "\(text) is a folder. Give the path of a guide.")
        }
        do throws(SystemFault) {
            source = try FileSource(path: text)
        } catch {
            throw CommandFailure(.noInput, "\(text) can't be opened (\(error.words)). Give the path of a guide.")
        }
    }

    /// Its bytes, unpacked.
    func bytes() -> UnpackedSource { UnpackedSource(source) }
}
