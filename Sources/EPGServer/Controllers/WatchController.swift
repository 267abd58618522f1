import EPGCalendar
import EPGHTTP
import EPGImport
import EPGJSON
import EPGModel
import EPGRender
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// The watchlist: upcoming airings that match watch rules, and changes of rules.
///
/// Changes belong to ``AccessGroup/watchlist``. Their type is JSON, which forms cannot send. Viewers change the rules of a profile that
/// accepts them, and name it in the query.
struct WatchController: Sendable {
    static let endpoints: [any Endpoint.Type] = [
        WatchListEndpoint.self, WatchRuleEndpoint.self, WatchPreviewEndpoint.self, WatchMarksEndpoint.self,
        WatchCalendarEndpoint.self, WatchFeedEndpoint.self,
    ]

    private let service: GuideService
    private let logger: Logger
    private let limiter = RuleChangeLimiter()
    /// The maximum size of the body of a request in bytes.
    private static let maximumSize = 16 << 10

    init(service: GuideService, logger: Logger) {
        (self.service, self.logger) = (service, logger)
    }

    func addRoutes(to router: AccessRouter) {
        let router = router[.watchlist]
        router.on(RouterPath(WatchListEndpoint.path), method: .post) { request, context in
            let viewer = try await viewer(request, context)
            let draft = try await draft(in: request, by: viewer, context)
            let now = service.now()
            let (rule, isNew) = try await change(context) { try draft.save(to: $0, by: viewer, now: now) }
            if isNew { log("added", rule.name, context) }
            let path = "/api/v1/watch/\(rule.name.percentEncoded)"
            return Document(json: rule).response(isNew ? .created : .ok, to: request, headers: [.location: path])
        }
        router.on(RouterPath(WatchRuleEndpoint.path), method: .patch) { request, context in
            let viewer = try await viewer(request, context)
            let draft = try await draft(in: request, by: viewer, context)
            let name = try service.parameters(of: request, context).path("name")
            let now = service.now()
            let rule = try await change(context) { try draft.change(ruleNamed: name, in: $0, by: viewer, now: now) }
            log("edited", rule.name, context)
            return Document(json: rule).response(.ok, to: request)
        }
        router.on(RouterPath(WatchRuleEndpoint.path), method: .delete) { request, context in
            let name = try service.parameters(of: request, context).path("name")
            let viewer = try await viewer(request, context)
            try viewer.map { try count($0, context) }
            let wasRemoved = try await change(context) { guide in
                if let viewer, let rule = try guide.watchRules().first(where: { $0.name == name }) {
                    try viewer.check(rule)
                }
                return try guide.removeWatchRule(named: name)
            }
            guard wasRemoved else { throw WatchController.unknownRule(name) }
            log("removed", name, context)
            return Response(status: .noContent, headers: [.cacheControl: Freshness.uncacheable.cacheControl])
        }
    }

    static func unknownRule(_ name: String) -> Problem {
        .notFound("There is no watch rule “\(name.prefix(80))”. /api/v1/watch lists all rules.")
    }

    /// Reads the rule in a request, and counts the change. Invalid rules do not count.
    private func draft(
        in request: Request, by viewer: RuleViewer?, _ context: ServiceRequestContext
    ) async throws -> WatchDraft {
        // The limit of a viewer is the profile's, whatever the URL says.
        let limit = try viewer?.limit ?? service.parameters(of: request, context).limit
        let draft = try WatchDraft(await request.jsonObject("rule", upTo: Self.maximumSize), limit)
        try viewer.map { try count($0, context) }
        return draft
    }

    /// Counts a change of a viewer.
    ///
    /// - Throws: ``Problem`` with status 429 after too many changes.
    private func count(_ viewer: RuleViewer, _ context: ServiceRequestContext) throws(Problem) {
        guard let seconds = limiter.retryDelay(of: context.client.limitedAddress, profile: viewer.profile) else {
            return
        }
        throw Problem(
            .tooManyRequests, "Too many changes of watch rules. Try again in \(seconds) s.", retryAfter: seconds)
    }

