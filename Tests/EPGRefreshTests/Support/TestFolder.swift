import Glibc

/// A temporary folder that is deleted with this object.
final class TestFolder: Sendable {
    struct FileError: Error {
        let code: Int32
    }

    let path: String

    init() throws {
        var template = Array("/tmp/swift-epg-tests-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw FileError(code: errno) }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        for name in names { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    /// The names of the files in the folder.
    var names: [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Writes a file and returns its path.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let file = "\(path)/\(name)"
        guard let stream = fopen(file, "w") else { throw FileError(code: errno) }
        defer { fclose(stream) }
        let bytes = Array(text.utf8)
        guard fwrite(bytes, 1, bytes.count, stream) == bytes.count else { throw FileError(code: errno) }
        return file
    }

    /// Returns the contents of a file.
    static func contents(of path: String) throws -> String {
        String(decoding: try bytes(of: path), as: UTF8.self)
    }

    /// Returns the bytes of a file.
    static func bytes(of path: String) throws -> [UInt8] {
        guard let stream = fopen(path, "r") else { throw FileError(code: errno) }
        defer { fclose(stream) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, stream)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return bytes
    }
}
