import EPGProgram
import EPGRefresh
import Foundation
import TestSupport
import Testing

@Suite struct ExitStatusTests {
    /// The document has one row for each code: its number, and its name in sysexits.h.
    @Test func documentListsAllCodesWithTheirNames() throws {
        let file = PackageFiles.root.appending(path: "Documentation/exit-codes.md")
        let rows = try String(contentsOf: file, encoding: .utf8).matches(of: /\n\| (\d+) \| (?:`(\w+)`)? ?\|/)
        let documented = rows.map { "\($0.output.1) \($0.output.2 ?? "")" }
        #expect(documented == ExitStatus.allCases.map { "\($0.rawValue) \($0.name ?? "")" })
    }

    /// sysexits.h of glibc.
    @Test func codesAreThoseOfSysexits() throws {
        let header = try String(contentsOfFile: "/usr/include/sysexits.h", encoding: .utf8)
        for status in ExitStatus.allCases {
            guard let name = status.name else { continue }
            let value = try #require(
                header.firstMatch(of: try Regex("#define\\s+\(name)\\s+(\\d+)"))?.output[1].substring)
            #expect(Int32(value) == status.rawValue, "\(name)")
        }
    }

    @Test func kindsOfFailuresHaveDifferentCodes() {
        let codes = RefreshFailure.Kind.allCases.map(\.exitStatus)
        #expect(Set(codes).count == codes.count && !codes.contains(.success))
    }

    @Test func adviceNamesCommandOrSetting() {
        #expect(RefreshFailure.Remedy.acceptGuide.advice.contains("epg refresh --force"))
        #expect(RefreshFailure.Remedy.raiseImportLimit(key: "memory").advice.contains("import.memory in epg.yml"))
        #expect(RefreshFailure.Remedy.raiseTimeLimit.advice.contains("“time-limit:” for this source in epg.yml"))
    }
}