    /// Returns the viewer who sends a request; `nil` for a client that may change all rules.
    ///
    /// - Throws: ``Problem``: the refusal of the request if it names no profile, and 403 for a profile that does not accept rules.
    private func viewer(_ request: Request, _ context: ServiceRequestContext) async throws -> RuleViewer? {
        guard let refusal = context.admission?.refusalWithoutProfile else { return nil }
        var parameters = try service.parameters(of: request, context)
        guard let name = try parameters.text("profile") else { throw refusal }
        let profiles = try await service.profiles(for: context.client)
        guard let profile = profiles.first(where: { $0.name == name && $0.acceptsRules }) else {
            throw RuleViewer.refusal(ofProfile: name)
        }
        return RuleViewer(profile: name, limit: profile.limit)
    }

    /// Changes rules.
    private func change<Value: Sendable>(
        _ context: ServiceRequestContext, _ body: @escaping @Sendable (any GuideWriting) throws -> Value
    ) async throws -> Value {
        do {
            return try await service.change(
                for: context.client, isKnown: context.admission?.refusalWithoutProfile == nil, body)
        } catch let error as WatchRuleError {
            throw Problem(error)
        }
    }

    private func log(_ change: String, _ name: String, _ context: ServiceRequestContext) {
        logger.notice(
            "watch rule over HTTP",
            metadata: [
                "id": "\(context.requestID)", "client": "\(context.client.address)", "change": "\(change)",
                "rule": "\(name.prefix(80))",
            ])
    }
}

extension Request {
    /// Returns the JSON object in the body.
    ///
    /// - Parameters:
    ///   - name: What the object is, for messages.
    ///   - maximumSize: The maximum size in bytes.
    /// - Throws: ``Problem``: 415 for another type, 413 for a body that is too large, and 400 for anything but an object.
    func jsonObject(_ name: String, upTo maximumSize: Int) async throws -> JSONNode {
        let type = headers[.contentType]?.prefix { $0 != ";" && $0 != " " }.lowercased()
        guard type == "application/json" else {
            throw Problem(
                .unsupportedMediaType, "Send the \(name) as a JSON object with Content-Type: application/json.")
        }
        var content = ByteBuffer()
        for try await chunk in body {
            guard content.readableBytes + chunk.readableBytes <= maximumSize else {
                throw Problem(.contentTooLarge, "A \(name) has at most \(maximumSize) bytes.")
            }
            content.writeImmutableBuffer(chunk)
        }
        let object: JSONNode
        do throws(JSONError) {
            object = try JSONNode(parsing: Array(content.readableBytesView))
        } catch {
            throw Problem(.badRequest, "The body is not JSON: \(error).")
        }
        guard object.kind == .object else { throw Problem(.badRequest, "The body must be a JSON object.") }
        return object
    }
}

extension Problem {
    /// The problem of an invalid rule: 409 if another rule has its name, otherwise 422.
    fileprivate init(_ error: WatchRuleError) {
        let isConflict = if case .nameInUse = error { true } else { false }
        self.init(isConflict ? .conflict : .unprocessableContent, "\(error)", parameter: error.field?.rawValue)
    }
}

extension TextPattern {
    /// Parses a pattern of a request.
    ///
    /// - Throws: ``Problem`` with status 422.
    fileprivate static func read(_ text: String) throws(Problem) -> TextPattern {
        do throws(TextPatternError) {
            return try TextPattern(text)
        } catch {
            throw Problem(.unprocessableContent, "\(error)", parameter: "pattern")
        }
    }
}

/// The members of a rule that a request sets. A missing member changes nothing.
private struct WatchDraft: Sendable {
    private let name: String?
    private let profile: String?
    // Conditions that can be removed: `.some(nil)` removes one.
    private let title: String??
    private let words: String??
    private let pattern: TextPattern??
    private let category: String??
    private let station: StationID??
    /// The name of the rule that a form edits; `nil` for others.
    let edited: String?
    private let airing: AiringID??
    private let times: TimesOfDay??
    private let anyWords: [String]?
    private let excludedWords: [String]?
    private let isNew: Bool?
    private let isOnce: Bool?
    private let minutes: Int?
    /// The parental limit of the page that sends the rule.
    private let limit: ParentalLimit

    private static let members: Set = [
        "name", "profile", "title", "words", "any", "without", "pattern", "category", "station", "airing", "between",
        "new", "once", "minutes",
    ]

