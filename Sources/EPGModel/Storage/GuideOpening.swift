/// A stored guide that is opened when it is needed, and for no longer than that.
///
/// The nightly job writes for moments and waits for servers in between: who holds the guide open for writing all the while
/// would keep everybody else from writing.
package protocol GuideOpening: Sendable {
    /// Hands the guide over for reading.
    func read<Answer>(_ body: (any UpkeepReading) throws -> Answer) throws -> Answer

    /// Hands the guide over for writing, once it is nobody else's; what is committed in it stays whatever follows.
    func write<Answer>(_ body: (any ScheduleWriting) throws -> Answer) throws -> Answer
}
