internal import EPGModel

/// One refresh of an account: what changed is asked for, and the guide as it then stands is kept and handed over.
struct SchedulesDirectRefresh {
    let questions: SchedulesDirectQuestions
    let cache: SchedulesDirectCache
    /// Lineups that are wanted; empty for all of the account.
    let wantedLineups: [String]
    let clock: FetchClock

    /// Asks, and hands the guide over.
    ///
    /// - Parameter tag: The entity tag of the guide that is known.
    func run(known tag: String?) throws(SchedulesDirectTrouble) -> FetchResult {
        let marks = try questions.lineupMarks()
        let lineups = try chosenLineups()
        var index = try wrapped { () throws(SystemFailure) in try cache.index() }
        var draft = try Draft(self, lineups, marks, index)
        if let index, draft.isUnchanged(index), tag == entityTag(index) { return .notModified }
        var stock = SchedulesDirectStock()
        if let known = index {
            if let standing = try wrapped({ () throws(SystemFailure) in try cache.stock(known) }) {
                stock = standing
            } else {
                // A kept guide that is damaged is fetched anew.
                index = nil
                draft = try Draft(self, lineups, marks, nil)
            }
        }
        if let index, draft.isUnchanged(index) { return try body(index, tag) }
        return try update(stock, draft, tag)
    }

    private func update(
        _ stock: SchedulesDirectStock, _ draft: Draft, _ tag: String?
    ) throws(SchedulesDirectTrouble) -> FetchResult {
        var update = SchedulesDirectUpdate(questions: questions, stock: stock)
        update.stock.lineups = try lineups(draft, standing: stock)
        update.stock.days = stock.days.filter { draft.plan.kept.contains($0.key) }
        do throws(SchedulesDirectTrouble) {
            try update.askDays(draft.plan.asked)
            let fresh = draft.plan.asked.keys.filter { update.stock.days[$0]?.mark == draft.plan.asked[$0] }
            try update.askContents(namedBy: Set(fresh))
        } catch {
            // What came before the failure needn't be asked for again.
            update.stock.isPending = true
            let stock = update.stock
            _ = try wrapped { () throws(SystemFailure) in try cache.save(stock) }
            throw error
        }
        let whole = update.stock
        let (index, _) = try wrapped { () throws(SystemFailure) in try cache.save(whole) }
        return try body(index, tag)
    }

    /// The lineups that are wanted, as far as the account has them.
    private func chosenLineups() throws(SchedulesDirectTrouble) -> [String] {
        let lineups = try questions.lineups()
        guard !lineups.isEmpty else { throw SchedulesDirectTrouble(SchedulesDirectCode.refusal(4102, message: "")) }
        for id in wantedLineups where !lineups.contains(id) {
            throw SchedulesDirectTrouble(
                ServiceRefusal(
                    problem: "the account has no lineup \(id.prefix(100)), but \(lineups.joined(separator: ", "))",
                    advice: "Correct it in epg.yml, or add it to the account at schedulesdirect.org.",
                    exitCode: RefreshFailure.configuration))
        }
        return wantedLineups.isEmpty ? lineups : SchedulesDirectStock.unique([wantedLineups])
    }

    private func lineups(
        _ draft: Draft, standing: SchedulesDirectStock
    ) throws(SchedulesDirectTrouble) -> [SchedulesDirectLineup] {
        draft.lineups.compactMap { lineup in
            draft.fetched[lineup.id] ?? standing.lineups.first { $0.id == lineup.id }
        }
    }

    /// The kept guide, if it isn't the one that is known.
    private func body(_ index: SchedulesDirectIndex, _ tag: String?) throws(SchedulesDirectTrouble) -> FetchResult {
        if tag == entityTag(index) { return .notModified }
        let file = try wrapped { () throws(SystemFailure) in try SchedulesDirectBody(path: cache.path) }
        return .body(
            FetchedBody(
                path: cache.path, byteCount: file.byteCount, hash: index.checksum, entityTag: entityTag(index)))
    }

    /// The strong entity tag of a kept guide (RFC 9110, 8.8.3).
    private func entityTag(_ index: SchedulesDirectIndex) -> String { "\"\(index.checksum)\"" }

    private func wrapped<Result>(
        _ body: () throws(SystemFailure) -> Result
    ) throws(SchedulesDirectTrouble) -> Result {
        do throws(SystemFailure) {
            return try body()
        } catch {
            throw SchedulesDirectTrouble(.keptFile(path: cache.path, error.code))
        }
    }
}

extension SchedulesDirectRefresh {
    /// What the service says that there is, beside what is kept.
    struct Draft {
        /// In the order of the account or of the configuration.
        var lineups: [SchedulesDirectIndex.Lineup] = []
        /// Those that were modified, or are new.
        var fetched: [String: SchedulesDirectLineup] = [:]
        var plan: SchedulesDirectPlan

        /// Asks for the lineups that were modified, and for the marks of all days.
        init(
            _ refresh: SchedulesDirectRefresh, _ ids: [String], _ marks: [String: String],
            _ index: SchedulesDirectIndex?
        ) throws(SchedulesDirectTrouble) {
            for id in ids {
                let mark = marks[id] ?? ""
                if !mark.isEmpty, let known = index?.lineups.first(where: { $0.id == id }), known.mark == mark {
                    lineups.append(known)
                } else {
                    let lineup = try refresh.questions.lineup(id, mark: mark)
                    fetched[id] = lineup
                    lineups.append(SchedulesDirectIndex.Lineup(id: id, mark: mark, stations: lineup.stations))
                }
            }
            let stations = SchedulesDirectStock.unique(lineups.map(\.stations))
            guard !stations.isEmpty else {
                throw SchedulesDirectTrouble(
                    ServiceRefusal(
                        problem: "the lineups of the account hold no station",
                        advice: "See to them at schedulesdirect.org.", exitCode: RefreshFailure.badContent))
            }
            // The day before is kept: it isn't over everywhere.
            let yesterday = CivilDate(daysSince1970: refresh.clock.now().secondsSince1970 / 86_400 - 1)
            plan = SchedulesDirectPlan(
                told: try refresh.questions.dayMarks(of: stations), standing: index?.days ?? [:], stations: stations,
                firstDay: yesterday.description)
        }

        /// Whether the kept guide is complete and nothing in it changes.
        func isUnchanged(_ index: SchedulesDirectIndex) -> Bool {
            fetched.isEmpty && !index.isPending && plan.isEmpty(standing: index.days.count)
                && lineups.map(\.id) == index.lineups.map(\.id)
        }
    }
}
