import ArgumentParser
import EPGJSON
import EPGModel
import EPGProgram
import EPGRender

/// `epg profile`: adds, changes, lists and removes profiles.
struct ProfileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Keep profiles: settings of the page that devices share, with a parental limit.",
        discussion: """
            In the settings of the page, people choose a profile, which keeps favorites, hidden stations, zoom and theme for \
            all devices that choose it. Without profiles, each browser keeps its own settings. A parental limit locks \
            programmes by age rating and category. It keeps children from coming across them; it does not stop anybody who \
            edits URLs.
            """, subcommands: [Add.self, Set.self, List.self, Remove.self])

    /// `epg profile add`: adds a profile.
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Add a profile.", discussion: "Prints all profiles afterwards.")

        @Argument(help: "Unique name of the profile.")
        var name: String

        @OptionGroup var limit: LimitOptions

        @OptionGroup var output: OutputOptions
        @OptionGroup var database: WritableDatabase

        func run() throws {
            let pin = try limit.pinHash()
            let profiles = try database.change { guide in
                guard try !guide.profiles().contains(where: { $0.name == name }) else {
                    throw CommandFailure(
                        .usage,
                        "There is already a profile “\(name.prefix(64))”. Change it with `epg profile set`.")
                }
                _ = try guide.saveProfile(
                    Profile(
                        name: name, limit: limit.applied(to: .none), pinHash: pin,
                        acceptsRules: limit.acceptRules ?? false))
                return try guide.profiles()
            }
            try output.print(profiles) { ProfileCommand.table(of: profiles, for: $0) }
        }
    }

    /// `epg profile set`: changes the limit and the PIN.
    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Change the parental limit and the PIN of a profile, and who may change its watch rules.",
            discussion: "Keeps what no option changes. Prints all profiles afterwards.")

        @Argument(help: "Name of the profile.")
        var name: String

        @OptionGroup var limit: LimitOptions

        @Flag(help: "Remove the parental limit, before --max-age and --hide-category set a new one.")
        var noLimit = false

        @Flag(help: "Remove the PIN.")
        var noPin = false

        @OptionGroup var output: OutputOptions
        @OptionGroup var database: WritableDatabase

        func validate() throws {
            if limit.pin, noPin { throw ValidationError("--pin and --no-pin cannot be used together.") }
        }

        func run() throws {
            let pin = try limit.pinHash()
            let profiles = try database.change { guide in
                let profile = try guide.profile(named: name)
                _ = try guide.saveProfile(
                    profile.with(
                        limit: limit.applied(to: noLimit ? .none : profile.limit),
                        pinHash: noPin ? nil : pin ?? profile.pinHash,
                        acceptsRules: limit.acceptRules ?? profile.acceptsRules))
                return try guide.profiles()
            }
            try output.print(profiles) { ProfileCommand.table(of: profiles, for: $0) }
        }
    }

    /// `epg profile list`: lists the profiles.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the profiles.", discussion: "--json prints their settings, too.")

        @OptionGroup var output: OutputOptions
        @OptionGroup var database: DatabaseOptions

        func run() throws {
            let profiles = try database.read { try $0.profiles() }
            try output.print(profiles) { ProfileCommand.table(of: profiles, for: $0) }
        }
    }

    /// `epg profile remove`: removes a profile.
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a profile.",
            discussion: "Keeps its watch rules. Prints the remaining profiles.")

        @Argument(help: "Name of the profile.")
        var name: String

        @OptionGroup var output: OutputOptions
        @OptionGroup var database: WritableDatabase

        func run() throws {
            let profiles = try database.change { guide in
                _ = try guide.profile(named: name)
                _ = try guide.removeProfile(named: name)
                return try guide.profiles()
            }
            try output.print(profiles) { ProfileCommand.table(of: profiles, for: $0) }
        }
    }

    private static func table(of profiles: [Profile], for terminal: Terminal) -> String {
        var table = Table([
            Table.Column("profile", minimumWidth: 8), Table.Column("max age", alignment: .trailing),
            Table.Column("hidden categories", minimumWidth: 12), Table.Column("PIN"), Table.Column("rules of viewers"),
        ])
        for profile in profiles {
            table.append([
                Cell(profile.name, .bold), Cell(profile.limit.maximumAge.map(String.init) ?? ""),
                Cell(profile.limit.hiddenCategories.joined(separator: ", ")), Cell(profile.pinHash == nil ? "" : "yes"),
                Cell(profile.acceptsRules ? "yes" : ""),
            ])
        }
        return table.isEmpty ? "No profiles. Add one with `epg profile add NAME`.\n" : table.text(for: terminal)
    }
}

