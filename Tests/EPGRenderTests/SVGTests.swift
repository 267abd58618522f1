import CollectionLayout
import EPGCalendar
import EPGLayout
import EPGModel
import Foundation
import TestSupport
import Testing

@testable import EPGRender

/// Tests of ``GuideSVG``.
@Suite struct SVGTests {
    @Test(arguments: [
        (0.0, "0"), (-0.0, "0"), (12, "12"), (-12.5, "-12.5"), (0.1, "0.1"), (1.0 / 3, "0.333"), (2.0 / 3, "0.667"),
        (-0.0004, "0"), (1e13, "1000000000000"), (.infinity, "1000000000000"), (.nan, "0"), (1e-9, "0"),
    ])
    func svgNumbersHaveAtMostThreeDecimalsAndNoExponent(_ value: Double, _ text: String) {
        expectEqual(value.svg, text)
    }

    @Test func guideTextIsEscapedInSVG() throws {
        let picture = try picture(titles: ["</text><script>alert(1)</script> & \"quotes\"\u{0}\u{8}"])
        expectText(
            picture, contains: ["&lt;script&gt;alert(1)&lt;/script&gt; &amp; \"quotes\"<"], lacks: ["<script"])
        #expect(!picture.unicodeScalars.contains("\u{0}"))
        #expect(!picture.unicodeScalars.contains("\u{8}"))
    }

    /// An hour is 100 points wide and the station column 50, so the airing of the second hour is at 150, minus the gap.
    @Test func cellHasFrameOfLayout() throws {
        let picture = try picture(titles: ["First", "Second"])
        expectText(
            picture,
            contains: [
                #"<svg x="50" y="20" width="99" height="39"><title>First, 00:00–01:00</title>"#,
                #"<svg x="150" y="20" width="99" height="39"><title>Second, 01:00–02:00</title>"#,
            ])
    }

    /// At offset 30 the pinned column ends at 80, so the cell from 50 to 150 insets its title by 30 plus padding. Two lines
    /// share 39 points minus 3 above and below: 16.5 each. The baseline is at 72% of a line: 3 + 11.88.
    @Test func titleFollowsVisibleEdge() throws {
        let picture = try picture(titles: ["First", "Second"], x: 30)
        #expect(picture.contains(#"<text x="38" y="14.88" class="title">First</text>"#))
    }

    @Test func pastAiringsAreFaintAndCurrentOnesHaveProgressBar() throws {
        let picture = try picture(titles: ["First", "Second"], now: 5400)
        #expect(picture.contains(#"<svg x="50" y="20" width="99" height="39" class="past">"#))
        // Half of the second hour has passed: 50 of 100 points, at the bottom of a cell of 39.
        expectText(
            picture,
            contains: [
                #"<rect x="0" y="36" width="50" height="3" class="now"/>"#,
                #"class="title strong">Second</text>"#,
            ])
    }

    /// At offset 75 the station column covers the content up to 125, so time is visible from 00:45 on.
    @Test func documentTitleNamesVisibleTime() throws {
        #expect(try picture(titles: ["First"]).contains("<title>TV guide, Thu 1 Jan, 00:00–02:00</title>"))
        #expect(try picture(titles: ["First"], x: 75).contains("<title>TV guide, Thu 1 Jan, 00:45–02:00</title>"))
    }

    /// The content is 250 wide. The first hour is from 100 to 200, and text starts 8 points before the right edge of a cell
    /// of 99.
    @Test func rightToLeftTextAndProgressStartAtRight() throws {
        let picture = try picture(titles: ["First", "Second"], now: 1800, direction: .rightToLeft)
        expectText(
            picture,
            contains: [
                #"<svg x="100" y="20" width="99" height="39"><title>First, 00:00–01:00</title>"#,
                #"<text x="91" y="14.88" class="title strong end">First</text>"#,
                #"<rect x="49" y="36" width="50" height="3" class="now"/>"#,
            ])
    }

