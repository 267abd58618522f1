import EPGModel

/// Answers viewports out of memory, on the thread of the connection.
///
/// A few hundred thousand instructions are spent here at most; whatever needs more, or isn't answered with 200, is left to the
/// ``GuideResponder``.
final class QuickAnswers: Sendable {
    private let service: AnswerService
    private let crossOrigin: CrossOrigin
    private let figures: RequestMetrics.Figures
    private let route = Route(GridEndpoint.self)
    private let asked = AskedBefore()

    init(_ service: AnswerService, crossOrigin: CrossOrigin, requests: RequestMetrics) {
        self.service = service
        self.crossOrigin = crossOrigin
        figures = requests.figures(of: GridEndpoint.path)
    }

    /// The answer; `nil` where it isn't for here.
    func answer(to request: FastRequest, epoch: UInt64) -> ReadyAnswer? {
        // To pack takes longer than to answer.
        guard !request.acceptsGzip, let query = request.query(ofPath: GridEndpoint.path),
            case .success((let question, let minute)) = Result(catching: { () throws(Problem) in try read(query) }),
            question.isFast, let answer = service.quickAnswer(to: question)
        else { return nil }
        var variant = answer.plain
        if crossOrigin.isOn {
            crossOrigin.add(to: &variant.fields, for: nil)
            crossOrigin.add(to: &variant.fieldsUnmodified, for: nil)
        }
        let ready = ReadyAnswer(variant, figures: figures)
        // What is asked for a second time is likely to be asked for again.
        if asked.note(request.target, epoch: epoch) {
            service.fastTable.insert(
                ready, for: request.target, acceptsGzip: false, epoch: epoch,
                minute: question.followsClock ? minute : nil)
        }
        return ready
    }

    /// What is asked, and the minute that it is asked in.
    private func read(_ query: String) throws(Problem) -> (Question, minute: Int64) {
        var reader = try RequestReader(
            query: query, captures: [:], clock: service.now(), defaultZone: service.site.zone, host: nil)
        return (try route.question(&reader), reader.clock.minute)
    }
}
