package import EPGModel
import Testing

/// A rule of the storage protocols with a check for it.
///
/// A rule uses a store only through ``GuideStorage``, so the same rules apply to every store:
///
/// ```swift
/// @Test(arguments: StoreRule.all) func storeFollowsRule(_ rule: StoreRule) throws {
///     try rule.check(stores: MyFactory())
/// }
/// ```
package struct StoreRule: Sendable, CustomTestStringConvertible {
    /// The rule as a sentence without a period. Each rule has a different name.
    package let name: String
    private let body: @Sendable (GuideUnderTest) throws -> Void

    /// - Parameter check: Records an issue for each violation. The argument is an empty guide.
    init(_ name: String, check: @escaping @Sendable (GuideUnderTest) throws -> Void) {
        self.name = name
        body = check
    }

    package var testDescription: String { name }

    /// Checks a new guide of the factory and records an issue for each violation.
    package func check(stores: any StoreFactory) throws {
        try body(GuideUnderTest(stores))
    }

    /// All rules of the storage protocols.
    package static let all: [StoreRule] = [
        reading, stations, overlays, imports, sessions, refusals, identifiers, sources, lineups, favorites, watchlists,
        profiles, changes, completions,
        reviews, searches, rankedSearches, exports, prunes, operations, locks, concurrency, backups,
    ].flatMap(\.self)
}

/// A factory of stores of one kind.
package protocol StoreFactory: Sendable {
    /// Creates a store at a new location without a guide.
    ///
    /// The location is removed with the factory.
    func make() throws -> any GuideStorage

    /// Creates a store with an empty guide.
    func makeGuide() throws -> any GuideStorage

    /// Returns a new store for the same location, as another process would open it.
    func reopen(_ store: any GuideStorage) throws -> any GuideStorage
}

extension StoreFactory {
    package func makeGuide() throws -> any GuideStorage {
        let storage = try make()
        try storage.write(waiting: .forOthers) { _ in }
        return storage
    }
}
