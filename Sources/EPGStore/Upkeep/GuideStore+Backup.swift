package import EPGModel
import GRDB

extension GuideStore {
    /// Writes a sound copy of the guide to a file, while others read and write the guide.
    ///
    /// The copy is the guide as it stands in one read transaction, in one file without a log beside it. It is checked
    /// before it gets its name, so there is a sound copy under that name or what was there before. Only its owner may
    /// read it: the URLs of sources may hold credentials.
    ///
    /// - Returns: What the check of the copy found: how much it holds.
    /// - Throws: ``BackupError`` and ``StoreError``.
    /// - Complexity: O(size of the guide).
    package func backUp(to path: String, target: BackupTarget) throws -> StoreCheck {
        if GuideFile.isOwn(path, ofGuide: self.path) { throw BackupError.isGuide(path: path) }
        if target == .new, FileStatus.exists(path) { throw BackupError.exists(path: path) }
        let file = try BackupFile(at: path, for: "backup")
        do {
            try StoreError.translating(path: self.path) {
                let queue = try Connections.copier(path: self.path)
                try queue.inDatabase { try $0.execute(sql: "VACUUM INTO ?", arguments: [file.temporary]) }
                try queue.close()
            }
        } catch StoreError.full {
            // The guide is only read.
            throw StoreError.full(path: path)
        }
        let copy = try GuideStore(readingFrom: file.temporary)
        // Searches have an index of their own, which a guide makes anew.
        let check = try copy.checkGuide()
        try copy.close()
        if let problem = check.problems.first { throw BackupError.damaged(path: self.path, detail: problem) }
        try file.finish(replacing: target == .replaced)
        return check
    }
}