    /// Reads the members of the JSON of a rule; `null` removes a condition, and sets any other member to its default.
    ///
    /// - Throws: ``Problem`` with status 400 or 422.
    init(_ object: JSONNode, _ limit: ParentalLimit) throws(Problem) {
        for (key, _) in object.members where !Self.members.contains(key) {
            throw .badParameter(String(key.prefix(40)), "a rule has no such member.")
        }
        func value<Value>(
            _ key: String, _ expected: String, _ read: (JSONNode) throws(Problem) -> Value?
        ) throws(Problem) -> Value?? {
            guard let node = object[key] else { return nil }
            guard node.kind != .null else { return .some(nil) }
            guard let value = try read(node) else { throw .badParameter(key, "expected \(expected).") }
            return value
        }
        func text(_ key: String) throws(Problem) -> String?? { try value(key, "a string") { $0.string } }
        func list(_ key: String) throws(Problem) -> [String]? {
            try value(key, "an array of strings") { node in
                let texts = node.elements.compactMap(\.string)
                return node.kind == .array && texts.count == node.elements.count ? texts : nil
            }.map { $0 ?? [] }
        }
        func flag(_ key: String) throws(Problem) -> Bool? {
            try value(key, "true or false") { $0.bool }.map { $0 ?? false }
        }
        edited = nil
        name = try text("name") ?? nil
        profile = try text("profile").map { $0 ?? WatchRule.defaultProfile }
        title = try text("title")
        words = try text("words")
        pattern = try value("pattern", "a string") { node throws(Problem) in
            guard let text = node.string else { return nil }
            return try TextPattern.read(text)
        }
        category = try text("category")
        station = try text("station").map { $0.map { StationID($0) } }
        airing = try value("airing", "an integer") { $0.integer.map { AiringID($0) } }
        times = try value("between", "times such as 20:00-23:00") { $0.string.flatMap { TimesOfDay($0) } }
        anyWords = try list("any")
        excludedWords = try list("without")
        isNew = try flag("new")
        isOnce = try flag("once")
        minutes = try value("minutes", "a small integer") { $0.integer.flatMap { Int(exactly: $0) } }
            .map { $0 ?? WatchRule.defaultMinutesBefore }
        self.limit = limit
    }

    /// Reads the parameters of a preview.
    ///
    /// - Throws: ``Problem`` with status 400 or 422.
    init(_ parameters: inout ParameterReader) throws(Problem) {
        let maximum = WatchRule.maximumConditionLength
        name = "preview"
        edited = try parameters.text("rule", maximumLength: WatchRule.maximumNameLength)
        profile = nil
        title = try parameters.text("title", maximumLength: maximum)
        words = try parameters.text("words", maximumLength: maximum)
        let text = try parameters.text("pattern", maximumLength: TextPattern.maximumLength)
        if let text { pattern = try TextPattern.read(text) } else { pattern = nil }
        category = try parameters.text("category", maximumLength: maximum)
        station = try parameters.text("station", maximumLength: maximum).map { StationID($0) }
        let number = try parameters.integer("airing", default: 0, in: 0...Int.max)
        airing = number == 0 ? nil : AiringID(Int64(number))
        times = try parameters.value("between", expected: "times such as 20:00-23:00") { TimesOfDay($0) }
        anyWords = try parameters.texts("any", maximumLength: maximum)
        excludedWords = try parameters.texts("without", maximumLength: maximum)
        isNew = try parameters.flag("new")
        isOnce = try parameters.flag("once")
        minutes = nil
        limit = parameters.limit
    }

