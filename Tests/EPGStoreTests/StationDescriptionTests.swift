import EPGModel
import EPGStore
import Testing

/// What is said of a station comes from the source with the highest priority that describes it.
@Suite struct StationDescriptionTests {
    private let low = Source(name: "low")
    private let high = Source(name: "high", priority: 10)

    private func described(_ name: String) -> [String] {
        ["<channel id=\"one\"><display-name>\(name)</display-name><icon src=\"\(name).png\"/></channel>"]
    }

    private let named = ["one 20:00-21:00 A"]

    private func name(_ scratch: ScratchGuide) throws -> String? {
        try scratch.store.station(StationID("one"))?.station.name
    }

    @Test(arguments: [["low", "high"], ["high", "low"], ["low", "high", "low"]])
    func theHighestPriorityDescribesWhateverTheOrderOfImports(order: [String]) throws {
        let scratch = try ScratchGuide()
        for source in order {
            try scratch.importing(described(source) + named, as: source == "low" ? low : high)
        }
        #expect(try name(scratch) == "high")
        let nodes = try #require(try scratch.store.station(StationID("one"))).station.nodes
        #expect(
            nodes.contains(.element(ContentElement(name: "icon", attributes: [.init(name: "src", value: "high.png")]))))
        #expect(try scratch.store.check().problems == [])
    }

    @Test func ofEqualPrioritiesTheFirstDescribes() throws {
        let scratch = try ScratchGuide()
        let other = Source(name: "other")
        try scratch.importing(described("low"), as: low)
        try scratch.importing(described("other"), as: other)
        #expect(try name(scratch) == "low")
        #expect(try !scratch.importing(described("low"), as: low).changedGuide)
        #expect(try !scratch.importing(described("other"), as: other).changedGuide)
    }

    @Test func aSourceThatOnlyNamesAStationTakesNoDescriptionAway() throws {
        let scratch = try ScratchGuide()
        try scratch.importing(described("low"), as: low)
        try scratch.importing(named, as: high)
        #expect(try name(scratch) == "low")
        #expect(try !scratch.importing(named, as: high).changedGuide)
    }

    @Test func aSourceThatOnlyNamesAStationIsNoDescription() throws {
        let scratch = try ScratchGuide()
        try scratch.importing(named, as: high)
        #expect(try name(scratch) == "one")
        try scratch.importing(described("low"), as: low)
        #expect(try name(scratch) == "low")
        #expect(try !scratch.importing(named, as: high).changedGuide)
        #expect(try name(scratch) == "low")
    }

    @Test func sourcesThatOnlyNameAStationLeaveItsRow() throws {
        let scratch = try ScratchGuide()
        try scratch.importing(["two 20:00-21:00 B"] + named, as: low)
        try scratch.importing(named, as: high)
        #expect(try !scratch.importing(["two 20:00-21:00 B"] + named, as: low).changedGuide)
        #expect(try !scratch.importing(named, as: high).changedGuide)
    }

    @Test(arguments: [(20, "low"), (-1, "high")])
    func aPriorityThatChangesCountsFromTheNextImportOn(priority: Int, expected: String) throws {
        let scratch = try ScratchGuide()
        try scratch.importing(described("low"), as: low)
        try scratch.importing(described("high"), as: high)
        try scratch.store.save(Source(name: "low", priority: priority))
        try scratch.importing(described("low"), as: low)
        #expect(try name(scratch) == expected)
    }

    @Test func whatARemovedSourceDescribedStaysUntilAnotherDescribesIt() throws {
        let scratch = try ScratchGuide()
        try scratch.importing(described("low") + named, as: low)
        try scratch.importing(described("high"), as: high)
        #expect(try scratch.store.removeSource(named: "high"))
        #expect(try name(scratch) == "high")
        try scratch.importing(described("low") + named, as: low)
        #expect(try name(scratch) == "low")
    }

    /// Those that know a station of a source whose priority changes, or that goes, are read in full at the next refresh.
    @Test(arguments: [true, false]) func othersOfTheStationAreReadAgainAfterAChange(isRemoved: Bool) throws {
        let scratch = try ScratchGuide()
        let far = Source(name: "far")
        try scratch.importing(described("low") + named, as: low)
        try scratch.importing(described("high") + named, as: high)
        try scratch.importing(["two 20:00-21:00 B"], as: far)
        var state = SourceState()
        (state.bodyHash, state.entityTag, state.lastModified) = ("hash", "tag", "yesterday")
        for source in [low, high, far] { try scratch.store.saveState(state, ofSource: source.name) }
        func known() throws -> [String] {
            try scratch.store.sources().filter { $0.state.bodyHash != nil || $0.state.entityTag != nil }.map(
                \.source.name)
        }
        var moved = high
        moved.location = "/elsewhere"
        try scratch.store.save(moved)
        #expect(try known() == ["far", "high", "low"])
        if isRemoved {
            #expect(try scratch.store.removeSource(named: "high"))
        } else {
            moved.priority = -1
            try scratch.store.save(moved)
        }
        #expect(try known() == ["far"])
    }
}
