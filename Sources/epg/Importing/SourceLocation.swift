import EPGImport
import EPGRefresh
import Glibc
import XMLTV

/// Where a person says that a source's guide is, in a form that means the same wherever it is read.
struct SourceLocation: Hashable, Sendable {
    /// An address as it was given, or an absolute path.
    let text: String

    /// - Throws: `FetchError` where that is no place that can be fetched from; ``CommandFailure/Code/usage`` for what is
    ///   there and no guide that `epg refresh` can import: a folder, or a playlist.
    init(_ given: String) throws {
        let location = try GuideLocation(given)
        switch location {
        case .address(let address): text = address
        case .file(let path) where path.hasPrefix("/"): text = path
        case .file(let path): text = try SourceLocation.workingFolder() + "/" + path
        }
        switch (Self.kind(of: location), location) {
        case (.folder, .file(let path)):
            throw CommandFailure(
                .usage,
                "\(path) is a folder, and a source is one file. Import what is in it with “epg import \(path)”.")
        case (.playlist, .file(let path)):
            throw CommandFailure(
                .usage, "\(path) is a playlist, and a source is a guide. Import it with “epg import \(path)”.")
        case (.playlist, .address(let address)):
            throw CommandFailure(
                .usage,
                "\(GuideLocation.displayable(address)) is a playlist, and a source is a guide. "
                    + "Download it and import the file with epg import.")
        default: break
        }
    }

    private enum Kind { case folder, playlist, other }

    /// What stands at a location: told by the bytes of a file that is there, else by its name.
    private static func kind(of location: GuideLocation) -> Kind {
        guard case .file(let path) = location else { return isPlaylistName(location) ? .playlist : .other }
        var status = stat()
        guard stat(path, &status) == 0 else { return isPlaylistName(location) ? .playlist : .other }
        // Opening what is no regular file may wait for somebody to write to it.
        guard status.st_mode & S_IFMT == S_IFREG else { return status.st_mode & S_IFMT == S_IFDIR ? .folder : .other }
        do throws(SystemFault) {
            return GuideFile(try FileSource(path: path)).format == .playlist ? .playlist : .other
        } catch {
            return isPlaylistName(location) ? .playlist : .other
        }
    }

    /// Whether a name ends as those of playlists do, packed or not.
    private static func isPlaylistName(_ location: GuideLocation) -> Bool {
        let name =
            switch location {
            case .file(let path): path[...]
            case .address(let address): address.prefix { $0 != "?" && $0 != "#" }
            }
        var parts = name.lowercased().split(separator: "/").last?.split(separator: ".") ?? []
        if let last = parts.last, ["gz", "xz", "bz2", "zst", "zip"].contains(last) { parts.removeLast() }
        return parts.count > 1 && ["m3u", "m3u8"].contains(parts.last)
    }

    private static func workingFolder() throws(CommandFailure) -> String {
        guard let folder = getcwd(nil, 0) else {
            throw CommandFailure(
                .inputOutput, "The working folder is gone (\(String(cString: strerror(errno)))). Give an absolute path."
            )
        }
        defer { free(folder) }
        return String(cString: folder)
    }
}
