/// What to fetch, and what is known of it from last time.
package struct FetchRequest: Hashable, Sendable {
    package var location: GuideLocation
    /// The `ETag` of the body that is known; `nil` asks for the body whatever it is.
    package var entityTag: String?
    /// The `Last-Modified` of the body that is known; `nil` asks for the body whatever it is.
    package var lastModified: String?
    /// Fields that are sent to the origin of the location, and to no other one that it redirects to.
    package var headers: [HeaderField]
    /// Whether the host of the location may have an address of one's own network or machine; those that it redirects to
    /// never may. Where the location names such an address in digits, or `localhost`, that one is allowed anyhow.
    package var allowsPrivateAddresses: Bool
    /// A program and its arguments, whose output is the guide; where it isn't empty, the location is only its name.
    package var command: [String]
    /// Variables of that program beyond the usual ones, see ``CommandEnvironment``.
    package var environment: [String: String] = [:]
    /// Whose guide of Schedules Direct is fetched; the location is then that of its API. `nil` for any other source.
    package var schedulesDirect: SchedulesDirectAccount?
    /// The name of the source, under which what is kept from one fetch to the next is found again.
    package var sourceName: String
    /// Seconds for the whole of it, in place of ``FetchLimits/totalSeconds``; `nil` for that.
    package var timeLimit: Int?

    package init(
        location: GuideLocation, entityTag: String? = nil, lastModified: String? = nil, headers: [HeaderField] = [],
        allowsPrivateAddresses: Bool = false, command: [String] = [], schedulesDirect: SchedulesDirectAccount? = nil,
        sourceName: String = "", timeLimit: Int? = nil
    ) {
        self.location = location
        self.entityTag = entityTag
        self.lastModified = lastModified
        self.headers = headers
        self.allowsPrivateAddresses = allowsPrivateAddresses
        self.command = command
        self.schedulesDirect = schedulesDirect
        self.sourceName = sourceName
        self.timeLimit = timeLimit
    }

    /// Runs a program, whose output is the guide.
    ///
    /// - Parameters:
    ///   - command: The program and its arguments; see ``CommandFetcher``.
    ///   - timeLimit: Seconds that it may run; `nil` for those of the fetcher.
    package init(command: [String], timeLimit: Int? = nil) {
        self.init(location: .file(path: command.first ?? ""), command: command, timeLimit: timeLimit)
    }
}
