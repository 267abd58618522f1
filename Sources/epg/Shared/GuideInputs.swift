import EPGFiles
import EPGImport
import EPGProgram
import EPGRefresh
import EPGRender
import Glibc
import XMLTV

/// The input of a command, sorted into guides and playlists by content.
///
/// All JSON files form one guide, because a Schedules Direct guide consists of several files. Every other file is one
/// guide or playlist.
struct GuideInputs {
    /// A guide or a playlist.
    struct Piece {
        let name: String
        let files: [GuideFile]
        let isPlaylist: Bool
        /// Whether the file was found in a folder that the user named.
        let isFromFolder: Bool
        let progress: Progress?
    }

    private let inputs: [GuideInput]

    /// - Parameter names: Paths of files or folders; `-` is standard input.
    /// - Throws: ``CommandFailure/Code/noInput`` for a missing file.
    init(_ names: [String]) throws(CommandFailure) {
        var inputs: [GuideInput] = []
        for name in names { inputs += try GuideInput.inputs(at: name) }
        self.inputs = inputs
    }

    /// Opens the inputs one after the other: guides in the given order, then the JSON guide, then playlists.
    func forEach(_ body: (Piece) throws -> Void) throws {
        var json: [GuideFile] = []
        var playlists: [Piece] = []
        for input in inputs {
            let (file, progress) = try input.open()
            guard file.format == .json else {
                let piece = Piece(
                    name: input.name, files: [file], isPlaylist: file.format == .playlist,
                    isFromFolder: input.isFromFolder, progress: progress)
                if piece.isPlaylist { playlists.append(piece) } else { try body(piece) }
                continue
            }
            // Open the file later, because a folder may have more files than a process can open at once.
            if let path = input.path, input.byteCount != nil {
                json.append(GuideFile(DeferredSource(path: path), name: input.name, format: .json))
            } else {
                json.append(file)
            }
        }
        if let first = json.first {
            let others = json.count - 1
            let name = others == 0 ? first.name : "\(first.name) and \(Wording.count(others, "more file"))"
            try body(Piece(name: name, files: json, isPlaylist: false, isFromFolder: false, progress: nil))
        }
        // Match channels with the stations of all guides.
        for playlist in playlists { try body(playlist) }
    }
}

// MARK: - Files

/// A file named by the user or found in a folder, or standard input.
private struct GuideInput: Sendable {
    /// The name in messages.
    let name: String
    /// `nil` for standard input.
    let path: String?
    /// The size of the file, if known.
    let byteCount: Int64?
    let isFromFolder: Bool

    /// Returns the inputs at a path: one file, the files of a folder sorted by name, or standard input.
    ///
    /// - Parameter text: A path, or `-`.
    /// - Throws: ``CommandFailure/Code/noInput`` for a missing file or an empty folder; ``CommandFailure/Code/usage``
    ///   for an empty path.
    static func inputs(at text: String) throws(CommandFailure) -> [GuideInput] {
        guard text != "-" else {
            return [GuideInput(name: "standard input", path: nil, byteCount: nil, isFromFolder: false)]
        }
        guard !text.isEmpty else {
            throw CommandFailure(
                .usage, "The path of a guide is empty. Give a path, or - for standard input.")
        }
        if case .success(.url(let url)) = Result(catching: { () throws(FetchError) in try GuideLocation(text) }) {
            throw CommandFailure(
                .usage,
                "\(GuideLocation.displayable(url)) is a URL, but this command reads files. Add it as a source with "
                    + "`epg source add NAME URL`, then run `epg refresh`; or download it first.")
        }
        var status = stat()
        guard stat(text, &status) == 0, access(text, R_OK) == 0 else {
            let reason = SystemFault.last
            throw CommandFailure(
                .noInput, "Cannot open \(GuideLocation.displayable(text)): \(reason).")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { return [GuideInput(path: text, status, isFromFolder: false)] }
        let folder = text.hasSuffix("/") ? text : text + "/"
        let names: [String]
        do throws(SystemFault) {
            names = try FilePath.names(inFolder: text)
        } catch {
            throw CommandFailure(.noInput, "Cannot open \(text): \(error).")
        }
        let sorted = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let inputs = sorted.compactMap { name -> GuideInput? in
            var status = stat()
            guard stat(folder + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            return GuideInput(path: folder + name, status, isFromFolder: true)
        }
        guard !inputs.isEmpty else { throw CommandFailure(.noInput, "The folder \(text) has no files.") }
        return inputs
    }

    private init(name: String, path: String?, byteCount: Int64?, isFromFolder: Bool) {
        self.name = name
        self.path = path
        self.byteCount = byteCount
        self.isFromFolder = isFromFolder
    }

    private init(path: String, _ status: stat, isFromFolder: Bool) {
        let isFile = status.st_mode & S_IFMT == S_IFREG
        self.init(
            name: path, path: path, byteCount: isFile ? Int64(status.st_size) : nil, isFromFolder: isFromFolder)
    }

    /// Opens the file and detects its format; reading it shows progress.
    func open() throws(CommandFailure) -> (file: GuideFile, progress: Progress) {
        let progress = Progress(of: name, total: byteCount)
        guard let path else {
            return (GuideFile(ProgressSource(FileSource.standardInput, progress: progress), name: name), progress)
        }
        do throws(SystemFault) {
            let source = try FileSource(path: path)
            return (GuideFile(ProgressSource(source, progress: progress), name: name), progress)
        } catch {
            throw CommandFailure(.noInput, "Cannot open \(name): \(error).")
        }
    }
}

// MARK: - Progress

/// Shows the progress of reading a file from the first half second on.
final class Progress {
    private let name: String
    private let total: Int64?
    private let line = StatusLine(delay: .milliseconds(500))
    private var done: Int64 = 0
    private var isShown = false

    /// - Parameter total: The number of bytes, if known.
    init(of name: String, total: Int64?) {
        self.name = TerminalText(name).fitted(to: 40).isolated
        self.total = total
    }

    /// Adds to the number of bytes read; 0 means the end of the file.
    func advance(by bytes: Int) {
        done += Int64(bytes)
        line.show(isFrequent: bytes > 0 || !isShown) {
            isShown = true
            return "reading \(name)  \(bytes == 0 ? "sorting, storing" : share)"
        }
    }

    /// Clears the line.
    func finish() { line.close() }

    private var share: String {
        guard let total, total > 0 else { return "\(done / 1_000_000) MB" }
        return "\(StatusLine.bar(Int(min(20, done * 20 / total)), of: 20)) \(min(100, done * 100 / total))%"
    }
}

/// A byte source that reports its progress.
private struct ProgressSource<Base: ByteSource>: ByteSource {
    private var base: Base
    let progress: Progress

    init(_ base: Base, progress: Progress) {
        self.base = base
        self.progress = progress
    }

    mutating func read(into buffer: inout [UInt8], at offset: Int, upTo count: Int) throws(ByteFault) -> Int {
        let readCount = try base.read(into: &buffer, at: offset, upTo: count)
        progress.advance(by: readCount)
        return readCount
    }
}
