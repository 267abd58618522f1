internal import EPGModel
internal import Glibc

/// The files beside the database that sources at Schedules Direct have from one refresh to the next: their guides, and the
/// tokens of their accounts.
package enum KeptGuide {
    /// `guide.sqlite-sd-0123456789abcdef.json`, with a hash of the source's name, which may hold what a file's name can't.
    package static func path(ofSource name: String, besideDatabase path: String) -> String {
        let hash = ContentHasher(key: BodyHasher.key).hash(Array(name.utf8).span).hexadecimal
        return "\(path)-sd-\(hash.prefix(16)).json"
    }

    /// `guide.sqlite-sd-tokens`, see ``SchedulesDirectTokens``.
    package static func tokensPath(besideDatabase path: String) -> String { "\(path)-sd-tokens" }

    /// Takes the file of a source away, where there is one, and that of the tokens where no other source has a guide from
    /// there.
    ///
    /// - Parameter others: The names of the sources that stay.
    /// - Throws: ``RefreshFailure`` where one stays.
    package static func remove(
        ofSource name: String, beside others: [String], besideDatabase path: String
    ) throws(RefreshFailure) {
        let file = self.path(ofSource: name, besideDatabase: path)
        try remove(file)
        let isInUse = others.contains { access(self.path(ofSource: $0, besideDatabase: path), F_OK) == 0 }
        if !isInUse { try remove(tokensPath(besideDatabase: path)) }
    }

    private static func remove(_ file: String) throws(RefreshFailure) {
        // What a refresh that was killed left of the next one goes with it.
        _ = unlink("\(file).new")
        guard unlink(file) != 0, errno != ENOENT else { return }
        throw RefreshFailure(
            sentence: "\(file) can't be removed (\(String(cString: strerror(errno)))). Remove it by hand.",
            exitCode: RefreshFailure.inputOutput)
    }
}
