import EPGImport
import EPGModel
import TestSupport
import Testing

/// Tests of finding the entries that a user specifies.
@Suite struct ChannelFinderTests {
    private static let channels = [
        Channel(name: "BBC One", number: ChannelNumber("1"), guideID: "bbc1.uk", url: "a"),
        Channel(name: "BBC One", number: ChannelNumber("101"), guideID: "bbc1.uk", url: "b"),
        Channel(name: "BBC Two", number: ChannelNumber("2"), guideID: "bbc2.uk", url: "c"),
        Channel(name: "Local", number: ChannelNumber("7.1"), url: "d"),
        Channel(name: "Twins", guideID: "twin.a", url: "e"),
        Channel(name: "Twins", guideID: "twin.b", url: "f"),
        Channel(name: "2", url: "g"),
    ]

    @Test(arguments: [
        ("bbc1.uk", "bbc1.uk", 2), ("BBC One", "bbc1.uk", 2), ("bbc-one", "bbc1.uk", 2), ("BBC2.UK", "bbc2.uk", 1),
        ("Local", "Local", 1), ("7.1", "Local", 1), ("101", "bbc1.uk", 2),
        // A name takes precedence over a number.
        ("2", "2", 1),
    ])
    func entryIsFoundByIdentifierNameOrNumber(_ text: String, _ key: String, _ count: Int) {
        guard case .found(let found, let entries) = ChannelFinder(Self.channels).find(text) else {
            Issue.record("not found")
            return
        }
        expectEqual(found, key)
        expectEqual(entries.count, count)
    }

    @Test func nameOfEntriesWithSeveralKeysIsAmbiguous() {
        guard case .ambiguous(let entries) = ChannelFinder(Self.channels).find("twins") else {
            Issue.record("not ambiguous")
            return
        }
        expectEqual(entries.map(\.guideID), ["twin.a", "twin.b"])
    }

    @Test func nearestEntriesAreReturned() {
        guard case .none(let nearest) = ChannelFinder(Self.channels).find("BBC Twoo") else {
            Issue.record("found")
            return
        }
        expectEqual(nearest.first?.name, "BBC Two")
    }

    @Test func emptyListAndEmptyTextFindNothing() {
        for (channels, text) in [([], "x"), (Self.channels, ""), (Self.channels, "-")] {
            guard case .none = ChannelFinder(channels).find(text) else {
                Issue.record("found")
                continue
            }
        }
    }
}
