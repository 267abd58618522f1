import Foundation
import Testing

/// Runs the fuzz targets on their corpora and on mutations of them, the same in each run. `make test-fuzz` is the long form.
///
/// A target that detects a broken rule terminates the process. FUZZ_TRACE prints each input first.
@Suite(.serialized) struct ShortFuzzTests {
    /// A fuzz function with its name and number of mutations.
    struct Target: Sendable, CustomTestStringConvertible {
        let name: String
        /// Number of mutations in a run; the targets differ in speed.
        let mutations: Int
        let run: @Sendable ([UInt8]) -> Void

        var testDescription: String { name }

        /// The files of the corpus, sorted by name.
        var corpus: [[UInt8]] {
            get throws {
                let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                    .appending(path: "\(name)/corpus")
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
                return try names.map { Array(try Data(contentsOf: folder.appending(path: $0))) }
            }
        }
    }

    static let targets = [
        Target(name: "HTTPHead", mutations: 1000, run: fuzzHTTPHead),
        Target(name: "Inflate", mutations: 300, run: fuzzInflate),
        Target(name: "JSONGuide", mutations: 300, run: fuzzJSONGuide),
        Target(name: "Picture", mutations: 300, run: fuzzPicture),
        Target(name: "Playlist", mutations: 100, run: fuzzPlaylist),
        Target(name: "Query", mutations: 1000, run: fuzzQuery),
        Target(name: "Search", mutations: 1000, run: fuzzSearch),
        Target(name: "Times", mutations: 5000, run: fuzzTimes),
        Target(name: "XMLTVReader", mutations: 200, run: fuzzXMLTVReader),
    ]

    @Test(arguments: targets)
    func corpusInputsBreakNoRule(target: Target) throws {
        let corpus = try target.corpus
        #expect(!corpus.isEmpty)
        for bytes in corpus { target.run(bytes) }
        target.run([])
    }

    @Test(arguments: targets)
    func mutatedInputsBreakNoRule(target: Target) throws {
        var mutator = ByteMutator(of: try target.corpus, seed: 1)
        for number in 0..<target.mutations {
            let bytes = mutator.next()
            // If the target terminates the process, only earlier output remains.
            if ProcessInfo.processInfo.environment["FUZZ_TRACE"] != nil {
                print("\(target.name) \(number): \(Data(bytes).base64EncodedString())")
            }
            target.run(bytes)
        }
    }
}

/// Mutates inputs of a corpus: flips, removes, duplicates and inserts bytes, and combines two files.
private struct ByteMutator {
    private let corpus: [[UInt8]]
    private var state: UInt64

    /// Bytes that are significant to parsers.
    private static let fragments: [[UInt8]] =
        [
            "\r\n", "\n", " ", "\t", "%", "%00", "&", "=", "+", "-", ",", ";", "\"", "*", ":", "/", "?", "[", "]", "<",
            ">",
        ]
        .map { Array($0.utf8) } + [
            [0], [0x7F], [0x80], [0xC3], [0xCC, 0x81], [0xFF], [0xE2, 0x80, 0x8D], [0xF0, 0x9F, 0x98, 0x80],
            Array("9223372036854775807".utf8), Array("-9223372036854775808".utf8), Array("1e309".utf8),
            Array("nan".utf8),
        ]

    init(of corpus: [[UInt8]], seed: UInt64) {
        self.corpus = corpus
        state = seed
    }

    mutating func next() -> [UInt8] {
        var bytes = corpus[random(corpus.count)]
        for _ in 0...random(4) {
            let position = random(bytes.count + 1)
            let slice = position..<min(bytes.count, position + 1 + random(16))
            switch random(7) {
            case 0 where !slice.isEmpty: bytes[position] ^= 1 << UInt8(random(8))
            case 1: bytes.removeSubrange(slice)
            case 2: bytes.insert(contentsOf: bytes[slice], at: position)
            case 3:
                let other = corpus[random(corpus.count)]
                bytes.replaceSubrange(position..., with: other[random(other.count + 1)...])
            case 4: bytes.removeSubrange(position...)
            default: bytes.insert(contentsOf: ByteMutator.fragments[random(ByteMutator.fragments.count)], at: position)
            }
        }
        return bytes
    }

    /// Returns a number below `bound` (SplitMix64).
    private mutating func random(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((bits ^ bits >> 31) % UInt64(bound))
    }
}
