import EPGModel
import EPGPostgres
import StoreConformance
import TestSupport
import Testing

/// A guide on PostgreSQL follows every rule of the storage protocols.
@Suite struct ConformanceTests {
    @Test(.needs(PostgresServer.requirement), arguments: StoreRule.all)
    func guideFollowsRule(_ rule: StoreRule) throws {
        try rule.check(stores: PostgresFactory())
    }
}

/// A factory of guides in schemas of their own.
struct PostgresFactory: StoreFactory {
    func make() throws -> any GuideStorage {
        let server = try #require(PostgresServer.shared, "the server did not start")
        return try PostgresGuide(server.makeLocation(), cacheFolder: server.filesFolder)
    }

    func reopen(_ store: any GuideStorage) throws -> any GuideStorage {
        let server = try #require(PostgresServer.shared)
        return try PostgresGuide(store.location, cacheFolder: server.filesFolder)
    }
}
