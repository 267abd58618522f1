import Glibc
import XMLTV

/// `reader-benchmark GUIDE.xml`: reads a guide with ``XMLTVReader`` and counts its records.
///
/// Its yardstick is `yardsticks/expat_parse.c`, which also counts.
@main
enum ReaderBenchmark {
    static func main() {
        guard CommandLine.arguments.count == 2 else {
            fail("usage: reader-benchmark GUIDE.xml", code: EX_USAGE)
        }
        let path = CommandLine.arguments[1]
        do {
            let (counts, duration) = try read(path)
            print("XMLTVReader: \(duration), \(counts.programmes) programmes, \(counts.channels) channels")
        } catch {
            fail("\(path): \(error)", code: EX_DATAERR)
        }
    }

    private static func read(_ path: String) throws -> (counts: RecordCounts, duration: Duration) {
        var counts = RecordCounts()
        let duration = try ContinuousClock().measure {
            var reader = XMLTVReader(try FileSource(path: path))
            while let record = try reader.next() { counts.note(record) }
        }
        return (counts, duration)
    }

    /// Exits with a message on standard error.
    private static func fail(_ message: String, code: Int32) -> Never {
        let bytes = Array("\(message)\n".utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        exit(code)
    }
}

/// The number of records of each kind in a guide.
private struct RecordCounts {
    private(set) var programmes = 0
    private(set) var channels = 0

    mutating func note(_ record: XMLTVReader.Record) {
        switch record {
        case .programme: programmes += 1
        case .channel: channels += 1
        case .guide, .other, .skipped: break
        }
    }
}
