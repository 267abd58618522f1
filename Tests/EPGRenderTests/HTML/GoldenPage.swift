import Foundation
import Testing

/// Files with pages as they were looked at and found good.
enum GoldenPage {
    /// Compares a page with its file, or writes it where `UPDATE_GOLDENS` is `1`; a run that writes fails.
    static func expect(_ page: [UInt8], equals name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Goldens/\(name)")
        // A line for each element, so that a difference can be read.
        let text = String(decoding: page, as: UTF8.self).replacing("><", with: ">\n<")
        guard ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1" else {
            let golden = try String(contentsOf: file, encoding: .utf8)
            #expect(text == golden, "differs from \(name)", sourceLocation: sourceLocation)
            return
        }
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
        Issue.record("wrote \(name)", sourceLocation: sourceLocation)
    }
}
