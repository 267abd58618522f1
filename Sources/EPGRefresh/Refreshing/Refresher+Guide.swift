internal import EPGModel

extension Refresher {
    /// Hands the guide over for writing, and waits for another process that writes until the refresh is cancelled.
    func write<Answer>(_ body: (any GuideWriting) throws -> Answer) throws -> Answer {
        try guide.write(waiting: .unless(isCancelled), body)
    }

    /// Reads in the midst of a source; what goes wrong with that is no fault of the source.
    func readForSource<Answer>(_ body: (any GuideReading) throws -> Answer) throws -> Answer {
        try blamingGuide { try guide.read(body) }
    }

    /// Writes in the midst of a source; what goes wrong with that is no fault of the source.
    func writeForSource<Answer>(_ body: (any GuideWriting) throws -> Answer) throws -> Answer {
        try blamingGuide { try write(body) }
    }

    private func blamingGuide<Answer>(_ body: () throws -> Answer) throws -> Answer {
        do {
            return try body()
        } catch {
            throw RefreshFailure(error, exitCode: RefreshFailure.inputOutput)
        }
    }
}
