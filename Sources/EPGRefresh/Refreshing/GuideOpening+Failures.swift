internal import EPGModel

/// Opens the guide in the midst of a source; what goes wrong with that is no fault of the source.
extension GuideOpening {
    func reading<Answer>(_ body: (any UpkeepReading) throws -> Answer) throws -> Answer {
        try telling { try read(body) }
    }

    func writing<Answer>(_ body: (any ScheduleWriting) throws -> Answer) throws -> Answer {
        try telling { try write(body) }
    }

    private func telling<Answer>(_ body: () throws -> Answer) throws -> Answer {
        do {
            return try body()
        } catch {
            throw RefreshFailure(error, exitCode: RefreshFailure.inputOutput)
        }
    }
}
