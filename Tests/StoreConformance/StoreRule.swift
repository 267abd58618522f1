package import EPGModel
import Testing

/// A promise of the storage protocols, with the check that a store keeps it.
///
/// A rule knows a store only through ``GuideStorage``, so the same rules hold for every store:
///
/// ```swift
/// @Test(arguments: StoreRule.all) func storeKeeps(_ rule: StoreRule) throws {
///     try rule.check(stores: MyFactory())
/// }
/// ```
package struct StoreRule: Sendable, CustomTestStringConvertible {
    /// The promise, as a sentence without a full stop; unique among all rules.
    package let name: String
    private let body: @Sendable (GuideUnderTest) throws -> Void

    /// - Parameter check: Records issues for what an empty guide and its changes do otherwise.
    init(_ name: String, check: @escaping @Sendable (GuideUnderTest) throws -> Void) {
        self.name = name
        body = check
    }

    package var testDescription: String { name }

    /// Checks a new guide of the factory, and records an issue for each broken promise.
    package func check(stores: any StoreFactory) throws {
        try body(GuideUnderTest(stores))
    }

    /// Everything that the storage protocols promise.
    package static let all: [StoreRule] = [
        reading, stations, overlays, imports, sessions, refusals, identifiers, sources, lineups, favorites, changes,
        reviews, searches, rankedSearches, exports, prunes, operations, locks, concurrency, backups,
    ].flatMap(\.self)
}

/// Makes stores of one kind for the rules.
package protocol StoreFactory: Sendable {
    /// Makes a store in a place of its own, where there is no guide yet.
    ///
    /// The factory removes the place when it goes itself.
    func make() throws -> any GuideStorage

    /// Returns another store of the same place, as another process would open it.
    func reopen(_ store: any GuideStorage) throws -> any GuideStorage
}
