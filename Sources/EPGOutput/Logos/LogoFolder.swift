package import EPGFiles
package import EPGModel
import Glibc

/// The pictures in a folder, named by stations.
///
/// The names are read once. A picture is opened by one of these names only, and never through a symbolic link, so no request
/// leaves the folder.
package struct LogoFolder: Hashable, Sendable {
    /// The path of the folder.
    package let path: String
    /// The names of files by the part before the extension.
    private let names: [String: String]
    /// The names of files by that part in folded form.
    private let foldedNames: [String: String]
    private let all: Set<String>

    /// The media types by extension, in order of preference if a station has several files.
    private static let types: [(suffix: String, mediaType: String)] = [
        ("svg", "image/svg+xml"), ("png", "image/png"), ("webp", "image/webp"), ("jpg", "image/jpeg"),
        ("jpeg", "image/jpeg"), ("gif", "image/gif"),
    ]

    /// The maximum size of a file in bytes. Larger ones are not served.
    package static let maximumSize = 4 << 20

    /// Reads the names of the files in a folder.
    ///
    /// - Throws: ``SystemFault`` if the folder cannot be read.
    package init(path: String) throws(SystemFault) {
        let found = try FilePath.names(inFolder: path).filter { Self.rank($0) != nil }
        var names: [String: String] = [:]
        var foldedNames: [String: String] = [:]
        let sorted = found.sorted { (Self.rank($0) ?? 0, $0) < (Self.rank($1) ?? 0, $1) }
        for name in sorted {
            let stem = String(name[..<(name.lastIndex(of: ".") ?? name.endIndex)])
            if names[stem] == nil { names[stem] = name }
            let folded = FoldedWords(stem).words.joined()
            if !folded.isEmpty, foldedNames[folded] == nil { foldedNames[folded] = name }
        }
        self.path = path
        self.names = names
        self.foldedNames = foldedNames
        all = Set(found)
    }

    /// Returns the file of a station: named by its identifier (as it is, or percent-encoded), else by one of its names without
    /// regard to case, diacritics, spaces and punctuation.
    package func file(for row: StationRow) -> String? {
        let id = row.station.id.rawValue
        if let name = names[id] ?? names[id.percentEncoded] { return name }
        return row.station.displayNames.lazy.compactMap { foldedNames[FoldedWords($0.text).words.joined()] }.first
    }

    /// The names of all pictures, sorted.
    package var fileNames: [String] { all.sorted() }

    /// Whether the folder had a picture with this name when it was read.
    package func contains(_ name: String) -> Bool { all.contains(name) }

    /// Returns the bytes and the media type of a picture; `nil` unless the folder has a regular file with this name, at most
    /// ``maximumSize`` long.
    package func picture(named name: String) -> (bytes: [UInt8], mediaType: String)? {
        guard all.contains(name), let rank = Self.rank(name) else { return nil }
        let descriptor = open("\(path)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        let file = OpenFile(owning: descriptor)
        guard let status = try? file.status, status.isRegular, let bytes = try? file.rest(upTo: Self.maximumSize + 1),
            bytes.count <= Self.maximumSize
        else { return nil }
        return (bytes, Self.types[rank].mediaType)
    }

    private static func rank(_ name: String) -> Int? {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        let suffix = name[name.index(after: dot)...].lowercased()
        return types.firstIndex { $0.suffix == suffix }
    }
}
