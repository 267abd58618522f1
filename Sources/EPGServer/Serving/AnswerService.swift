import EPGCalendar
import EPGModel
import HTTPTypes
import Logging
import NIOCore
import NIOPosix

/// Finds answers: kept ones, else by asking the guide.
final class AnswerService: Sendable {
    let guide: any GuideStorage
    let watch: GuideWatch
    let site: Site
    let cache: AnswerCache
    let fastTable: FastTable
    let schedules: StandingSchedules
    let now: @Sendable () -> Instant
    /// How long a question may take.
    private let deadline: Duration
    /// When the service refreshes a source next by itself; `nil` where others do.
    private let nextRefresh: (@Sendable (SourceSummary) -> Instant?)?
    /// SQLite blocks the thread that asks it, so questions have threads of their own; searches too, as they can take long.
    let questions: RequestAdmission
    let searches: RequestAdmission
    private let flights = FlightTable<CachedAnswer>()

    init(
        _ guide: any GuideStorage, watch: GuideWatch, site: Site, cacheCapacity: Int = 64 << 20,
        scheduleCapacity: Int = 256 << 20, deadline: Duration = .seconds(5), questions: RequestAdmission,
        searches: RequestAdmission, nextRefresh: (@Sendable (SourceSummary) -> Instant?)? = nil,
        now: @escaping @Sendable () -> Instant
    ) {
        self.guide = guide
        self.watch = watch
        self.site = site
        self.deadline = deadline
        self.questions = questions
        self.searches = searches
        self.nextRefresh = nextRefresh
        self.now = now
        cache = AnswerCache(capacity: cacheCapacity)
        fastTable = FastTable(capacity: cacheCapacity)
        schedules = StandingSchedules(capacity: scheduleCapacity)
    }

    /// The answer to a question in the encoding that is wanted, and whether it was kept from an earlier one.
    ///
    /// Equal requests of one client are one job. Those of different clients are not: a client that joined the job of
    /// another would wait in that one's queue. A job that finds its answer kept when its turn comes reads nothing, so
    /// however many clients send the same request, it is read at most once for each thread.
    ///
    /// - Throws: ``Problem``.
    func answer(
        to question: Question, for client: RequestingClient, acceptsGzip: Bool
    ) async throws -> (CachedAnswer.Variant, isKept: Bool) {
        let version = try await version(for: question, client)
        let key = AnswerService.key(of: question, at: version)
        let kept = cache[key]
        let answer: CachedAnswer
        if let kept {
            answer = kept
        } else {
            let name = client.asker.map { "\($0)" } ?? ""
            answer = try await flights.join("\(name) \(key)", until: client.departure) { [self] in
                let admission = question.isSearch ? searches : questions
                return try await admission.run(for: client.asker) { cancellation in
                    if let kept = self.cache[key] { return kept }
                    return try self.ask(
                        question,
                        until: ReadingLimit(self.deadline, from: client.arrival) { cancellation.isRequested })
                }
            }
        }
        guard acceptsGzip else { return (answer.plain, kept != nil) }
        if answer.isPacked { return (answer.compressed(), kept != nil) }
        return (try await questions.run(for: client.asker) { _ in answer.compressed() }, kept != nil)
    }

    /// The answer to a question out of memory alone; `nil` where something has to be read.
    func quickAnswer(to question: Question) -> CachedAnswer? {
        let version = watch.version
        guard let index = schedules.index(of: version), let document = question.quickAnswer(index, site) else {
            return nil
        }
        return CachedAnswer(document, of: question, at: version)
    }

    /// The version that stands.
    ///
    /// - Throws: ``Problem`` where the question is about another generation.
    private func version(for question: Question, _ client: RequestingClient) async throws -> GuideVersion {
        let version = watch.version
        guard let name = question.generation, !name.means(self.name(of: version)) else { return version }
        // One that others have heard of may have come since the watch looked.
        if name.generation > version.generation {
            try await questions.run(for: client.asker) { _ in self.watch.look() }
        }
        let standing = watch.version
        guard name.means(self.name(of: standing)) else {
            throw Problem.otherGeneration(name, standing: self.name(of: standing))
        }
        return standing
    }

    /// The full name of a version, as this service shows it.
    func name(of version: GuideVersion) -> GenerationName { GenerationName(version, edition: site.edition.name) }

    /// Asks the guide, and keeps the answer.
    private func ask(_ question: Question, until limit: ReadingLimit) throws -> CachedAnswer {
        do {
            let (answer, version) = try guide.read(until: limit) { reading in
                // The watch may be a moment behind.
                let version = try reading.version()
                let document = try question.answer(
                    GuideView(
                        guide: reading, version: version, standing: schedules, site: site, nextRefresh: nextRefresh))
                let answer = CachedAnswer(document, of: question, at: version)
                if question.freshness != .never {
                    cache.insert(answer, for: AnswerService.key(of: question, at: version))
                }
                return (answer, version)
            }
            // Whoever gets this answer mustn't be given one afterwards that was kept for an older guide.
            if version != watch.version { watch.look() }
            return answer
        } catch ReadingError.tookTooLong {
            throw Problem(
                .serviceUnavailable, "This takes longer than it may; ask for less at once.", retryAfter: 5)
        }
    }

    private static func key(of question: Question, at version: GuideVersion) -> String {
        "\(version.generation) \(version.nonce) \(question.freshness) \(question.key)"
    }
}

/// The client of a request, as the limits of the service see it.
struct RequestingClient: Sendable {
    /// Who asks; `nil` for who isn't limited.
    let asker: PeerAddress?
    /// When the request arrived; its deadline counts from then, however long it waits for its turn.
    let arrival: ContinuousClock.Instant
    /// Tells when the client goes; `nil` for one that stays.
    let departure: ClientDeparture?
}
