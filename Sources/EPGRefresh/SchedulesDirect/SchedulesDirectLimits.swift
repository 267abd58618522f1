/// How much is asked of Schedules Direct at once, and how patiently.
package struct SchedulesDirectLimits: Hashable, Sendable {
    /// Stations, or days of stations, of one request. The default is 5,000, the most that the service takes.
    package var stations: Int
    /// Contents of one request. The default is 5,000, the most that the service takes.
    package var contents: Int
    /// How often what the service is still making is asked for again in one refresh. The default is 2.
    package var queueRounds: Int
    /// Seconds before that. The default is 20.
    package var queueSeconds: Int64

    /// Limits; a number out of range counts as the nearest that is in it, from 1 to 5,000, and from 0 for the queue.
    package init(stations: Int = 5000, contents: Int = 5000, queueRounds: Int = 2, queueSeconds: Int64 = 20) {
        self.stations = min(max(stations, 1), 5000)
        self.contents = min(max(contents, 1), 5000)
        self.queueRounds = max(queueRounds, 0)
        self.queueSeconds = max(queueSeconds, 0)
    }
}
