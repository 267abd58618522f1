import EPGFiles
import Glibc

/// A temporary folder with one file of each kind, which are removed with this object.
///
/// | name | content |
/// |---|---|
/// | `empty`, `text`, `long` | regular files of 0, 8 and 40,000 bytes |
/// | `link`, `dangling`, `loop` | symbolic links to `text`, to nothing, and to themselves |
/// | `folder`, `pipe` | an empty folder, and a named pipe |
final class Scratch {
    static let text = Array("old text".utf8)
    static let long = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 7 + $0 >> 8) }

    let path: String

    init() throws(SystemFault) {
        var name = Array("/tmp/swift-epg-files-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else { throw .last }
        path = FilePath.resolved(String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
        try create("empty", [])
        try create("text", Self.text)
        try create("long", Self.long)
        guard mkdir(path + "/folder", 0o700) == 0, mkfifo(path + "/pipe", 0o600) == 0,
            symlink("text", path + "/link") == 0,
            symlink("nothing", path + "/dangling") == 0, symlink("loop", path + "/loop") == 0
        else { throw .last }
    }

    deinit {
        for name in names { unlink("\(path)/\(name)") }
        rmdir(path + "/folder")
        rmdir(path)
    }

    /// Returns the path of a name in the folder. An absolute path stays.
    func callAsFunction(_ name: String) -> String { name.hasPrefix("/") ? name : "\(path)/\(name)" }

    /// Creates a file with mode 0666, as far as the process permits.
    func create(_ name: String, _ bytes: [UInt8]) throws(SystemFault) {
        try OpenFile(owning: open(self(name), O_CREAT | O_WRONLY | O_CLOEXEC, 0o666)).write(bytes)
    }

    func content(_ name: String) throws(SystemFault) -> [UInt8]? {
        try OpenFile.bytes(ofFile: self(name), upTo: 1 << 20)
    }

    /// The names of all files and folders, sorted.
    var names: [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.filter { $0 != "." && $0 != ".." }.sorted()
    }
}

/// Returns the number of the error that a closure throws; 0 if it throws none.
func fault(_ body: () throws(SystemFault) -> Void) -> Int32 {
    do throws(SystemFault) {
        try body()
        return 0
    } catch {
        return error.number
    }
}
