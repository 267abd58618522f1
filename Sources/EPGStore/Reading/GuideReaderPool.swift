package import EPGModel
import GRDB
import Synchronization

/// Connections for reading, each of which answers one caller at a time.
package final class GuideReaderPool: GuideReading {
    private let path: String
    private let idle: Mutex<[GuideStore]>

    /// - Throws: ``StoreError`` where there is no guide.
    package init(path: String) throws {
        self.path = path
        idle = Mutex([try GuideStore(readingFrom: path)])
    }

    package func read<Answer>(
        within limit: Duration?, _ body: (any GuideBrowsing) throws -> Answer
    ) throws -> Answer {
        let store = try idle.withLock { $0.popLast() } ?? GuideStore(readingFrom: path)
        defer { idle.withLock { $0.append(store) } }
        return try body(store)
    }
}
