public import EPGModel
import GRDB

extension GuideStore {
    public func lineups() throws -> [String] {
        try read { try LineupRow.names(in: $0) }
    }

    public func lineup(named name: String) throws -> Lineup? {
        try read { try LineupRow.lineup(named: name, in: $0) }
    }

    public func channelMatches(ofLineup name: String) throws -> [ChannelMatch?] {
        try read { try LineupRow.matches(ofLineup: name, in: $0) }
    }

    public func mappings() throws -> [String: StationID] {
        try read { try LineupRow.mappings(in: $0) }
    }
}
