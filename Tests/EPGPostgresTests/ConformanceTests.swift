import EPGModel
import EPGSQL
import EPGStore
import Glibc
import StoreConformance
import Synchronization
import TestSupport
import Testing

@testable import EPGPostgres

/// A guide on PostgreSQL follows every rule of the storage protocols.
@Suite struct ConformanceTests {
    @Test(.needs(PostgresServer.requirement), arguments: StoreRule.all)
    func guideFollowsRule(_ rule: StoreRule) throws {
        try rule.check(stores: PostgresFactory())
    }
}

/// A factory of guides in schemas of their own.
///
/// The guides of a released factory are emptied and used again, because creating the tables takes most of the server's time.
/// ``make()`` always returns a new schema, in which a rule can observe the creation.
final class PostgresFactory: StoreFactory {
    private static let released = Mutex<[String]>([])
    private let used = Mutex<[String]>([])

    deinit {
        let used = used.withLock { $0 }
        Self.released.withLock { $0 += used }
    }

    private func guide(_ location: String? = nil) throws -> PostgresGuide {
        let server = try #require(PostgresServer.shared, "the server did not start")
        return try PostgresGuide(location ?? server.makeLocation(), backups: .sqlite, cacheFolder: server.filesFolder)
    }

    func make() throws -> any GuideStorage { try guide() }

    func makeGuide() throws -> any GuideStorage {
        let location = Self.released.withLock { $0.popLast() }
        let guide = try guide(location)
        if let location {
            // The search index is a file on this computer.
            for suffix in ["", "-wal", "-shm"] { unlink("\(guide.companionPath)-search\(suffix)") }
            let tables = GuideSchema.tables.reversed().map { "DELETE FROM \($0.name);" }.joined()
            try PostgresConnection(location).execute(
                script: """
                    BEGIN; \(tables)
                    INSERT INTO guide (id, generation, content_key, next_airing, next_programme, next_transmission)
                        VALUES (1, 0, decode(md5(random()::text), 'hex'), 1, 1, 1);
                    COMMIT
                    """)
        } else {
            try guide.write(waiting: .always) { _ in }
        }
        used.withLock { $0.append(guide.location) }
        return guide
    }

    func reopen(_ store: any GuideStorage) throws -> any GuideStorage { try guide(store.location) }
}
