import EPGAccess
import EPGSQL
import Foundation
import Glibc
import TestSupport
import Testing

@testable import EPGServer
@testable import ServiceTestSupport

/// The first start of the program, as in a new container.
@Suite("First start of epgd", .serialized)
struct FirstStartTests {
    /// Starts the program, and returns what it prints until it listens. Then ends it.
    private func output(_ arguments: [String], in folder: URL) async throws -> String {
        try await RawClient.onThread {
            let process = Process()
            process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
                .deletingLastPathComponent().appending(path: "epgd")
            process.arguments = arguments + ["--listen", "127.0.0.1:0"]
            process.environment = ["HOME": folder.path + "/home"]
            let pipe = Pipe()
            process.standardOutput = pipe
            process.standardError = FileHandle.nullDevice
            try process.run()
            let text = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
            process.terminate()
            process.waitUntilExit()
            return text
        }
    }

    @Test func guideInAnExistingFolderIsCreatedAndTheLinkIsPrinted() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "first-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { _ = Result { try FileManager.default.removeItem(at: folder) } }
        let database = folder.path + "/guide.sqlite"
        let first = try await output(["--database", database], in: folder)
        #expect(first.contains(/\/admin\/start\?token=[0-9a-f]{64}\n/), "\(first)")
        #expect(FileManager.default.fileExists(atPath: database))
        // A program with a token for administration sets up the guide.
        try AccessStore(besideGuide: database).add(["a token of administrators": [.administration]])
        let second = try await output(["--database", database], in: folder)
        expectText(second, lacks: ["/admin/start"])
        #expect(second.hasPrefix("listening on"), "\(second)")
    }

    @Test(arguments: [("zone", "Nowhere/Y"), ("refresh", "at midnight"), ("retention", "x"), ("private-hosts", "*")])
    func settingThatIsRefusedDoesNotPreventAStart(key: String, value: String) async throws {
        let guide = try ServedGuide()
        try guide.write { try $0.saveSetting(key, to: [value]) }
        let text = try await output(["--database", guide.path], in: URL(filePath: guide.folder))
        #expect(text.hasPrefix("listening on"), "\(text)")
    }
}
