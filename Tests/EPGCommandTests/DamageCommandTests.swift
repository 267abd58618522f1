import Foundation
import TestSupport
import Testing

/// Tests that commands with a damaged database succeed or print an error message, and that `check` prints advice.
@Suite struct DamageCommandTests {
    private static let commands = [
        ["now", "--at", "2026-10-24T20:40"], ["stations"], ["sources"], ["show", "1"], ["search", "news"],
        ["grid", "--from", "2026-10-24T18:30", "--at", "2026-10-24T20:40"],
        ["grid", "--json", "--from", "2026-10-24T00:00", "--hours", "100"],
        ["airings", "--station", "harbour-one.example", "--from", "2026-10-20", "--to", "2026-11-01"],
        ["changes", "--since", "0"], ["export"], ["export", "--format", "json"], ["match"],
        ["backup", "copy", "--force"], ["favorite", "list"],
    ]

    /// Cron mails all output.
    @Test func quietCheckPrintsOnlyDamage() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let intact = try sandbox.epg("check", "--quiet")
        intact.expect(0, output: "", errors: "")
        try sandbox.epg("check", "--quiet", "--json").expect(64)
        var bytes = try Data(contentsOf: URL(filePath: sandbox.database))
        // Clear every other page after the schema.
        for page in stride(from: 8192, to: bytes.count - 4096, by: 8192) {
            bytes.replaceSubrange(page..<page + 4096, with: Data(count: 4096))
        }
        try bytes.write(to: URL(filePath: sandbox.database))
        let (full, quiet) = (try sandbox.epg("check"), try sandbox.epg("check", "--quiet"))
        quiet.expect(65, output: full.output, errors: full.errors)
        #expect((quiet.output + quiet.errors).contains("epg backup"), "\(quiet.output)\(quiet.errors)")
    }

    @Test func damagedDatabaseGivesErrorMessagesAndAdvice() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        try sandbox.epg("import", PackageFiles.sample("evening.m3u")).expect(0)
        let intact = try Data(contentsOf: URL(filePath: sandbox.database))
        var seed: UInt64 = 6
        func random(below limit: Int) -> Int {
            // Numerical Recipes' linear congruential generator; its high bits are good enough.
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % limit
        }
        var found = 0
        for number in 0..<TestScope.cases(200) {
            var bytes = intact
            if number % 2 == 0 {
                bytes[random(below: number % 8 == 0 ? 4096 : intact.count)] ^= 1 << UInt8(random(below: 8))
            } else {
                bytes = intact.prefix(random(below: intact.count))
            }
            for suffix in ["-wal", "-shm"] { unlink(sandbox.database + suffix) }
            try bytes.write(to: URL(filePath: sandbox.database))
            let commands = TestScope.current < .release ? [Self.commands[number % Self.commands.count]] : Self.commands
            for command in commands {
                let run = try sandbox.epg(command)
                #expect([0, 65, 66, 74, 78].contains(run.status), "\(number) \(command): \(run.status) \(run.errors)")
                #expect(run.status == 0 || run.errors.hasPrefix("epg: "), "\(number) \(command): \(run.errors)")
            }
            let check = try sandbox.epg("check")
            #expect([0, 65, 74, 78].contains(check.status), "\(number): \(check.status) \(check.errors)")
            if check.status == 65 {
                found += 1
                #expect((check.output + check.errors).contains("epg backup"), "\(check.output)\(check.errors)")
            }
        }
        #expect(found > 0)
    }
}
