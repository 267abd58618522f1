import EPGRefresh
import Glibc

/// Where a person says that a source's guide is, in a form that means the same wherever it is read.
struct SourceLocation: Hashable, Sendable {
    /// An address as it was given, or an absolute path.
    let text: String

    /// - Throws: `FetchError` where that is no place that can be fetched from.
    init(_ given: String) throws {
        switch try GuideLocation(given) {
        case .address(let address): text = address
        case .file(let path) where path.hasPrefix("/"): text = path
        case .file(let path): text = try SourceLocation.workingFolder() + "/" + path
        }
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
