import EPGModel
import Testing

@testable import EPGRefresh

/// What a refresh ends with.
@Suite struct RefreshReportTests {
    /// The classes of the sources that failed and of the upkeep, and the exit code by the rule of `RefreshReport.exitCode`.
    @Test(
        arguments: [
            ([], nil, 0), ([65], nil, 65), ([65, 65], nil, 65), ([66], nil, 66), ([78, 78, 78], nil, 78),
            ([75], nil, 75), ([69], nil, 69),
            // Several classes.
            ([65, 66], nil, 69), ([78, 65], nil, 69), ([75, 65], nil, 69),
            // The database or the disk.
            ([74], nil, 74), ([], 74, 74), ([65], 74, 74), ([69, 78], 74, 74), ([65, 74], nil, 74), ([74, 69], 74, 74),
            // Old airings that aren't removed for a wrong clock.
            ([], 65, 65), ([65], 65, 65), ([69], 65, 69),
        ] as [([Int32], Int32?, Int32)])
    func databaseAndDiskComeFirstThenTheOneClassThen69(sources: [Int32], upkeep: Int32?, code: Int32) {
        var report = RefreshReport(now: Instant(secondsSince1970: 0))
        report.sources = sources.map {
            SourceRefresh(
                name: "a", location: "", outcome: .failed(RefreshFailure(sentence: "It failed.", exitCode: $0)),
                lastSuccess: nil)
        }
        // One that did well changes nothing.
        report.sources.append(SourceRefresh(name: "b", location: "", outcome: .notModified, lastSuccess: nil))
        report.upkeepFailure = upkeep.map { RefreshFailure(sentence: "It failed.", exitCode: $0) }
        #expect(report.exitCode == code)
    }
}
