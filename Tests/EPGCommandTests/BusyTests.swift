import Foundation
import TestSupport
import Testing

/// Tests that only one process writes at a time, and that a second one exits with 75 or waits.
@Suite struct BusyTests {
    /// Takes the writer lock, like another process that imports.
    private func lock(_ sandbox: Sandbox) throws -> FileHandle {
        let path = sandbox.database + ".lock"
        try Data().write(to: URL(filePath: path))
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        try #require(flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
        return handle
    }

    @Test func secondWriterExitsWith75AndKeepsGuide() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let before = try sandbox.dump()
        let handle = try lock(sandbox)
        for arguments in [
            ["import", PackageFiles.sample("evening-next.xml")], ["prune", "--before", "2030-01-01"], ["refresh"],
            ["source", "add", "a", "https://example.com/a.xml"], ["source", "remove", "default"],
            ["favorite", "add", "larder.example"], ["favorite", "remove", "larder.example"],
        ] {
            let run = try CommandRun(
                arguments, input: nil, environment: sandbox.variables([:]), folder: sandbox.folder)
            run.expect(75, errorsContain: ["--wait"])
        }
        #expect(try sandbox.dump() == before)
        try handle.close()
    }

    @Test func readersDoNotWaitForWriter() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let handle = try lock(sandbox)
        try sandbox.epg("now").expect(0)
        try handle.close()
    }

    @Test func writerWaitsWithWaitFlag() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let handle = try lock(sandbox)
        let process = CommandRun.process(
            ["import", PackageFiles.sample("evening-next.xml"), "--wait"], environment: sandbox.variables([:]),
            folder: sandbox.folder)
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        #expect(process.opens(sandbox.database + ".lock") && process.isRunning)
        try handle.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let check = try sandbox.epg("check", "--json").json(as: [String: Any].self)
        #expect(check["generation"] as? Int == 2)
    }
}
