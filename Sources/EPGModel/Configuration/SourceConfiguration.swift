/// A source as `epg.yml` sets it up: what the store knows of it too, and what only the settings know.
package struct SourceConfiguration: Hashable, Sendable {
    /// Its name, location, zone, shift, interval, priority, stations and encoding; the location of a command is `nil`.
    package var source: Source
    /// A program and its arguments, whose output is the guide; empty for a source with a location.
    package var command: [String] = []
    /// Variables that this program gets beside the usual ones.
    package var environment: [SecretField] = []
    /// The account whose guide Schedules Direct gives; `nil` for any other source. The location is then that of the API.
    package var schedulesDirect: SchedulesDirectSettings?
    /// A cron expression of five fields that says when it is refreshed; `nil` for every run.
    package var schedule: String?
    /// Seconds by which a run of that may be delayed, from 0 to a day, so that not all ask the same server at once.
    package var jitter: Int64 = 0
    /// Fields that are sent with each request to it.
    package var headers: [SecretField] = []
    /// What is sent as `Authorization: Bearer …`; `nil` for nothing.
    package var token: Secret?
    /// How much of what stood a new guide must bring, in percent from 0 to 100.
    package var minimumShare = 50
    /// Whether its host may have a private, loopback or link-local address.
    package var allowsPrivateAddresses = false
    /// Seconds that a whole fetch or the program may take, from 1 to a day; `nil` for an hour.
    package var timeLimit: Int?

    package init(_ source: Source) {
        self.source = source
    }
}
