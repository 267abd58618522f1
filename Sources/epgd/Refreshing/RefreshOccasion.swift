/// Why the service refreshes the guide.
enum RefreshOccasion: Hashable, Sendable {
    /// It has just started: sources are asked for which a run came up while it was down.
    case start
    /// The timetable says so.
    case timetable
}
