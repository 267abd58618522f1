internal import EPGModel
internal import Glibc

/// The file beside the database in which the guide of a source at Schedules Direct is kept from one refresh to the next.
package enum KeptGuide {
    /// `guide.sqlite-sd-0123456789abcdef.json`, with a hash of the source's name, which may hold what a file's name can't.
    package static func path(ofSource name: String, besideDatabase path: String) -> String {
        let hash = ContentHasher(key: BodyHasher.key).hash(Array(name.utf8).span).hexadecimal
        return "\(path)-sd-\(hash.prefix(16)).json"
    }

    /// Takes the file of a source away, where there is one.
    ///
    /// - Throws: ``RefreshFailure`` where it stays.
    package static func remove(ofSource name: String, besideDatabase path: String) throws(RefreshFailure) {
        let file = self.path(ofSource: name, besideDatabase: path)
        guard unlink(file) != 0, errno != ENOENT else { return }
        throw RefreshFailure(
            sentence: "\(file) can't be removed (\(String(cString: strerror(errno)))). Remove it by hand.",
            exitCode: RefreshFailure.inputOutput)
    }
}
