import EPGImport
import EPGRefresh
import Glibc
import XMLTV

/// A file that a person named, or that stands in a folder that a person named; or standard input.
struct GuideInput: Sendable {
    /// What it is called in messages.
    let name: String
    /// `nil` for standard input.
    let path: String?
    /// The number of bytes, where it is known beforehand.
    let byteCount: Int64?

    /// The files that a text names: one, those of a folder in the order of their names, or standard input.
    ///
    /// - Parameter text: A path, or `-`.
    /// - Throws: ``CommandFailure/Code/noInput`` where there is no such file, or nothing in the folder;
    ///   ``CommandFailure/Code/usage`` for an empty path.
    static func inputs(named text: String) throws(CommandFailure) -> [GuideInput] {
        guard text != "-" else { return [GuideInput(name: "standard input", path: nil, byteCount: nil)] }
        guard !text.isEmpty else {
            throw CommandFailure(
                .usage, "The path of a guide is empty. Give the path of a guide, or - for standard input.")
        }
        var status = stat()
        guard stat(text, &status) == 0, access(text, R_OK) == 0 else {
            let reason = String(cString: strerror(errno))
            throw CommandFailure(
                .noInput, "\(GuideLocation.displayable(text)) can't be opened (\(reason)). Give the path of a guide.")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { return [GuideInput(path: text, status)] }
        let folder = text.hasSuffix("/") ? text : text + "/"
        let inputs = try names(inFolder: text).compactMap { name -> GuideInput? in
            var status = stat()
            guard stat(folder + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            return GuideInput(path: folder + name, status)
        }
        guard !inputs.isEmpty else { throw CommandFailure(.noInput, "\(text) is a folder without files.") }
        return inputs
    }

    private init(name: String, path: String?, byteCount: Int64?) {
        self.name = name
        self.path = path
        self.byteCount = byteCount
    }

    private init(path: String, _ status: stat) {
        let isFile = status.st_mode & S_IFMT == S_IFREG
        self.init(name: path, path: path, byteCount: isFile ? Int64(status.st_size) : nil)
    }

    /// The names in a folder, but hidden ones, in the order of their bytes.
    private static func names(inFolder path: String) throws(CommandFailure) -> [String] {
        guard let folder = opendir(path) else {
            throw CommandFailure(.noInput, "\(path) can't be opened (\(String(cString: strerror(errno)))).")
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Opens the guide and looks at its first bytes; its progress is shown while it is read.
    func open() throws(CommandFailure) -> (file: GuideFile, progress: Progress) {
        let progress = Progress(of: name, total: byteCount)
        guard let path else {
            return (GuideFile(ProgressSource(FileSource.standardInput, progress: progress), name: name), progress)
        }
        do throws(SystemFault) {
            let source = try FileSource(path: path)
            return (GuideFile(ProgressSource(source, progress: progress), name: name), progress)
        } catch {
            throw CommandFailure(.noInput, "\(name) can't be opened (\(error.words)). Give the path of a guide.")
        }
    }
}
