import EPGModel
import EPGStore
import StoreConformance
import Synchronization
import Testing

/// An SQLite database keeps every promise of the storage protocols, and the rules notice a store that does not.
@Suite struct ConformanceTests {
    @Test(arguments: StoreRule.all) func databaseKeepsEveryRule(_ rule: StoreRule) throws {
        try rule.check(stores: DatabaseFactory())
    }

    @Test(arguments: PlantedFault.all) func plantedFaultViolatesItsRule(_ fault: PlantedFault) throws {
        let rule = try #require(StoreRule.all.first { $0.name == fault.rule })
        let stores = try DatabaseFactory()
        // The double alone breaks no rule.
        try rule.check(stores: FaultyFactory(stores: stores, fault: nil))
        withKnownIssue { try rule.check(stores: FaultyFactory(stores: stores, fault: fault)) }
    }

    @Test func namesOfRulesAreUnique() {
        let names = StoreRule.all.map(\.name)
        #expect(Set(names).count == names.count)
    }
}

/// Makes databases in a temporary folder.
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
