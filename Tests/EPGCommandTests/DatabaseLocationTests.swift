import Foundation
import TestSupport
import Testing

/// Tests of the location of the database: option, environment variable, XDG folder.
@Suite struct DatabaseLocationTests {
    @Test func importCreatesDatabaseInXDGDataHome() throws {
        let sandbox = try Sandbox()
        let data = sandbox.path("share/data")
        let environment = ["EPG_DATABASE": "", "XDG_DATA_HOME": data]
        try sandbox.epg("import", PackageFiles.sample("evening.xml"), environment: environment).expect(0)
        #expect(FileManager.default.fileExists(atPath: data + "/epg/guide.sqlite"))
        try sandbox.epg("now", environment: environment).expect(0)
    }

    @Test func relativeXDGFolderIsIgnored() throws {
        let sandbox = try Sandbox()
        let environment = ["EPG_DATABASE": "", "XDG_DATA_HOME": "share"]
        try sandbox.epg("import", PackageFiles.sample("evening.xml"), environment: environment).expect(0)
        #expect(FileManager.default.fileExists(atPath: sandbox.path(".local/share/epg/guide.sqlite")))
    }

    @Test func databaseOptionOverridesVariable() throws {
        let sandbox = try Sandbox()
        let other = sandbox.path("other.sqlite")
        try sandbox.epg("import", PackageFiles.sample("evening.xml"), "--database", other).expect(0)
        #expect(FileManager.default.fileExists(atPath: other))
        #expect(!FileManager.default.fileExists(atPath: sandbox.database))
    }

    @Test func readingCreatesNoFolder() throws {
        let sandbox = try Sandbox()
        try sandbox.epg("now", environment: ["EPG_DATABASE": ""]).expect(66)
        #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path).isEmpty)
    }
}
