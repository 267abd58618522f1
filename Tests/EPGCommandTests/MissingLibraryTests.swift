import Foundation
import TestSupport
import Testing

/// Tests of the libraries that are loaded on first use, each made unloadable by an empty file of its name.
@Suite struct MissingLibraryTests {
    private static func environment(without files: [String], in sandbox: Sandbox) throws -> [String: String] {
        let folder = sandbox.path("libraries")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        for file in files { try Data().write(to: URL(filePath: "\(folder)/\(file)")) }
        return ["LD_LIBRARY_PATH": folder]
    }

    @Test(
        arguments: [
            (["liblzma.so.5"], "liblzma5", ["import", "xz"]), (["libbz2.so.1.0"], "libbz2-1.0", ["import", "bzip2"]),
            (["libzstd.so.1"], "libzstd1", ["import", "zstd"]),
            (["libpq.so.5"], "libpq5", ["now", "--database", "postgresql://127.0.0.1:1/guide"]),
            (["libcurl.so.4", "libcurl-gnutls.so.4"], "libcurl4", ["refresh", "--config", "epg.yml"]),
        ] as [([String], String, [String])])
    func errorNamesFileAndPackage(files: [String], package: String, arguments: [String]) throws {
        let sandbox = try Sandbox()
        _ = try sandbox.write("sources: [{name: main, url: \"http://127.0.0.1:1/guide.xml\"}]\n", to: "epg.yml")
        // The first bytes of each format (RFC 8878 for zstd).
        for (name, bytes) in [
            ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]), ("bzip2", Array("BZh91AY&SY".utf8)),
            ("zstd", [0x28, 0xB5, 0x2F, 0xFD]),
        ] as [(String, [UInt8])] {
            try Data(bytes + [UInt8](repeating: 0, count: 32)).write(to: URL(filePath: sandbox.path(name)))
        }
        let run = try sandbox.epg(arguments, environment: Self.environment(without: files, in: sandbox))
        run.expect(
            errorsContain: [
                "cannot load \(sandbox.path("libraries"))/\(files[0]): ", " (Debian: apt-get install \(package))",
            ])
        #expect(run.status != 0)
    }

    /// Names are compared in lowercase then.
    @Test func guideIsMatchedWithoutCaseFolding() throws {
        let sandbox = try Sandbox()
        let environment = try Self.environment(without: ["libutf8proc.so.3", "libutf8proc.so.2"], in: sandbox)
        let guide = "<tv><channel id=\"one.example\"><display-name>Überraschung</display-name></channel></tv>"
        try sandbox.epg("import", "-", input: guide, environment: environment).expect(0)
        let playlist = "#EXTM3U\n#EXTINF:-1,ÜBERRASCHUNG\nhttp://127.0.0.1/1\n"
        try sandbox.epg("import", sandbox.write(playlist, to: "list.m3u"), environment: environment).expect(0)
        try sandbox.epg("match", environment: environment).expect(0, outputContains: ["1 by name"])
    }
}
