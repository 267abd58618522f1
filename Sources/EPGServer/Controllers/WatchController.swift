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
/// Changes belong to ``AccessGroup/watchlist``. Their type is JSON, which forms cannot send.
struct WatchController: Sendable {
    static let endpoints: [any Endpoint.Type] = [
        WatchListEndpoint.self, WatchRuleEndpoint.self, WatchMarksEndpoint.self, WatchCalendarEndpoint.self,
        WatchFeedEndpoint.self,
    ]

    private let service: GuideService
    private let logger: Logger
    /// The maximum size of the body of a request in bytes.
    private static let maximumSize = 16 << 10

    init(service: GuideService, logger: Logger) {
        (self.service, self.logger) = (service, logger)
    }

    func addRoutes(to router: AccessRouter) {
        let router = router[.watchlist]
        router.on(RouterPath(WatchListEndpoint.path), method: .post) { request, context in
            var draft = try await draft(in: request)
            draft.limit = try service.parameters(of: request, context).limit
            let now = service.now()
            let (rule, isNew) = try await change(context) { [draft] in try draft.save(to: $0, now: now) }
            if isNew { log("added", rule.name, context) }
            let path = "/api/v1/watch/\(rule.name.percentEncoded)"
            return Document(json: rule).response(isNew ? .created : .ok, to: request, headers: [.location: path])
        }
        router.on(RouterPath(WatchRuleEndpoint.path), method: .delete) { request, context in
            let name = try service.parameters(of: request, context).path("name")
            let wasRemoved = try await change(context) { try $0.removeWatchRule(named: name) }
            guard wasRemoved else { throw WatchController.unknownRule(name) }
            log("removed", name, context)
            return Response(status: .noContent, headers: [.cacheControl: Freshness.uncacheable.cacheControl])
        }
    }

    static func unknownRule(_ name: String) -> Problem {
        .notFound("There is no watch rule “\(name.prefix(80))”. /api/v1/watch lists all rules.")
    }

    private func draft(in request: Request) async throws -> WatchDraft {
        try WatchDraft(await request.jsonObject("rule", upTo: Self.maximumSize))
    }

