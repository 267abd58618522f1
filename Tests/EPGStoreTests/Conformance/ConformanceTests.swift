import EPGModel
import EPGStore
import StoreConformance
import Synchronization
import TestSupport
import Testing

/// The SQLite database follows every rule of the storage protocols, and the rules detect faulty stores.
@Suite struct ConformanceTests {
    @Test(arguments: StoreRule.all) func databaseFollowsRule(_ rule: StoreRule) throws {
        try rule.check(stores: DatabaseFactory())
    }

    @Test(arguments: PlantedFault.all) func ruleDetectsPlantedFault(_ fault: PlantedFault) throws {
        let rule = try #require(StoreRule.all.first { $0.name == fault.rule })
        let stores = try DatabaseFactory()
        // The forwarding double alone violates no rule.
        try rule.check(stores: FaultyFactory(stores: stores, fault: nil))
        withKnownIssue { try rule.check(stores: FaultyFactory(stores: stores, fault: fault)) }
    }

    @Test func ruleNamesAreUnique() {
        let names = StoreRule.all.map(\.name)
        expectEqual(Set(names).count, names.count)
    }
}

/// A factory of databases in a temporary folder.
final class DatabaseFactory: StoreFactory {
    private let folder: TemporaryFolder
    private let count = Atomic(0)

    init() throws {
        folder = try TemporaryFolder()
    }

    func make() throws -> any GuideStorage {
        let number = count.add(1, ordering: .relaxed).newValue
        return GuideDatabase(path: folder.path(of: "guide\(number).sqlite"))
    }

    func reopen(_ store: any GuideStorage) throws -> any GuideStorage { GuideDatabase(path: store.location) }
}