    /// Returns a rule with the members of this draft.
    ///
    /// - Parameters:
    ///   - former: The rule whose other members stay; `nil` for a new rule.
    ///   - reference: The airing of a rule for a single one, which may have another identifier by now.
    ///   - standard: The profile of a new rule for which the request names none.
    /// - Throws: ``WatchRuleError``, ``Problem`` with status 404 for an unknown airing, an error of the store.
    func rule(
        from former: WatchRule?, following reference: AiringReference? = nil,
        ofProfile standard: String = WatchRule.defaultProfile, in guide: any GuideReading, now: Instant
    ) throws -> WatchRule {
        var conditions = former?.conditions ?? WatchConditions()
        if let title { conditions.title = title }
        if let words { conditions.words = words }
        if let pattern { conditions.pattern = pattern }
        if let category { conditions.category = category }
        // The guide may have lost the station of a rule.
        if let station, station != former?.conditions.station {
            conditions.station = try station.map { try Self.station($0.rawValue, in: guide) }
        }
        if let times { conditions.times = times }
        conditions.anyWords = anyWords ?? conditions.anyWords
        conditions.excludedWords = excludedWords ?? conditions.excludedWords
        conditions.isNew = isNew ?? conditions.isNew
        var name = name ?? former?.name
        switch airing {
        case .some(.some(let airing)) where airing == reference?.id: conditions.airing = reference
        case .some(.some(let airing)) where airing != former?.conditions.airing?.id:
            guard let detail = try guide.airing(airing) else {
                throw Problem.notFound("The guide has no airing \(airing). An update may have removed it.")
            }
            guard !limit.locks(detail.programme) else {
                throw Problem(
                    .unprocessableContent,
                    "The parental limit of the profile locks this programme. Choose another profile.")
            }
            let single = try WatchRule(remindingOf: detail)
            conditions.title = (title ?? nil) ?? single.conditions.title
            conditions.station = (station ?? nil) ?? single.conditions.station
            conditions.airing = try AiringReference(detail.airing, in: guide)
            name = name ?? single.name
        case .some(nil): conditions.airing = nil
        default:
            // The title and the station belong to the airing.
            if conditions.title != former?.conditions.title || conditions.station != former?.conditions.station {
                conditions.airing = nil
            }
        }
        name =
            name
            ?? (conditions.title ?? conditions.words ?? conditions.anyWords.first ?? conditions.pattern?.text)
            .map { WatchRule.name(forTitle: $0) }
        return try WatchRule(
            id: former?.id, name: name ?? "", profile: profile ?? former?.profile ?? standard,
            conditions, isOncePerEpisode: isOnce ?? former?.isOncePerEpisode ?? false,
            minutesBefore: minutes ?? former?.minutesBefore ?? WatchRule.defaultMinutesBefore,
            created: former?.created ?? now)
    }

    /// Returns the station with an identifier or a name.
    ///
    /// - Throws: ``Problem`` with status 422 for none, and for several with the name.
    private static func station(_ text: String, in guide: any GuideReading) throws -> StationID {
        func names(_ rows: [StationRow]) -> String {
            rows.prefix(3).map { "\($0.station.name.prefix(60)) (\($0.station.id.rawValue.prefix(60)))" }.joined(
                separator: ", ")
        }
        switch try StationFinder.find(text, in: guide) {
        case .one(let row): return row.station.id
        case .several(let rows):
            throw Problem(
                .unprocessableContent, "Several stations have this name: \(names(rows)). Enter an identifier.",
                parameter: "station")
        case .none(let nearest):
            throw Problem(
                .unprocessableContent,
                "The guide has no such station." + (nearest.isEmpty ? "" : " The nearest: \(names(nearest))."),
                parameter: "station")
        }
    }

    /// Stores a new rule, and returns it with whether it is new. Does nothing if the same rule exists.
    ///
    /// If the request gives no name, and the title is the name of a profile or of another profile's rule, the name of the rule's profile
    /// follows the title.
    ///
    /// - Parameter viewer: The viewer who adds the rule; `nil` for a client that may change all rules.
    /// - Throws: As ``rule(from:in:now:)``; ``Problem`` with status 403, 409 or 422 for a rule that the viewer cannot add.
    func save(to guide: any GuideWriting, by viewer: RuleViewer?, now: Instant) throws -> (rule: WatchRule, isNew: Bool)
    {
        var rule = try rule(
            from: nil, ofProfile: viewer?.profile ?? WatchRule.defaultProfile, in: guide, now: now)
        let rules = try guide.watchRules()
        let profiles = try guide.profileNames(of: rules)
        var known = rules.first { $0.name == rule.name }
        if name == nil, known.map({ $0.profile != rule.profile }) ?? profiles.contains(rule.name) {
            rule = try rule.with(name: WatchRule.name(forTitle: rule.name, profile: rule.profile))
            known = rules.first { $0.name == rule.name }
        }
        try viewer?.check(rule, insteadOf: known, profiles)
        try Watchlist.checkWords(of: rule, in: guide)
        if let known {
            guard known.isEquivalent(to: rule) else { throw WatchRuleError.nameInUse(rule.name) }
            return (known, false)
        }
        try viewer?.checkCount(of: rules)
        try guide.saveWatchRule(rule)
        return (rule, true)
    }

