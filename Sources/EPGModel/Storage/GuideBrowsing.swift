/// Questions to a stored guide that a service asks for people and programs who look through it.
package protocol GuideBrowsing: ScheduleReading, GuideExporting {
    /// The generation, of which database it is, and when it came.
    func version() throws -> GuideVersion
}
