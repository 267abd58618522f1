import Foundation
import Testing

/// Random guides go through our filters and through the XMLTV project's programs (Debian's `xmltv-util`).
@Suite(.enabled(if: XMLTVProgram.areInstalled, "xmltv-util isn't installed"))
struct RealProgramTests {
    private static let commands: [[String]] = [
        ["cat"], ["sort"], ["sort", "--by-channel"],
        ["grep", "News"], ["grep", "-i", "news"], ["grep", "--title", "^b|it's"], ["grep", "--category", "[A-Z].*c$"],
        ["grep", "--not", "--category", ""], ["grep", "--sub-title", "b", "--or", "--desc", "more", "--not", "--new"],
        ["grep", "--channel-name", "one"], ["grep", "--not", "--channel-id", "b"], ["grep", "--channel", "^.$"],
        ["grep", "--on-after", "2026-03-29 12:00 UTC"], ["grep", "--on-before", "20260329120000 +0100"],
        ["grep", "--last-chance", "Last", "-o", "--premiere", ""], ["grep", "--credits", ""],
        ["grep", "--clumpidx", "^0"],
        ["grep", "--eval", "scalar keys %$_ >= 7"], ["grep", "!", "--stop", ""], ["grep", "--episode", ""],
    ]

    @Test(arguments: RealProgramTests.commands)
    func aRandomGuideComesOutTheSame(command: [String]) throws {
        try XMLTVProgram.withFolder { folder in
            for seed in UInt64(1)...2 {
                let guide = RandomGuide.bytes(seed: seed)
                try Data(guide).write(to: folder.appending(path: "guide.xml"))
                let theirs = try XMLTVProgram.output(
                    of: "tv_" + command[0], Array(command.dropFirst()) + ["guide.xml"], in: folder)
                let ours = try FilterRun(command, [guide])
                let difference = CanonicalGuide.difference(
                    try CanonicalGuide(ours.bytes), try CanonicalGuide(theirs))
                #expect(difference == nil, "\(command), seed \(seed)")
            }
        }
    }

    @Test(arguments: [["cat"], ["sort"], ["grep", "--title", "b"]])
    func severalGuidesComeOutAsTheSameOne(command: [String]) throws {
        try XMLTVProgram.withFolder { folder in
            let guides = (UInt64(20)...22).map { RandomGuide.bytes(seed: $0, programmes: 15) }
            for (number, guide) in guides.enumerated() {
                try Data(guide).write(to: folder.appending(path: "\(number).xml"))
            }
            let theirs = try XMLTVProgram.output(
                of: "tv_" + command[0], Array(command.dropFirst()) + ["0.xml", "1.xml", "2.xml"], in: folder)
            let ours = try FilterRun(command, guides)
            #expect(CanonicalGuide.difference(try CanonicalGuide(ours.bytes), try CanonicalGuide(theirs)) == nil)
        }
    }
}
