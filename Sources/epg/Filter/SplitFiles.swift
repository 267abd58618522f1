import EPGFiles
import EPGProgram
import Glibc

/// A set of output files that replace existing ones when all of them are complete.
///
/// Writes to temporary files in the same folders. No file stays open, because there may be more files than a process
/// may open. Deinitialization removes incomplete files.
final class SplitFiles {
    /// The paths of the temporary files by output path.
    private var temporaries: [String: String] = [:]

    /// Whether no file was written.
    var isEmpty: Bool { temporaries.isEmpty }

    deinit {
        for temporary in temporaries.values { unlink(temporary) }
    }

    /// Appends bytes to a file. Its folder must exist.
    func append(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
        let created = temporaries[path] == nil ? try create(path) : nil
        let temporary = temporaries[path] ?? path
        try SplitFiles.doing("write", path, .inputOutput) { () throws(SystemFault) in
            let file = if let created { created } else { try OpenFile(writing: temporary, appends: true) }
            try file.write(bytes)
        }
    }

    /// Replaces all output files.
    func replaceAll() throws(CommandFailure) {
        for (path, temporary) in temporaries.sorted(by: { $0.key < $1.key }) {
            try SplitFiles.doing("create", path, .cannotCreate) { () throws(SystemFault) in
                guard rename(temporary, path) == 0 else { throw .last }
            }
            temporaries[path] = nil
        }
    }

    private func create(_ path: String) throws(CommandFailure) -> OpenFile {
        let (file, name) = try SplitFiles.doing("create", path, .cannotCreate) { () throws(SystemFault) in
            try OpenFile.temporary(withPrefix: FilePath.sibling(of: path, named: ".epg-"))
        }
        temporaries[path] = name
        try SplitFiles.doing("set the mode of", path, .cannotCreate) { () throws(SystemFault) in
            try file.inheritPermissions(of: FileStatus(path: path))
        }
        return file
    }

    private static func doing<Result>(
        _ operation: String, _ path: String, _ code: ExitStatus, _ body: () throws(SystemFault) -> Result
    ) throws(CommandFailure) -> Result {
        do throws(SystemFault) {
            return try body()
        } catch {
            throw CommandFailure(
                code, "Cannot \(operation) \(path): \(error). Its folder must exist and have space.")
        }
    }
}