/// The parental limit and the PIN of a profile, and whether viewers change its watch rules.
struct LimitOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Lock programmes with a higher age rating, from 0 to 21.", valueName: "age"))
    var maxAge: Int?

    @Option(
        help: ArgumentHelp(
            "Lock programmes of a category, ignoring case. Repeat the option for several categories; they replace former ones.",
            valueName: "name"))
    var hideCategory: [String] = []

    @Flag(
        help: """
            Ask for a new PIN of 4 to 64 bytes, which leaving the profile requires; without a terminal, read standard input.
            """)
    var pin = false

    @Flag(
        inversion: .prefixedNo,
        help:
            "Let everybody who uses the profile add, change and remove its watch rules (default: only administrators).")
    var acceptRules: Bool?

    /// Returns the limit with the values of the options.
    func applied(to limit: ParentalLimit) throws(ProfileError) -> ParentalLimit {
        try ParentalLimit(
            maximumAge: maxAge ?? limit.maximumAge,
            hiddenCategories: hideCategory.isEmpty ? limit.hiddenCategories : hideCategory)
    }

    /// Returns the hash of a new PIN; `nil` if the user does not want one.
    func pinHash() throws -> String? {
        guard pin else { return nil }
        return try Profile.hash(ofPIN: try PasswordPrompt.read("PIN"))
    }
}

/// The profile whose stations and limit a command applies.
struct ProfileOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Profile whose favorites come first, without its hidden stations and with its parental limit.",
            valueName: "name"))
    var profile: String?

    /// Returns the guide as the profile shows it; `nil` without the option.
    func guide(_ guide: any GuideReading) throws -> ProfileGuide? {
        try profile.map { try ProfileGuide(guide, guide.profile(named: $0)) }
    }
}

/// A guide as a profile shows it.
struct ProfileGuide {
    /// The guide with the parental limit.
    let guide: any GuideReading
    /// The rows of the stations: the favorites in their order, then the others, without hidden ones.
    private(set) var rows: [Int]
    /// The identifiers of hidden stations.
    let hidden: Set<StationID>

    /// A guide without a profile: all stations.
    init(_ guide: any GuideReading) throws {
        (self.guide, rows, hidden) = (guide, try Array(0..<guide.stationCount()), [])
    }

    fileprivate init(_ guide: any GuideReading, _ profile: Profile) throws {
        let settings: ProfileSettings
        do {
            settings = try ProfileSettings(of: profile)
        } catch {
            throw CommandFailure(
                .invalidData, "The settings of the profile “\(profile.name.prefix(64))” are damaged: \(error).")
        }
        self.guide = profile.limit.allowsEverything ? guide : LimitedGuide(guide, profile.limit)
        let hidden = Set(settings.hidden)
        let favorites = try settings.favorites.filter { !hidden.contains($0) }.compactMap { try guide.station($0)?.row }
        let left = try Set(favorites + settings.hidden.compactMap { try guide.station($0)?.row })
        rows = try favorites + (0..<guide.stationCount()).filter { !left.contains($0) }
        self.hidden = hidden
    }

    /// Returns the guide with one row for stations that differ only in quality: the first one that the profile shows.
    ///
    /// - Parameter stations: The rows of each station.
    func folding(_ stations: [[Int]]) -> ProfileGuide {
        let station = Dictionary(stations.enumerated().flatMap { index, rows in rows.map { ($0, index) } }) {
            first, _ in first
        }
        var (copy, shown) = (self, Set<Int>())
        copy.rows = rows.filter { row in station[row].map { shown.insert($0).inserted } ?? true }
        return copy
    }

    /// Returns a part of the rows; the places of a range are those in ``rows``.
    func rows(in places: Range<Int>) -> ArraySlice<Int> { rows[places.clamped(to: rows.indices)] }
}

extension GuideReading {
    /// Returns a profile.
    ///
    /// - Throws: ``CommandFailure`` if the guide does not have it.
    fileprivate func profile(named name: String) throws -> Profile {
        guard let profile = try profiles().first(where: { $0.name == name }) else {
            throw CommandFailure(
                .noInput, "There is no profile “\(name.prefix(64))”. List the profiles with `epg profile list`.")
        }
        return profile
    }
}