    /// Changes a stored rule, and returns it.
    ///
    /// - Parameter viewer: The viewer who changes the rule; `nil` for a client that may change all rules.
    /// - Throws: As ``rule(from:in:now:)``; ``Problem`` with status 404 for an unknown rule, 403 for a rule of another profile than the
    ///   viewer's, and 409 or 422 for a change that the viewer cannot make.
    func change(
        ruleNamed name: String, in guide: any GuideWriting, by viewer: RuleViewer?, now: Instant
    ) throws -> WatchRule {
        let rules = try guide.watchRules()
        guard let former = rules.first(where: { $0.name == name }) else { throw WatchController.unknownRule(name) }
        let rule = try rule(from: former, in: guide, now: now)
        try viewer?.check(former)
        try viewer?.check(rule, insteadOf: former, guide.profileNames(of: rules))
        try Watchlist.checkWords(of: rule, in: guide)
        try guide.saveWatchRule(rule)
        return rule
    }
}

extension GuideReading {
    /// Returns the names of the guide's profiles, the profiles of rules, and the default profile.
    fileprivate func profileNames(of rules: [WatchRule]) throws -> Set<String> {
        try Set(profiles().map(\.name) + rules.map(\.profile) + [WatchRule.defaultProfile])
    }
}

/// The parameters of all lists: the time, the zone, `days` and `tuners`.
private struct WatchQuery: Sendable {
    let now: Instant
    let zone: Zone
    private let days: Int
    private let tuners: Int

    init(_ parameters: inout ParameterReader) throws(Problem) {
        zone = try parameters.zone()
        now = try parameters.minute()
        days = try parameters.integer("days", default: Watchlist.defaultDays, in: 1...60)
        tuners = try parameters.integer("tuners", default: 1, in: 1...1000)
    }

    /// Returns the upcoming airings that match the rule with a name, or else the rules of the profile with that name.
    ///
    /// - Throws: ``Problem`` with status 404 for an unknown rule; 422 if no rule can be evaluated; 503 if the search index is
    ///   missing.
    func listing(named name: String, in guide: GuideView) throws -> WatchListing {
        let all = try guide.guide.watchRules()
        let named = all.filter { $0.name == name }
        let rules = named.isEmpty ? all.filter { $0.profile == name } : named
        if rules.isEmpty { throw WatchController.unknownRule(name) }
        let listing = try listing(of: rules, in: guide)
        if let failure = listing.failures.first, listing.failures.count == rules.count {
            throw Problem(
                .unprocessableContent, "The rule “\(failure.rule.name)” cannot be evaluated: \(failure.error)")
        }
        return listing
    }

    /// Returns the upcoming airings that match the rules of a profile (`nil` for all).
    ///
    /// - Throws: ``Problem`` with status 503 if the search index is missing.
    func listing(ofProfile profile: String?, in guide: GuideView) throws -> WatchListing {
        try listing(of: guide.guide.watchRules().filter { profile == nil || $0.profile == profile }, in: guide)
    }

    /// Returns the upcoming airings that match a draft.
    ///
    /// - Throws: ``Problem`` with status 404 or 422 for an invalid draft; 503 if the search index is missing.
    func listing(of draft: WatchDraft, in guide: GuideView) throws -> WatchListing {
        do {
            let edited = try draft.edited.flatMap { name in try guide.guide.watchRules().first { $0.name == name } }
            let rule = try draft.rule(
                from: nil, following: edited?.conditions.airing, in: guide.guide, now: now)
            try Watchlist.checkWords(of: rule, in: guide.guide)
            let listing = try listing(of: [rule], in: guide)
            if let failure = listing.failures.first {
                let field = failure.error is TextPatternError ? "pattern" : nil
                throw Problem(.unprocessableContent, "\(failure.error)", parameter: field)
            }
            return listing
        } catch let error as WatchRuleError {
            throw Problem(error)
        }
    }

    private func listing(of rules: [WatchRule], in guide: GuideView) throws -> WatchListing {
        try guide.evaluating {
            try WatchListing(
                of: rules, in: guide.guide, now: now, zone: zone, days: days, tuners: tuners, index: guide.watchIndex)
        }
    }
}

