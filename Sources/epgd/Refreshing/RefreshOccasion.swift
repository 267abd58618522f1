/// Why the service refreshes the guide.
enum RefreshOccasion: String, Hashable, Sendable {
    /// It has just started: sources are asked for which a run came up while it was down.
    case start
    /// The timetable says so.
    case timetable
    /// A source couldn't be had a while ago, and may be now.
    case failure
}
