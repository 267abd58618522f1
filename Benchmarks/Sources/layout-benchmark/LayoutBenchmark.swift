import CollectionLayout
import EPGLayout
import EPGModel
import Glibc

/// `layout-benchmark MODE STATIONS`: scrolls through a guide of 14 days and measures the cost of a step.
///
/// MODE is `source`, `grid`, `varied` or `view` (``ScrolledGuide/Mode``). The view moves diagonally from the middle of
/// the guide, 7 points across and 3 down with every step: 500 warm-up steps and 3,000 measured steps. Then it jumps to
/// 5,000 positions throughout the guide. Prints one line: the median step in microseconds, the maximum number of
/// attributes of a step, and the growth of the largest resident set during the jumps in kilobytes.
@main
enum LayoutBenchmark {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let mode = ScrolledGuide.Mode(rawValue: arguments[1]),
            let stationCount = Int(arguments[2]), (200...1_000_000).contains(stationCount)
        else {
            fail("usage: layout-benchmark source|grid|varied|view STATIONS, at least 200 of them", code: EX_USAGE)
        }
        do {
            let step = try ScrolledGuide.stepper(mode, stationCount: stationCount)
            let (median, maximum) = scrolled(step, stationCount: stationCount)
            print((median * 100).rounded() / 100, maximum, growth(step, stationCount: stationCount))
        } catch {
            fail("\(error)", code: EX_DATAERR)
        }
    }

    private static let warmUpSteps = 500
    private static let steps = 3000

    /// Returns the median step in microseconds and the maximum number of attributes of a step.
    private static func scrolled(_ step: (Point) -> Int, stationCount: Int) -> (Double, Int) {
        let clock = ContinuousClock()
        var durations: [Duration] = []
        var maximum = 0
        for number in 0..<warmUpSteps + steps {
            // Restarts after 1,000 steps (50 rows), so that a guide of 200 stations is large enough.
            let index = Double(number % 1000)
            let offset = Point(x: 30_000 + index * 7, y: Double(stationCount / 2) * 60 + index * 3)
            let begin = clock.now
            let count = step(offset)
            if number >= warmUpSteps { durations.append(clock.now - begin) }
            maximum = max(maximum, count)
        }
        durations.sort()
        return (durations[durations.count / 2] / Duration.microseconds(1), maximum)
    }

    /// Returns the growth of the largest resident set, in kilobytes, while the view jumps through the guide.
    private static func growth(_ step: (Point) -> Int, stationCount: Int) -> Int {
        let before = largestResident()
        for number in 0..<5000 {
            // Strides without a common factor with the size of the guide reach all positions.
            let x = Double(number * 7919 % 79_000)
            let y = Double(number * 104_729 % (stationCount * 60 - 1000))
            _ = step(Point(x: x, y: y))
        }
        return largestResident() - before
    }

    /// Returns the largest resident set in kilobytes.
    private static func largestResident() -> Int {
        var usage = rusage()
        return getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 ? usage.ru_maxrss : 0
    }

    /// Exits with a message on standard error.
    private static func fail(_ message: String, code: Int32) -> Never {
        let bytes = Array("\(message)\n".utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        exit(code)
    }
}