    /// Changes rules.
    private func change<Value: Sendable>(
        _ context: ServiceRequestContext, _ body: @escaping @Sendable (any GuideWriting) throws -> Value
    ) async throws -> Value {
        do {
            return try await service.change(for: context.client, isKnown: true, body)
        } catch let error as SearchExpressionError {
            throw Problem(.unprocessableContent, "The words are invalid: \(error)")
        } catch let error as WatchRuleError {
            if case .nameInUse = error { throw Problem(.conflict, "\(error)") }
            throw Problem(.unprocessableContent, "\(error)")
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

/// A rule in the body of a request, which has the members of the JSON of a rule.
private struct WatchDraft: Sendable {
    let name: String?
    private let profile: String
    private let conditions: WatchConditions
    private let airing: AiringID?
    private let isOnce: Bool
    private let minutes: Int
    /// The parental limit of the page that sends the rule.
    var limit = ParentalLimit.none

    private static let members: Set = [
        "name", "profile", "title", "words", "category", "station", "airing", "between", "new", "once", "minutes",
    ]

    /// - Throws: ``Problem`` with status 400.
    init(_ object: JSONNode) throws(Problem) {
        for (key, _) in object.members where !Self.members.contains(key) {
            throw .badParameter(String(key.prefix(40)), "a rule has no such member.")
        }
        func text(_ key: String) throws(Problem) -> String? {
            guard let node = object[key], node.kind != .null else { return nil }
            guard let text = node.string else { throw .badParameter(key, "expected a string.") }
            return text
        }
        func flag(_ key: String) throws(Problem) -> Bool {
            guard let node = object[key], node.kind != .null else { return false }
            guard let flag = node.bool else { throw .badParameter(key, "expected true or false.") }
            return flag
        }
        func number(_ key: String) throws(Problem) -> Int64? {
            guard let node = object[key], node.kind != .null else { return nil }
            guard let number = node.integer else { throw .badParameter(key, "expected an integer.") }
            return number
        }
        name = try text("name")
        profile = try text("profile") ?? WatchRule.defaultProfile
        var times: TimesOfDay?
        if let between = try text("between") {
            times = TimesOfDay(between)
            if times == nil { throw .badParameter("between", "expected times such as 20:00-23:00.") }
        }
        conditions = WatchConditions(
            title: try text("title"), words: try text("words"), category: try text("category"),
            station: try text("station").map { StationID($0) }, times: times, isNew: try flag("new"))
        airing = try number("airing").map { AiringID($0) }
        isOnce = try flag("once")
        guard let minutes = Int(exactly: try number("minutes") ?? Int64(WatchRule.defaultMinutesBefore)) else {
            throw .badParameter("minutes", "expected a small number.")
        }
        self.minutes = minutes
    }

    /// Stores the rule, and returns it with whether it is new. Does nothing if the same rule exists.
    ///
    /// - Throws: ``WatchRuleError``, ``SearchExpressionError``, ``Problem`` with status 404 for an unknown airing, an error of the
    ///   store.
    func save(to guide: any GuideWriting, now: Instant) throws -> (rule: WatchRule, isNew: Bool) {
        var conditions = conditions
        var name = self.name ?? (conditions.title ?? conditions.words).map { WatchRule.name(forTitle: $0) }
        if let airing {
            guard let detail = try guide.airing(airing) else {
                throw Problem.notFound("The guide has no airing \(airing). An update may have removed it.")
            }
            guard !limit.locks(detail.programme) else {
                throw Problem(
                    .unprocessableContent,
                    "The parental limit of the profile locks this programme. Choose another profile.")
            }
            let single = try WatchRule(remindingOf: detail)
            conditions.title = conditions.title ?? single.conditions.title
            conditions.station = conditions.station ?? single.conditions.station
            conditions.airing = try AiringReference(detail.airing, in: guide)
            name = self.name ?? single.name
        }
        let rule = try WatchRule(
            name: name ?? "", profile: profile, conditions, isOncePerEpisode: isOnce, minutesBefore: minutes,
            created: now)
        try Watchlist.checkWords(of: rule, in: guide)
        if let known = try guide.watchRules().first(where: { $0.name == rule.name }) {
            guard known.isEquivalent(to: rule) else { throw WatchRuleError.nameInUse(rule.name) }
            return (known, false)
        }
        try guide.saveWatchRule(rule)
        return (rule, true)
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
    /// - Throws: ``Problem`` with status 404 for an unknown rule; 422 if the words of all rules are invalid; 503 if the search
    ///   index is missing.
    func listing(named name: String, in guide: GuideView) throws -> WatchListing {
        let all = try guide.guide.watchRules()
        let named = all.filter { $0.name == name }
        let rules = named.isEmpty ? all.filter { $0.profile == name } : named
        if rules.isEmpty { throw WatchController.unknownRule(name) }
        let listing = try listing(of: rules, in: guide)
        if let failure = listing.failures.first, listing.failures.count == rules.count {
            throw Problem(
                .unprocessableContent, "The words of the rule “\(failure.rule.name)” are invalid: \(failure.error)")
        }
        return listing
    }

    /// Returns the upcoming airings that match the rules of a profile (`nil` for all).
    ///
    /// - Throws: ``Problem`` with status 503 if the search index is missing.
    func listing(ofProfile profile: String?, in guide: GuideView) throws -> WatchListing {
        try listing(of: guide.guide.watchRules().filter { profile == nil || $0.profile == profile }, in: guide)
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
        let frame = view.frame("Watchlist", kind: "watchlist", place: .watch, files: .watching, site: guide.site)
        var document = Document(page: WatchHTML(page, frame: frame).bytes)
        document.isKept = false
        return document
    }
}
