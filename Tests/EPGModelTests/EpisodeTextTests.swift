import Foundation
import TestSupport
import Testing

@testable import EPGModel

/// The forms of Rules.md, rule 21, and texts that only look like them. All titles are fictional.
@Suite struct EpisodeTextTests {
    /// Language, field and expected statement (`S3E5`, `E5-6` for a range, `E3/8` with a total, `none`) of each text.
    private static let table = #"""
        en title S3E5: Harbour Lights S03E05
        en title S3E5: Harbour Lights S3 E5: The Map Room
        en title S3E5: Harbour Lights - s03.e05
        en title S3E5: Harbour Lights S3, Ep. 5
        en subtitle S3E5: 3x05 The Map Room
        en title S3E5: Harbour Lights (3x05)
        en subtitle S2E5: Season 2 Episode 5
        en subtitle S2E5: Episode 5 of Season 2
        en subtitle S2E3/6: Series 2, Episode 3/6
        en subtitle S2E3/6: 3/6, series 2 - The Map Room
        en subtitle E5/8: Episode 5 of 8
        en title E3/8: Harbour Lights (3/8)
        en title S2: Harbour Lights S2
        en title S2: Harbour Lights (S2)
        en title S2: Harbour Lights - Season 2
        en title S12: Harbour Lights - Series 12: Newark
        en title E256: Night Talk #256
        en title E164: Night Talk 2025 E164
        en title S1E5-6: Harbour Lights S01E05-E06
        en description E3/8: (3/8) The ferry is late, and Iva has to decide.
        en description S3E5: S3 Ep5: The ferry is late, and Iva has to decide about the house on the hill.
        en description S3E5: The ferry is late, and Iva has to decide about the house on the hill above the bay. (S3, ep 5)
        en description S28E4: "The Map Room" / Season 28 - Episode 4 The ferry is late, and Iva has to decide about the house.
        en description S3: In the season 3 finale, the ferry is late, and Iva has to decide about the house on the hill.
        en description E12: Episode 12 - The ferry is late, and Iva has to decide about the house on the hill above the bay.
        de subtitle S2E5: Staffel 2, Folge 5
        de title E147: Hafenlichter - Folge 147
        de subtitle E12: 12. Folge: Der Nebel
        de subtitle S5: 5. Staffel
        de title S6E13: Hafenlichter S6 F13 – Der Nebel
        de subtitle E3/8: Folge 3 von 8
        de description S2E10: Folge 10 (Staffel 2)
        de description S23E27: Die Fähre kommt zu spät, und Iva muss über das Haus auf dem Hügel entscheiden. (S23 E27)
        fr subtitle S17E163: Saison 17 Épisode 163
        fr subtitle S1E1-2: Saison 1 - Épisode 1 et 2
        fr title E1/2: Les Lumières du port (1/2)
        fr subtitle E5/8: Épisode 5 sur 8
        es subtitle S4E23: Temporada 4 · Episodio 23
        es title S3E12: Luces del puerto (T3): Ep.12 La niebla
        es title S2E5: Luces del puerto T2 E5
        es title E6: Luces del puerto: Capítulo 6
        es subtitle E129: Capítulo 129: La niebla
        es subtitle S4: 4ª temporada
        pt subtitle S16E21: Temporada 16 Episódio 21 - O nevoeiro
        pt title S1E10: Luzes do porto - S1E10
        pt description S2E4: A balsa está atrasada, e Iva tem de decidir sobre a casa. * Temporada 2 Episódio 4 - O nevoeiro
        ca title E3: Llums del port: Episodi 3
        it subtitle S2E22: Stagione 2 Episodio 22 - La nebbia
        it title S1: Luci del porto - 1ª Stagione
        it subtitle E12: Puntata 12
        it title S2025E3: Studio del porto (St. 2025 - Ep. 3)
        fr subtitle E6: Épisode n°6
        pl title E5: Światła portu, odc. 5
        pl title S2E5: Światła portu, sez. 2 odc. 5
        pl title S3: Światła portu - Sezon 3
        pl subtitle E5/13: Odcinek 5 z 13
        ru title E5: Огни гавани (5-я серия)
        ru title S2E5: Огни гавани. 2 сезон, 5 серия
        ru title S3E5: Огни гавани Т3, серия 5
        ru title S4E3: Огни гавани-4 (3-я серия)
        ru title S2E5: Огни гавани. Сезон 2, серия 5
        uk title S2E5: Вогні гавані, 2 сезон, 5 серія
        bg title E9: Светлини, еп. 9
        cs title E256: Světla přístavu (256)
        cs title S4E10: Světla přístavu IV (10)
        de title E4: Hafenlichter (4)
        cs subtitle S2E5: 2. série, 5. díl
        sk subtitle E5: 5. diel
        hu title S3E8: Kikötői fények III./8.
        hu title S2E4: Kikötői fények II/4.
        hu title E49: Kikötői fények 49.
        hu title S2020E3: Vitorlásverseny 2020./3.
        hu title S2020E3: Vitorlásverseny 2020.-3.
        hu subtitle S2E5: 2. évad 5. rész
        hu description E10/16: 16/10.: A ködEgy raktárházban találnak egy térképet, amely a régi kikötőt mutatja.
        hu description E5: 5. részA komp késik, és Ivának döntenie kell a dombon álló házról.
        nl subtitle S2E5: Seizoen 2, aflevering 5
        nl subtitle E5: Afl. 5
        sv subtitle S2E5: Säsong 2 avsnitt 5
        da subtitle S2E5: Sæson 2 afsnit 5
        fi subtitle S2E5: Kausi 2, jakso 5
        el title S5E42: Φώτα του λιμανιού Κ5 Ε42
        el title E35: Φώτα του λιμανιού Ε35
        tr subtitle S2E5: 2. Sezon 5. Bölüm
        ro subtitle S2E5: Sezonul 2, episodul 5
        he subtitle S2E5: עונה 2 פרק 5
        ar subtitle S2E5: الموسم 2 الحلقة 5
        ar subtitle E5: الحلقة ٥
        vi subtitle E5: Tập 5
        th title E3: แสงท่าเรือ ตอนที่ 3
        th title E17-18: แสงท่าเรือ (ตอน 17-18)
        th title S8: แสงท่าเรือ ปี 8
        zh title E12: 港口灯火第12集
        zh title S2: 港口灯火第二季
        zh title S3E6: 港口灯火第三季-6
        zh title E16: 电视剧：港口灯火(16)
        zh title E1/33: 港口灯火1/33
        zh title S2026E90: 港口灯火-2026-90
        zh title E39-40: 港口灯火39-40
        zh title E28: 港口灯火第二十八集
        ja title E5: 港の灯り 第5話
        ja title E19: 港の灯り 第19回
        ko title S2E6: 항구의 불빛 시즌2 (6회)
        ko title S1E25: 항구의 불빛 1기 25회
        ko title E4: 항구의 불빛 | EP.04 |
        ko title S8E12: 항구의불빛8 12회
        ko subtitle E312-313: 312-313회
        mn title E5: "Боомтын гэрэл" ОАК 5-р анги
        mn title S2E17: Боомтын гэрэл II.17
        en subtitle none: Episodes 5
        ru title none: Огни гавани, 5-6 серии
        en title none: Apollo 13
        en title none: 9-1-1
        en title none: 24/7: The Storm
        en title none: Off-Road 4x4
        en title none: 4x400 m relay
        en title none: Wide 16x9 Test
        en title none: Harbour Wars: Chapter 2
        en title none: Harbour Wars Part 2
        es title none: Guerra del puerto - Capítulo 2
        en title none: Cup Final 2025/26
        en title none: Harbour v Bay (2-1)
        en title none: Harbour FC vs Bay FC - 1/8 final
        en title none: West v East: 2nd T20
        en title none: News 22/08
        en title none: The News (22/08)
        en title none: Remembering (9/11)
        en title none: League Review (24/25)
        de title none: Saison 24-25
        de title none: 1. FC Hafen - Bucht 04, 15. Spieltag
        de title none: Test: Audi S8
        en title none: Moto3 PL1: GP Harbour
        en title none: S4C News
        en title none: E4 Stings
        en title none: Harbour (1951)
        es title none: Copa del puerto (T2025): Bahía - Puerto
        en title none: Harbour (2)
        en title none: W 57th St. 3
        ru title none: Гавань-2026 (концерт)
        hu title none: Kikötő 2.
        hu title none: Hírek 2026.
        ko title none: 제48회 항구배
        ja title none: 第19回港杯
        zh title none: 港口第三集 / Harbour Part 3
        ru title none: Лига, 5-й тур
        ru title none: 8 серий подряд
        fr title none: 2e manche
        en title none: US: PASS PPV 1
        en subtitle none: Game 5
        en subtitle none: Day 2 of 4
        en subtitle none: Part 3 of 4
        de subtitle none: Teil 1
        en subtitle none: Saturday 22 August 2026, 16:00
        en subtitle none: 22.08.2026 06:00
        en subtitle none: Comedy / 1991
        en description none: The ferry is late. In the 2025-26 season, Harbour won 3/8 of all games, and Bay won 5/8 of them.
        en description none: The ferry is late, and Kit Marlow, the winner of season 2, has to decide about the house on the hill.
        en description none: 500th Episode! The ferry is late, and Iva has to decide about the house on the hill above the bay.
        en description none: Iva scored 5 of 8 points (3/8) in the first half, and the ferry is late again for the third time.
        en description none: Two teams race to the harbour in 24/7 conditions; rated 8/10 by critics since 1999. Age 12.
        en description none: Season 7 champion Kit Marlow returns. The ferry is late, and Iva has to decide about the house.
        """#

    private struct Row: CustomStringConvertible {
        let language: String
        let field: EpisodeText.Field
        let expected: String
        let text: String

        init?(_ line: Substring) {
            let parts = line.split(separator: ":", maxSplits: 1)
            let words = parts[0].split(separator: " ").map(String.init)
            guard parts.count == 2, words.count == 3, let field = EpisodeText.Field(rawValue: words[1]) else {
                return nil
            }
            (language, self.field, expected, text) = (words[0], field, words[2], String(parts[1].dropFirst()))
        }

        var description: String { "\(language) \(field): \(text)" }

        var found: String {
            guard let found = EpisodeText(text, in: field, language: language) else { return "none" }
            return (found.season.map { "S\($0)" } ?? "") + (found.episode.map { "E\($0)" } ?? "")
                + (found.last.map { "-\($0)" } ?? "") + (found.total.map { "/\($0)" } ?? "")
        }
    }

    @Test func statedNumbersAreRecognizedAndOthersAreNot() throws {
        let lines = Self.table.split(separator: "\n")
        for line in lines {
            let row = try #require(Row(line))
            expectEqual(row.found, row.expected, "\(row)")
        }
    }

    @Test func longTextIsExaminedAtItsEndsOnly() {
        let prose = String(repeating: "The ferry is late. ", count: 200)
        expectEqual(EpisodeText(prose + "S3 E5", in: .description)?.episode, 5)
        expectEqual(EpisodeText("S3 E5. " + prose, in: .description)?.range, 0..<5)
        expectEqual(EpisodeText(prose + "S3 E5 " + prose, in: .description), nil)
        expectEqual(EpisodeText(prose + "S3 E5", in: .title), nil)
        // Bounds inside a character, and only digits.
        for count in 0..<8 {
            let text = String(repeating: "x", count: count) + String(repeating: "第1集港", count: 200)
            _ = EpisodeText(text, in: .description)
        }
        expectEqual(EpisodeText(String(repeating: "9", count: 100_000), in: .title), nil)
        expectEqual(EpisodeText(String(repeating: "1/2 ", count: 25_000), in: .description), nil)
    }

    // MARK: - Programmes

    private func programme(
        _ title: String, _ subtitle: String? = nil, _ description: String? = nil, number: EpisodeNumber? = nil
    ) -> Programme {
        var programme = Programme()
        programme.titles = [LocalizedText(title)]
        programme.subtitles = [subtitle].compactMap { $0.map { LocalizedText($0) } }
        programme.descriptions = [description].compactMap { $0.map { LocalizedText($0) } }
        programme.episodeNumbers = [number].compactMap(\.self)
        return programme
    }

    @Test func textsCompleteEachOtherAndFeedTakesPrecedence() {
        let both = programme("Luces (T3)", "Ep. 12 La niebla").derivedEpisode
        expectEqual(
            both.map { [$0.label, $0.field.rawValue, $0.series, $0.subtitle] },
            ["S3 E12", "subtitle", "Luces", "La niebla"])
        let range = programme("Lights", nil, "Episode 5-6: The ferry is late.").derivedEpisode
        expectEqual(range.map { [$0.label, $0.field.rawValue] }, ["E5–6", "description"])
        for system in ["xmltv_ns", "onscreen", "SxxExx"] {
            let number = EpisodeNumber(value: "S01E02", system: system)
            expectEqual(programme("Lights S03E05", number: number).derivedEpisode, nil, "\(system)")
        }
        let season = EpisodeNumber(value: "2..", system: "xmltv_ns")
        expectEqual(programme("Lights", "Episode 5", number: season).derivedEpisode?.label, "S3 E5")
        let other = EpisodeNumber(value: "EP01234567.0012", system: "dd_progid")
        expectEqual(programme("Lights", "Episode 5", number: other).derivedEpisode?.label, "E5")
    }

    @Test func derivedNumbersIdentifyEpisodes() {
        let published = programme("Lights", "Fog", number: EpisodeNumber(value: "2.4.", system: "xmltv_ns"))
        for same in [
            programme("Lights S03E05"), programme("LIGHTS (S3)", "Episode 5", "The ferry is late."),
            programme("Lights", "El faro", "Temporada 3 Episodio 5. La niebla."),
            programme("Lights", number: EpisodeNumber(value: "S3E5", system: "onscreen")),
        ] {
            expectEqual(EpisodeIdentity(same), EpisodeIdentity(published), "\(same.titles)")
        }
        let others = [
            programme("Lights S03E05-06"), programme("Lights S03E06"), programme("Lights", "Episode 5"),
            // The number may return in the next season.
            programme("Lights", "Episode 5: Fog"), programme("Lights", "Episode 5: Ice"),
            // The title does not name the series.
            programme("Episode 5", nil, "Fog"), programme("Episode 5", nil, "Ice"),
            // A story of two parts within a season.
            programme("Lights", nil, "(1/2) Fog comes in."), programme("Lights", nil, "(1/2) Ice comes in."),
        ].map { EpisodeIdentity($0) }
        expectEqual(Set(others).count, others.count)
        expectEqual(others.contains(EpisodeIdentity(published)), false)
        expectEqual(
            EpisodeIdentity(programme("Lights", "Folge 5: Eis", "A")),
            EpisodeIdentity(programme("Lights (5/8)", "Eis", "B")))
    }

    // MARK: - Measurement

    /// Prints precision and recall by language for a file of labeled texts, with the columns language, field, season, episode, total,
    /// part, guide, title and text.
    ///
    /// An answer is wrong if its season, episode or total contradicts the label. A label with a season or an episode is found if both
    /// are equal.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["EPG_EPISODE_LABELS"] != nil))
    func measurement() throws {
        let path = try #require(ProcessInfo.processInfo.environment["EPG_EPISODE_LABELS"])
        var counts: [String: (answers: Int, right: Int, labels: Int, found: Int)] = [:]
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst() {
            let cells = line.split(separator: "\t", maxSplits: 8, omittingEmptySubsequences: false).map(String.init)
            guard cells.count == 9, let field = EpisodeText.Field(rawValue: Self.fields[cells[1]] ?? cells[1]) else {
                continue
            }
            let label = cells[2...4].map { Int($0) }
            let answer = EpisodeText(cells[8], in: field, language: cells[0]).map { [$0.season, $0.episode, $0.total] }
            let isRight = answer.map { zip($0, label).allSatisfy { $0.0 == nil || $0.0 == $0.1 } } ?? true
            let isFound = answer.map { $0[0] == label[0] && $0[1] == label[1] } ?? false
            for key in [cells[0], "all"] {
                var count = counts[key] ?? (0, 0, 0, 0)
                if answer != nil {
                    count.answers += 1
                    count.right += isRight ? 1 : 0
                }
                if label[0] != nil || label[1] != nil {
                    count.labels += 1
                    count.found += isFound ? 1 : 0
                }
                counts[key] = count
            }
            if !isRight || !isFound && label[0...1].contains(where: { $0 != nil }) {
                print("\(isRight ? "missed" : "wrong"): \(line)")
            }
        }
        for (language, count) in counts.sorted(by: { $0.key < $1.key }) {
            print("\(language): precision \(count.right)/\(count.answers), recall \(count.found)/\(count.labels)")
        }
    }

    private static let fields = ["sub-title": "subtitle", "desc": "description"]
}
