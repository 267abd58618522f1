import EPGCalendar
import EPGModel
import Foundation
import Testing

/// The system's `date` as an oracle that knows nothing of our code.
@Suite struct DateProgramTests {
    static let zones = [
        "Europe/London", "Europe/Dublin", "Europe/Moscow", "Australia/Lord_Howe", "Australia/Sydney", "Asia/Kathmandu",
        "Asia/Tehran", "Pacific/Apia", "Pacific/Chatham", "America/St_Johns", "America/New_York", "America/Sao_Paulo",
        "America/Havana", "Africa/Casablanca", "Antarctica/Troll", "America/Argentina/Buenos_Aires",
    ]

    @Test(.enabled("GNU date isn't installed") { isGNUDateThere() }, arguments: zones)
    func localTimeIsThatOfTheDateProgram(_ name: String) throws {
        // From 1920 to 2099, by a generator of its own, so that a failure can be repeated.
        var state = name.utf8.reduce(UInt64(88_172_645_463_325_252)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        let seconds = (0..<200).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return -1_577_923_200 + Int64(state % 5_680_000_000)
        }
        let zone = try zone(name)
        // An offset of zero whose name begins with a minus is written as -00:00 by `date`.
        let expected = try runDate(
            zone: name, input: seconds.map { "@\($0)\n" }.joined(), format: "+%Y-%m-%dT%H:%M:%S %::z %Z"
        ).map { $0.replacingOccurrences(of: "-00:00:00 -00", with: "+00:00:00 -00") }
        let found = seconds.map { second in
            let instant = Instant(secondsSince1970: second)
            let offset = zone.offset(at: instant)
            let digits = "\(offset)".count == 6 ? "\(offset):00" : "\(offset)"
            return "\(zone.localDateTime(at: instant)) \(digits) \(offset.abbreviation)"
        }
        #expect(found.count == expected.count)
        for (found, expected) in zip(found, expected) { #expect(found == expected) }
    }
}

private func isGNUDateThere() -> Bool {
    do {
        return try runDate(zone: "UTC", input: "@0\n", format: "+%s") == ["0"]
    } catch {
        return false
    }
}

/// The lines that `date` writes about the lines of its input.
private func runDate(zone: String, input: String, format: String) throws -> [String] {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("dates-\(UUID().uuidString)")
    try input.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/date")
    process.arguments = ["--file=\(file.path)", format]
    process.environment = ["TZ": zone, "LC_ALL": "C"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
}
