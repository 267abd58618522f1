import EPGCalendar
import Foundation
import TestSupport
import Testing

@testable import EPGModel
@testable import EPGRender

@Suite struct PageTextsTests {
    @Test func pagesHaveEveryLanguageOfTheSettings() {
        expectEqual(PageTexts.all.map(\.language), PageLanguage.allCases.map(\.rawValue))
        expectEqual(Set(PageTexts.all.map(\.name)).count, PageTexts.all.count)
    }

    /// A text that a language does not have would be English on its pages.
    @Test(arguments: PageLanguage.allCases)
    func languageHasEveryTextWithItsPlaceholdersAndPluralForms(language: PageLanguage) throws {
        let texts = try #require(PageTexts.texts(in: language.rawValue))
        expectEqual(texts.keys.symmetricDifference(PageTexts.english.keys).sorted(), [])
        let categories = PluralCategory.all(in: texts.language)
        for key in PageTexts.english.keys {
            let (own, english) = (texts.parts(of: key), PageTexts.english.parts(of: key))
            #expect(own.isPlural == english.isPlural, "\(key)")
            if own.isPlural { #expect(Set(own.forms.keys) == categories, "\(key)") }
            let wanted = english.forms[.other] ?? []
            for (category, names) in own.forms {
                // “One station” may omit the number.
                let isWhole =
                    names == wanted
                    || [.zero, .one, .two].contains(category) && names.union(["count"]) == wanted.union(["count"])
                #expect(isWhole, "\(key) (\(category)): \(names.sorted()) instead of \(wanted.sorted())")
            }
        }
    }

    /// Keys in the sources of the pages, and the keys that depend on a value.
    @Test func everyTextOfTheFilesIsUsedAndEveryUsedTextIsInTheFiles() throws {
        let folders = ["Sources/EPGRender", "Sources/EPGServer", "Sources/EPGAdmin", "Sources/C/Page/Assets"]
        var sources: [String] = []
        for folder in folders {
            let url = PackageFiles.root.appending(path: folder)
            for case let file as URL in try #require(
                FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil))
            where ["swift", "js"].contains(file.pathExtension) {
                sources.append(try String(contentsOf: file, encoding: .utf8))
            }
        }
        var quoted: Set<String> = []
        var used: Set<String> = []
        for text in sources {
            for match in text.matches(of: /["']([a-z][A-Za-z0-9]+)["']/) { quoted.insert(String(match.1)) }
            for match in text.matches(of: /(\w+\.)?\b(?:texts|t)\(\s*["']([A-Za-z0-9.]+)["']/)
            where match.1 != "parameters." {
                used.insert(String(match.2))
            }
        }
        let fixed = PageTexts.english.keys.filter { !$0.hasPrefix("role.") && !$0.hasPrefix("completed.") }
        expectEqual(fixed.filter { !quoted.contains($0) }.sorted(), [], "unused texts")
        #expect(used.count > 150)
        expectEqual(used.subtracting(PageTexts.english.keys).sorted(), [], "texts that are missing in the files")
        for field in CompletedField.allCases { #expect(PageTexts.english.keys.contains("completed.\(field.rawValue)")) }
    }

    /// Unicode CLDR 46, Language Plural Rules, for integers.
    @Test(
        arguments: [
            ("en", [0: .other, 1: .one, 2: .other, 21: .other]), ("de", [1: .one, 2: .other]),
            ("nl", [1: .one, 0: .other]),
            ("fr", [0: .one, 1: .one, 2: .other]), ("pt", [0: .one, 1: .one, 2: .other]),
            ("es", [0: .other, 1: .one, 2: .other]), ("it", [0: .other, 1: .one, 5: .other]),
            (
                "pl",
                [
                    0: .many, 1: .one, 2: .few, 4: .few, 5: .many, 12: .many, 14: .many, 21: .many, 22: .few,
                    112: .many,
                    122: .few,
                ]
            ),
            (
                "ar",
                [
                    0: .zero, 1: .one, 2: .two, 3: .few, 10: .few, 11: .many, 99: .many, 100: .other, 102: .other,
                    103: .few,
                    111: .many,
                ]
            ),
            ("he", [0: .other, 1: .one, 2: .two, 3: .other, 20: .other]), ("ja", [0: .other, 1: .other]),
            ("zh", [1: .other, 2: .other]),
        ] as [(String, [Int: PluralCategory])])
    func pluralCategoryFollowsCLDR(language: String, expected: [Int: PluralCategory]) {
        for (number, category) in expected { expectEqual(PluralCategory(of: number, in: language), category) }
    }

    /// RFC 9110, 12.5.4.
    @Test(
        arguments: [
            ("de", "de"), ("de-AT,de;q=0.9,en;q=0.8", "de"), ("en;q=0.5, fr;q=0.7", "fr"), ("xx, it;q=0.1", "it"),
            ("nl;q=0, pl;q=0.2", "pl"), ("zh-Hant-TW", "zh"), ("iw", "he"), ("ja, de", "ja"),
            ("de;q=0.8, ja;q=0.8", "de"),
            ("xx", nil), ("", nil), (nil, nil), ("*", nil), ("de;q=x", nil),
        ] as [(String?, String?)])
    func preferredLanguageHasHighestWeight(header: String?, expected: String?) {
        expectEqual(PageTexts.preferred(by: header)?.language, expected)
    }

    @Test func placeholdersAndCountAreReplaced() throws {
        let file =
            #"{"grid": {"a": "{x} and {y}", "b": {"one": "{count} x", "few": "{count} y {z}", "many": "{count} z"}}}"#
        let texts = try PageTexts(language: "pl", parsing: Array(file.utf8))
        expectEqual(texts.text("a", ["x": "{y}", "y": "{x}"]), "{y} and {x}")
        expectEqual([1, 2, 5].map { texts.text("b", count: $0, ["z": "Z"]) }, ["1 x", "2 y Z", "5 z"])
        expectEqual(texts("untitled"), "Untitled")
        expectEqual(texts.text("no such key"), nil)
    }

    /// As `Intl.DateTimeFormat` of ICU 78 writes them, but English without a comma.
    @Test(arguments: [
        ("en", "Sun 25 Oct", "Sun 25 Oct 2026"), ("de", "So., 25. Okt.", "So., 25. Okt. 2026"),
        ("es", "dom, 25 oct", "dom, 25 oct 2026"), ("fr", "dim. 25 oct.", "dim. 25 oct. 2026"),
        ("it", "dom 25 ott", "dom 25 ott 2026"), ("nl", "zo 25 okt", "zo 25 okt 2026"),
        ("pl", "niedz., 25 paź", "niedz., 25 paź 2026"), ("pt", "dom., 25 de out.", "dom., 25 de out. de 2026"),
        ("ar", "الأحد، 25 أكتوبر", "الأحد، 25 أكتوبر 2026"), ("he", "יום א׳, 25 באוק׳", "יום א׳, 25 באוק׳ 2026"),
        ("ja", "10月25日(日)", "2026年10月25日(日)"), ("zh", "10月25日周日", "2026年10月25日周日"),
    ])
    func datesAreAsUsualInTheLanguage(language: String, date: String, dateWithYear: String) throws {
        let names = try #require(PageTexts.texts(in: language)).dates
        let day = try #require(CivilDate(year: 2026, month: 10, day: 25))
        expectEqual(names.label(of: day, withYear: false), date)
        expectEqual(names.label(of: day, withYear: true), dateWithYear)
    }

    /// Unicode CLDR 46, timeData: the preferred hours of the regions.
    @Test(
        arguments: [
            ("en", "en-US,en;q=0.9", "8:05 PM"), ("en", "en-GB", "20:05"), ("en", "en", "20:05"), ("en", nil, "20:05"),
            ("en", "de,en-AU", "8:05 PM"), ("en", "en-IE,en-US", "20:05"), ("de", "en-US", "20:05"),
            ("ar", nil, "8:05 م"),
        ] as [(String, String?, String)])
    func clockIsAsUsualInTheRegion(language: String, header: String?, time: String) throws {
        let texts = try #require(PageTexts.texts(in: language))
        let zone = try Zone(named: "UTC")
        let clock = GuideClock(zone: zone, style: texts.clockStyle(acceptedLanguages: header), names: texts.dates)
        expectEqual(clock.time(Instant(secondsSince1970: 1_792_958_700)), time)
    }
}
