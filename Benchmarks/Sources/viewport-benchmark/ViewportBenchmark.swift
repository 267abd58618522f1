import EPGModel
import EPGStore
import Glibc

/// `viewport-benchmark DATABASE FROM TO`: measures viewports of a guide.
///
/// FROM and TO (seconds since 1970) are the start and end of the guide. Reads all viewports once to warm up and three
/// times to measure. Prints one line: the median in microseconds, the number of airings in all viewports, and a
/// checksum of their contents; the latter two equal those of `yardsticks/viewport_seeks.c`.
@main
enum ViewportBenchmark {
    private static let passes = 3

    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let from = Int64(arguments[2]), let to = Int64(arguments[3]),
            let window = TimeWindow(
                from: Instant(secondsSince1970: from), to: Instant(secondsSince1970: to)),
            window.seconds >= RandomViewports.width
        else {
            fail("usage: viewport-benchmark DATABASE FROM TO", code: EX_USAGE)
        }
        do {
            // The cache size of the yardstick.
            try GuideDatabase(path: arguments[1], cacheKiB: 64 << 10).read { guide in
                let stationCount = try guide.stationCount()
                guard stationCount >= RandomViewports.height else {
                    fail("\(arguments[1]): fewer than \(RandomViewports.height) stations", code: EX_DATAERR)
                }
                try measure(RandomViewports(stationCount: stationCount, window: window).viewports, in: guide)
            }
        } catch {
            fail("\(error)", code: EX_DATAERR)
        }
    }

    private static func measure(_ viewports: [RandomViewports.Viewport], in guide: any GuideReading) throws {
        let clock = ContinuousClock()
        var durations: [Duration] = []
        var totals = Totals()
        for pass in 0...passes {
            totals = Totals()
            for viewport in viewports {
                let begin = clock.now
                let schedules = try guide.schedules(inRows: viewport.rows, during: viewport.window)
                // The first pass is a warm-up.
                if pass > 0 { durations.append(clock.now - begin) }
                totals.add(schedules)
            }
        }
        durations.sort()
        let median = durations[durations.count / 2] / Duration.microseconds(1)
        print((median * 100).rounded() / 100, totals.airings, totals.checksum)
    }

    /// Exits with a message on standard error.
    private static func fail(_ message: String, code: Int32) -> Never {
        let bytes = Array("\(message)\n".utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        exit(code)
    }
}

/// Totals of the viewports, which must equal those of the yardstick.
private struct Totals {
    private(set) var airings = 0
    private(set) var checksum: UInt64 = 0

    mutating func add(_ schedules: [RowSchedule]) {
        for schedule in schedules {
            for airing in schedule.schedule.airings {
                airings += 1
                let numbers = [
                    airing.id.rawValue, airing.window.start.secondsSince1970, airing.window.end.secondsSince1970,
                ]
                let texts = [airing.title, airing.subtitle ?? ""] + airing.categories
                for number in numbers { checksum &+= UInt64(bitPattern: number) }
                for text in texts { checksum &+= UInt64(text.utf8.count) }
            }
        }
    }
}
