import EPGModel
import EPGPostgres
import EPGStore
import Glibc

/// `viewport-benchmark DATABASE FROM TO [--transactions]`: measures viewports of a guide.
///
/// DATABASE is a file or a `postgresql://` URL. FROM and TO (seconds since 1970) are the start and end of the guide. Reads all
/// viewports once to warm up and three times to measure, in one read of the store, or with --transactions each in one of its own.
/// Prints one line: the median in microseconds, the number of airings in all viewports, and a checksum of their contents; the
/// latter two equal the totals of `yardsticks/viewport_seeks.c` and `yardsticks/viewport_libpq.c`.
@main
enum ViewportBenchmark {
    private static let passes = 3

    static func main() {
        var arguments = CommandLine.arguments
        let usesTransactions = arguments.last == "--transactions"
        if usesTransactions { arguments.removeLast() }
        guard arguments.count == 4, let from = Int64(arguments[2]), let to = Int64(arguments[3]),
            let window = TimeWindow(
                from: Instant(secondsSince1970: from), to: Instant(secondsSince1970: to)),
            window.seconds >= RandomViewports.width
        else {
            fail("usage: viewport-benchmark DATABASE FROM TO [--transactions]", code: EX_USAGE)
        }
        do {
            let store: any GuideStorage
            if PostgresGuide.isLocation(arguments[1]) {
                store = try PostgresGuide(arguments[1], backups: .sqlite)
            } else {
                // The cache size of the yardstick.
                store = try GuideDatabase(path: arguments[1], cacheKiB: 64 << 10)
            }
            let stationCount = try store.read { try $0.stationCount() }
            guard stationCount >= RandomViewports.height else {
                fail("\(arguments[1]): fewer than \(RandomViewports.height) stations", code: EX_DATAERR)
            }
            let viewports = RandomViewports(stationCount: stationCount, window: window).viewports
            if usesTransactions {
                try measure(viewports) { viewport in
                    try store.read { try $0.schedules(inRows: viewport.rows, during: viewport.window) }
                }
            } else {
                try store.read { guide in
                    try measure(viewports) { try guide.schedules(inRows: $0.rows, during: $0.window) }
                }
            }
        } catch {
            fail("\(error)", code: EX_DATAERR)
        }
    }

    private static func measure(
        _ viewports: [RandomViewports.Viewport], _ read: (RandomViewports.Viewport) throws -> [RowSchedule]
    ) throws {
        let clock = ContinuousClock()
        var durations: [Duration] = []
        var totals = Totals()
        for pass in 0...passes {
            totals = Totals()
            for viewport in viewports {
                let begin = clock.now
                let schedules = try read(viewport)
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

/// Totals of the viewports, which must equal the yardstick's.
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