    /// The row is a column 40 wide after an hour strip of 20. The second hour starts at 50 + 100.
    @Test func verticalTimePutsTextAtTopAndProgressAtSide() throws {
        let picture = try picture(titles: ["First", "Second"], now: 5400, timeAxis: .vertical)
        expectText(
            picture,
            contains: [
                #"<svg x="20" y="150" width="39" height="99"><title>Second, 01:00–02:00</title>"#,
                #"<rect x="0" y="0" width="3" height="50" class="now"/>"#,
            ])
        // 72% of a line of 20, below a padding of 3.
        #expect(picture.contains(#"<text x="8" y="17.4" class="title strong">Second</text>"#))
    }

    @Test func clusterShowsNumberOfAirings() throws {
        let policy = try ClusterPolicy(leastWidth: 150)
        let picture = try picture(titles: ["First", "Second"], clusters: policy)
        expectText(
            picture,
            contains: [
                "<title>2 short programs, 00:00–02:00: First, Second</title>",
                ">2 short programs</text>",
            ])
    }

    @Test func themesDefineAllColors() throws {
        let light = try picture(titles: ["First"], theme: .light)
        let dark = try picture(titles: ["First"], theme: .dark)
        #expect(light != dark)
        for picture in [light, dark] {
            #expect(picture.hasPrefix(#"<svg xmlns="http://www.w3.org/2000/svg" width="250" height="60""#))
            #expect(picture.hasSuffix("</svg>\n"))
        }
    }

    /// The contrast of WCAG 2.2, computed from its definition of relative luminance.
    @Test(arguments: [SVGTheme.light, SVGTheme.dark]) func textContrastsWithEveryFill(_ theme: SVGTheme) throws {
        let fills = [theme.cell, theme.pinned] + Genre.allCases.map { theme.fill(of: $0) }
        for fill in fills {
            for text in [theme.text, theme.dimText] {
                let (high, low) = (luminance(text), luminance(fill))
                let contrast = (max(high, low) + 0.05) / (min(high, low) + 0.05)
                #expect(contrast >= 4.5, "\(text) on \(fill): \(contrast)")
            }
        }
    }

    // MARK: - Support

    /// Returns a picture of a guide of one station with an airing each hour, from midnight of January 1, 1970, in UTC.
    private func picture(
        titles: [String], x: Double = 0, now: Int64? = nil, theme: SVGTheme = .light, timeAxis: Axis = .horizontal,
        direction: LayoutDirection = .leftToRight, clusters: ClusterPolicy? = nil
    ) throws -> String {
        let station = StationID("one")
        let airings = titles.enumerated().map { index, title in
            Airing(
                id: AiringID(Int64(index + 1)), station: station,
                window: TimeWindow(
                    start: Instant(secondsSince1970: Int64(index) * 3600),
                    end: Instant(secondsSince1970: Int64(index + 1) * 3600)), title: title)
        }
        let window = TimeWindow(start: Instant(secondsSince1970: 0), end: Instant(secondsSince1970: 7200))
        let layout = try GuideLayout(
            metrics: GuideMetrics(
                pointsPerHour: 100, rowHeight: 40, stationColumnWidth: 50, headerHeight: 20, lineHeight: 20),
            window: window, rowCount: 1, timeAxis: timeAxis, direction: direction, clusters: clusters)
        let size = timeAxis == .horizontal ? Size(width: 250, height: 60) : Size(width: 60, height: 250)
        let viewport = try Viewport(x: x, y: 0, width: size.width, height: size.height)
        let content = GuideContent(
            schedules: [
                RowSchedule(row: 0, stationName: "One", schedule: Schedule(station: station, airings: airings))
            ], coverage: window, now: now.map { Instant(secondsSince1970: $0) })
        let picture = GuideSVG(
            layout: layout, viewport: viewport, theme: theme, clock: GuideClock(zone: .utc),
            now: now.map { Instant(secondsSince1970: $0) })
        return picture.text(of: content)
    }

    /// Returns the relative luminance of `#rrggbb`.
    private func luminance(_ color: String) -> Double {
        let value = Int(color.dropFirst(), radix: 16) ?? 0
        let channels = [value >> 16 & 255, value >> 8 & 255, value & 255].map { channel -> Double in
            let part = Double(channel) / 255
            return part <= 0.03928 ? part / 12.92 : pow(part)
        }
        return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
    }

    private func pow(_ part: Double) -> Double { Foundation.pow((part + 0.055) / 1.055, 2.4) }
}
