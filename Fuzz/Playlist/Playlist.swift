import EPGImport
import EPGModel
import XMLTV

/// Reads the input as a playlist, in pieces whose size the last byte determines; writes the lineup and reads it again.
func fuzzPlaylist(_ bytes: [UInt8]) {
    var limits = PlaylistLimits()
    limits.lineLength = 4096
    limits.entries = 200
    limits.partsPerEntry = 8
    limits.diagnostics = 20
    let piece = Int(bytes.last ?? 0) % 97 * 31 + 1
    guard let lineup = read(bytes, inPiecesOf: piece, limits) else { return }

    precondition(!lineup.channels.isEmpty && lineup.channels.count <= limits.entries)
    for channel in lineup.channels {
        precondition(!channel.name.isEmpty && !channel.url.isEmpty)
        precondition(max(channel.attributes.count, channel.groups.count, channel.directives.count) <= 8)
    }
    var written: [UInt8] = []
    PlaylistWriter.write(lineup) { written += $0 }
    let again = read(written, inPiecesOf: 64 << 10, .standard)
    precondition(again?.channels.count == lineup.channels.count, "reading the written playlist changed its channels")
    for (one, other) in zip(lineup.channels, again?.channels ?? []) {
        precondition(one.directives == other.directives && one.number == other.number)
        precondition(one.attributes.count == other.attributes.count)
    }

    let stations = lineup.channels.reversed().map {
        Station(id: StationID($0.guideID ?? $0.url), displayNames: [LocalizedText($0.name)], number: $0.number)
    }
    let matches = StationMatcher().matches(of: lineup.channels, among: stations, mappings: [:])
    precondition(matches.count == lineup.channels.count)
    let explainer = MatchExplainer(channels: lineup.channels, stations: stations, mappings: [:])
    for (channel, match) in zip(lineup.channels, matches).prefix(10) {
        precondition(explainer.explain(channel).outcome.match == match, "the explanation differs from the match")
    }
}

private func read(_ bytes: [UInt8], inPiecesOf size: Int, _ limits: PlaylistLimits) -> Lineup? {
    var rest = bytes[...]
    let source = ChunkSource {
        defer { rest = rest.dropFirst(size) }
        return rest.isEmpty ? nil : Array(rest.prefix(size))
    }
    var reader = PlaylistReader(source, limits: limits)
    do {
        return try reader.readLineup(named: "fuzz")
    } catch {
        precondition(!error.description.isEmpty)
        return nil
    }
}

#if FUZZING
    @_cdecl("LLVMFuzzerTestOneInput")
    public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        fuzzPlaylist(Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
    }
#endif
