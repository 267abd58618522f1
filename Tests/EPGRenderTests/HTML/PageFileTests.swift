import EPGJSON
import Foundation
import TestSupport
import Testing

@testable import EPGRender

@Suite struct PageFileTests {
    @Test(arguments: [
        ("// a\nlet x = 1; // b\n  // c\n\n  y();", "let x = 1; // b\ny();\n"),
        ("/** a */\nf();\n  /*\n   * b\n   c\n   */\ng();\n", "f();\ng();\n"),
        ("/*/\nstill a comment */\nf();\n", "f();\n"),
        ("/* a */\na {\n  /* b\n     c */\n  margin: 0; /* d */\n  \n}\n", "a {\nmargin: 0; /* d */\n}\n"),
        ("try { f(); } catch { /* none */ }\nconst url = 'http://a.example/';\n", nil),
        ("", ""),
    ])
    func commentLinesAndIndentationAreRemoved(text: String, expected: String?) {
        let bytes = PageFile.compacted(Array(text.utf8))
        expectEqual(String(decoding: bytes, as: UTF8.self), expected ?? text)
    }

    @Test func servedFilesHaveNoCommentLines() throws {
        for name in ["guide.js", "dialogs.js", "page-en.js", "service-worker.js", "guide.css", "views.css"] {
            let file = try #require(PageFile.all[name])
            let lines = String(decoding: file.bytes, as: UTF8.self).split(separator: "\n")
            #expect(lines.count > 20)
            #expect(!lines.contains { $0.hasPrefix(" ") || $0.hasPrefix("//") || $0.hasPrefix("/*") })
        }
    }

    /// A module that the page does not name would load only after the module that imports it.
    @Test(arguments: [PageFrame.Files.guide(in: .english), .watching(in: .english)])
    func pagesNameAllModulesThatTheirScriptsImport(files: PageFrame.Files) throws {
        var found = Set(files.scripts), waiting = files.scripts
        while let url = waiting.popLast() {
            let file = try #require(PageFile.all.values.first { PageFile.url(of: $0.name) == url })
            for match in String(decoding: file.bytes, as: UTF8.self).matches(of: /from '\.\/(.+)';/) {
                let url = PageFile.url(of: String(match.1))
                if found.insert(url).inserted { waiting.append(url) }
            }
        }
        expectEqual(found, Set(files.scripts + files.imports))
        expectEqual(found.count, files.scripts.count + files.imports.count)
    }

    /// The 16 bytes before the size are the signature, and the length and name of the first chunk (PNG, 5.2 and 11.2.1).
    @Test(arguments: [
        ("icon-180.png", 180), ("icon-192.png", 192), ("icon-512.png", 512), ("icon-maskable-512.png", 512),
    ])
    func iconHasSizeInItsName(name: String, size: Int) throws {
        let bytes = try #require(PageFile.all[name]).bytes
        expectEqual(bytes.prefix(8), [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        let sides = [16, 20].map { bytes[$0..<$0 + 4].reduce(0) { $0 << 8 | Int($1) } }
        expectEqual(sides, [size, size])
    }

    /// The members that browsers require before they offer to install a page: a name, a start, a display mode, and icons in PNG with
    /// 192 and 512 pixels.
    @Test func manifestMakesPagesInstallable() throws {
        var json = JSONWriter()
        json.write(WebManifest(title: "Our guide"))
        let manifest = try #require(
            try JSONSerialization.jsonObject(with: Data(json.takeBytes())) as? [String: Any])
        #expect(manifest["name"] as? String == "Our guide" && manifest["start_url"] as? String == "/")
        #expect(manifest["display"] as? String == "standalone" && manifest["scope"] as? String == "/")
        let icons = try #require(manifest["icons"] as? [[String: String]])
        expectEqual(icons.map { $0["sizes"] }, ["any", "192x192", "512x512", "512x512"])
        expectEqual(icons.map { $0["type"] }, ["image/svg+xml", "image/png", "image/png", "image/png"])
        expectEqual(icons.map { $0["purpose"] }, ["any", "any", "any", "maskable"])
        for icon in icons { expectPrefix(icon["src"], "/assets/\(PageFile.version)/") }
    }

    @Test(arguments: PageTexts.all)
    func serviceWorkerNamesEveryFileOfThePages(texts: PageTexts) {
        let script = String(decoding: ServiceWorker(title: "A", texts: texts).bytes, as: UTF8.self)
        for files in [
            PageFrame.Files.common(in: texts), .lists(in: texts), .guide(in: texts), .watching(in: texts),
        ] {
            for url in files.styles + files.firstScripts + files.scripts + files.imports + [files.icon] {
                #expect(script.contains("'\(url)'"), "\(url)")
            }
        }
        for name in ["dialogs.css", "dialogs.js", "print.js", "search.js", "watch.js"] {
            #expect(script.contains("/\(name)'"))
        }
        #expect(script.contains("'/offline?ui=\(texts.language)'"))
    }

    @Test func serviceWorkerChangesWithTheContentOfItsPages() {
        func script(_ title: String) -> [UInt8] { ServiceWorker(title: title, texts: .english).bytes }
        expectEqual(script("A"), script("A"))
        #expect(script("A") != script("B"))
    }
}