extension GuideView {
    /// Evaluates watch rules.
    ///
    /// - Throws: ``Problem`` with status 503 if the search index is missing.
    fileprivate func evaluating<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch is SearchIndexMissing {
            throw Problem(
                .serviceUnavailable, "The search index is missing. The next import or refresh builds it.",
                retryAfter: 30)
        }
    }
}

/// `/api/v1/watch`: all rules, or the rules of a profile, and the upcoming airings that match them.
struct WatchListEndpoint: Endpoint {
    static let path = "/api/v1/watch"

    private let query: WatchQuery
    private let profile: String?

    init(_ parameters: inout ParameterReader) throws(Problem) {
        query = try WatchQuery(&parameters)
        profile = try parameters.text("profile")
    }

    var isSlow: Bool { true }

    func document(from guide: GuideView) throws -> Document {
        var document = Document(json: try query.listing(ofProfile: profile, in: guide))
        document.isKept = false
        return document
    }
}

/// `/api/v1/watch/{name}`: a rule, or the rules of a profile, and the upcoming airings that match, for recorders.
struct WatchRuleEndpoint: Endpoint {
    static let path = "/api/v1/watch/{name}"

    private let query: WatchQuery
    private let name: String

    init(_ parameters: inout ParameterReader) throws(Problem) {
        query = try WatchQuery(&parameters)
        name = parameters.path("name")
    }

    var isSlow: Bool { true }

    func document(from guide: GuideView) throws -> Document {
        var document = Document(json: try query.listing(named: name, in: guide))
        document.isKept = false
        return document
    }
}

/// `/api/v1/watch-preview`: the first upcoming airings that match a rule that need not exist, for forms. A path below
/// `/api/v1/watch` would hide a rule with its name.
struct WatchPreviewEndpoint: Endpoint {
    static let path = "/api/v1/watch-preview"

    private let query: WatchQuery
    private let draft: WatchDraft
    /// The maximum number of airings.
    private static let maximumCount = 50

    init(_ parameters: inout ParameterReader) throws(Problem) {
        query = try WatchQuery(&parameters)
        draft = try WatchDraft(&parameters)
    }

    var isSlow: Bool { true }

    func document(from guide: GuideView) throws -> Document {
        let listing = try query.listing(of: draft, in: guide)
        var document = Document.object { json in
            json.member("airings", Array(listing.airings.prefix(Self.maximumCount)))
            json.member("count", listing.airings.count)
            json.member("complete", listing.isComplete)
        }
        document.isKept = false
        return document
    }
}

/// `/api/v1/marks`: the airings between two instants that match rules, for pages that mark them.
struct WatchMarksEndpoint: Endpoint {
    static let path = "/api/v1/marks"

    private let window: TimeWindow
    private let now: Instant
    private let zone: Zone

    /// The maximum length in seconds.
    private static let maximumLength: Int64 = 3 * 86_400

    init(_ parameters: inout ParameterReader) throws(Problem) {
        zone = try parameters.zone()
        now = try parameters.minute()
        let start = try parameters.instant("from") ?? now
        let end = try parameters.instant("to") ?? start.advanced(by: 86_400)
        guard let window = TimeWindow(from: start, to: end), window.seconds <= Self.maximumLength else {
            throw .badParameter("to", "expected a time within three days after from.")
        }
        self.window = window
    }

    var isSlow: Bool { true }

    func document(from guide: GuideView) throws -> Document {
        let rules = try guide.guide.watchRules()
        var marks: [AiringID: [WatchRule]] = [:]
        if !rules.isEmpty {
            let list = Watchlist(
                guide.guide, now: now, reminders: try guide.guide.reminders(), index: guide.watchIndex,
                minuteOfDay: { [zone] in zone.minuteOfDay(at: $0) })
            marks = try list.marks(of: rules, during: window)
        }
        var document = Document.object { json in
            json.member("airings", objects: marks.sorted { $0.key < $1.key }) { mark, json in
                json.member("id", mark.key.rawValue)
                json.member("rules", mark.value.map(\.name))
            }
            let found = Set(marks.values.joined())
            json.member("rules", objects: rules.filter { found.contains($0) && $0.button != nil }) { rule, json in
                json.member("name", rule.name)
                json.member("profile", rule.profile)
                json.member("button", rule.button?.rawValue)
            }
        }
        document.isKept = false
        return document
    }
}

