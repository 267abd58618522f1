import CollectionLayout
import EPGLayout
import EPGModel
import Glibc

/// `layout-benchmark WAY STATIONS`: scrolls through a guide of 14 days and tells what a step costs.
///
/// WAY is `source`, `grid`, `varied` or `view` (``ScrolledGuide/Way``). The view moves diagonally, 7 points across and 3 down with
/// every step, from the middle of the guide on: 500 steps to warm up, 3,000 to be timed. Then it jumps to 5,000 places all over
/// the guide. Prints one line: the median of a step in microseconds, the most attributes that a step gave, and by how many
/// kilobytes the largest resident set grew with the jumps.
@main
enum LayoutBenchmark {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let way = ScrolledGuide.Way(rawValue: arguments[1]),
            let stationCount = Int(arguments[2]), (200...1_000_000).contains(stationCount)
        else {
            fail("usage: layout-benchmark source|grid|varied|view STATIONS, at least 200 of them", code: EX_USAGE)
        }
        do {
            let step = try ScrolledGuide.stepper(way, stationCount: stationCount)
            let (median, most) = scrolled(step, stationCount: stationCount)
            print((median * 100).rounded() / 100, most, growth(step, stationCount: stationCount))
        } catch {
            fail("\(error)", code: EX_DATAERR)
        }
    }

    private static let warmUps = 500
    private static let steps = 3000

    /// The median of a step in microseconds, and the most attributes that one gave.
    private static func scrolled(_ step: (Point) -> Int, stationCount: Int) -> (Double, Int) {
        let clock = ContinuousClock()
        var durations: [Duration] = []
        var most = 0
        for number in 0..<warmUps + steps {
            // 175 rows on the way down: then again from the top, so that a guide of 200 stations is enough.
            let way = Double(number % 1000)
            let offset = Point(x: 30_000 + way * 7, y: Double(stationCount / 2) * 60 + way * 3)
            let begin = clock.now
            let count = step(offset)
            if number >= warmUps { durations.append(clock.now - begin) }
            most = max(most, count)
        }
        durations.sort()
        return (durations[durations.count / 2] / Duration.microseconds(1), most)
    }

    /// By how many kilobytes the largest resident set grows while the view jumps about.
    private static func growth(_ step: (Point) -> Int, stationCount: Int) -> Int {
        let before = largestResident()
        for number in 0..<5000 {
            // Strides that share no factor with the size of the guide come everywhere.
            let x = Double(number * 7919 % 79_000)
            let y = Double(number * 104_729 % (stationCount * 60 - 1000))
            _ = step(Point(x: x, y: y))
        }
        return largestResident() - before
    }

    /// In kilobytes.
    private static func largestResident() -> Int {
        var usage = rusage()
        return getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 ? usage.ru_maxrss : 0
    }

    /// Ends the program with a sentence on standard error.
    private static func fail(_ sentence: String, code: Int32) -> Never {
        let bytes = Array("\(sentence)\n".utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        exit(code)
    }
}