/// `/watch/{name}.ics`: the upcoming airings that match a rule as a calendar (RFC 5545) with alarms.
struct WatchCalendarEndpoint: Endpoint {
    static let path = "/watch/{name}.ics"

    private let query: WatchQuery
    private let name: String

    init(_ parameters: inout ParameterReader) throws(Problem) {
        query = try WatchQuery(&parameters)
        name = parameters.path("name")
    }

    var isSlow: Bool { true }

    func document(from guide: GuideView) throws -> Document {
        let listing = try query.listing(named: name, in: guide)
        var bytes = ByteBuffer()
        var calendar = CalendarExporter(name: name, now: guide.version.since ?? Instant(secondsSince1970: 0)) {
            bytes.writeBytes($0)
        }
        try calendar.begin(header: [])
        for watched in listing.airings {
            let airing = watched.airing
            // One event, whose alarm is the first alarm of all rules.
            guard let rule = watched.rules.first else { continue }
            try calendar.event(
                CalendarEvent(
                    identifier: "\(try listing.key(of: watched, for: rule))@swift-epg", window: airing.window,
                    summary: airing.shownTitle,
                    location: watched.detail.stationName,
                    description: [AiringText(airing).episode, airing.subtitle, airing.description].compactMap(\.self)
                        .joined(separator: "\n").nonEmpty,
                    isTentative: airing.marks.contains(.derived), categories: airing.categories,
                    alarmMinutes: watched.rules.map(\.minutesBefore).max()))
        }
        try calendar.end()
        var document = Document(MediaType("text/calendar; charset=utf-8", isText: true), bytes)
        document.isKept = false
        return document
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

/// `/watch/{name}.atom`: the upcoming airings that match a rule as a feed (RFC 4287).
struct WatchFeedEndpoint: Endpoint {
    static let path = "/watch/{name}.atom"

    private let query: WatchQuery
    private let name: String
    private let origin: String?
    private let limit: ParentalLimit

    init(_ parameters: inout ParameterReader) throws(Problem) {
        query = try WatchQuery(&parameters)
        limit = parameters.limit
        name = parameters.path("name")
        origin = parameters.origin()
    }

    var isSlow: Bool { true }

    func document(from guide: GuideView) throws -> Document {
        let listing = try query.listing(named: name, in: guide)
        let base = guide.site.publicURL ?? origin ?? ""
        let path = "/watch/\(name.percentEncoded).atom"
        // The number of a rule is the same in copies of the guide.
        let rule = listing.rules.first { $0.name == name }
        let feed = WatchAtom(
            listing, title: name, base: base, path: path, identity: rule.map { "\($0.id)" } ?? base + path,
            zone: query.zone, query: limit.query(after: ""))
        var document = Document(
            MediaType("application/atom+xml; charset=utf-8", isText: true), ByteBuffer(bytes: try feed.bytes()))
        document.isKept = false
        return document
    }
}

/// `/watch`: the rules of all profiles, or of one, and the upcoming airings that match them.
struct WatchPageEndpoint: Endpoint {
    static let path = "/watch"

    private let view: ViewRequest
    private let profile: String?
    private let tuners: Int

    init(_ parameters: inout ParameterReader) throws(Problem) {
        view = try ViewRequest(&parameters)
        profile = try parameters.text("profile")
        tuners = try parameters.integer("tuners", default: 1, in: 1...1000)
    }

    var isSlow: Bool { true }

    func document(from guide: GuideView) throws -> Document {
        let page = try guide.evaluating {
            // Reminders use the times of rules in the zone of the service, whatever the viewer's is.
            try WatchPage(
                of: guide.guide, profile: profile, tuners: tuners, now: view.now, zone: view.zone,
                ruleZone: guide.site.zone, index: guide.watchIndex)
        }
        let frame = view.frame(
            view.texts("watchlist"), kind: "watchlist", place: .watch, files: PageFrame.Files.watchlist(in:),
            site: guide.site)
        var document = Document(page: WatchHTML(page, frame: frame).bytes)
        document.isKept = false
        return document
    }
}
