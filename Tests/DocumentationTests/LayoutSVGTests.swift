import CollectionLayout
import CollectionView
import Testing

@testable import EPGRender

/// Pictures of layouts.
@Suite struct LayoutSVGTests {
    private static let rect = Rect(x: 0, y: 0, width: 300, height: 200)

    private func item(_ number: Int, _ frame: Rect = Rect(x: 10, y: 20, width: 100, height: 50)) -> LayoutAttributes {
        LayoutAttributes(.item(IndexPath(section: 0, item: number)), frame: frame)
    }

    private func text(_ attributes: [LayoutAttributes], in rect: Rect = rect) -> String {
        LayoutSVG(title: "A layout").text(of: attributes, in: rect)
    }

    @Test func elementIsDrawnAtItsFrame() {
        let picture = text([item(3)])
        #expect(picture.contains(#"<svg x="10" y="20" width="100" height="50"><title>item [0, 3]</title>"#))
        // In the middle of 100 × 50, with the baseline 4 below it.
        #expect(picture.contains(#"<text x="50" y="29" text-anchor="middle">[0, 3]</text>"#))
    }

    @Test func elementCategoriesHaveDistinctFills() {
        let frame = Rect(x: 0, y: 0, width: 200, height: 50)
        let path = IndexPath(section: 0, item: 0)
        let picture = text([
            LayoutAttributes(.supplementary(.header, path), frame: frame),
            LayoutAttributes(.decoration("ground", path), frame: frame), item(0, frame),
        ])
        for name in ["item", "supplementary", "decoration"] { #expect(picture.contains(#"class="\#(name)"/>"#)) }
    }

    /// Band, then z-index, then kind, whatever the order of the attributes.
    @Test func frontElementsAreDrawnLast() throws {
        var front = item(0)
        front.zIndex = 5
        var pinned = item(1)
        pinned.band = .pinned
        let all = [pinned, front, item(2), item(3)]
        let picture = text(all)
        #expect(picture == text(all.reversed()))
        let places = try [2, 3, 0, 1].map { number in
            try #require(picture.firstRange(of: "<title>item [0, \(number)]</title>")).lowerBound
        }
        #expect(places == places.sorted())
    }

    @Test func invisibleElementsAreNotDrawn() {
        var hidden = item(0)
        hidden.isHidden = true
        var faded = item(1)
        faded.alpha = 0
        let flat = item(2, Rect(x: 0, y: 0, width: 0, height: 10))
        let outside = item(3, Rect(x: 300, y: 0, width: 10, height: 10))
        #expect(text([hidden, faded, flat, outside]) == text([]))
    }

    @Test func captionsAreEscapedAndCustomizable() {
        let picture = LayoutSVG(title: "A < B") { _ in .box("<script> & \u{0}more") }.text(of: [item(0)], in: Self.rect)
        #expect(picture.contains("<title>A &lt; B</title>"))
        #expect(picture.contains(">&lt;script&gt; &amp; more</text>"))
    }

    @Test(arguments: [(60.0, "[0, 3]"), (40, "3"), (8, "")]) func captionIsShortenedIfItDoesNotFit(
        _ width: Double, _ caption: String
    ) {
        #expect(LayoutSVG.caption(of: item(3, Rect(x: 0, y: 0, width: width, height: 20))) == caption)
    }

    @Test func viewportFrameIsDrawnOnTop() throws {
        let viewport = Rect(x: 0, y: 50, width: 300, height: 100)
        let picture = LayoutSVG(title: "", viewport: viewport).text(of: [item(0)], in: Self.rect)
        let frame = try #require(
            picture.firstRange(of: #"<rect x="1" y="51" width="298" height="98" class="viewport"/>"#))
        let drawn = try #require(picture.firstRange(of: "item [0, 0]"))
        #expect(frame.lowerBound > drawn.upperBound)
    }

    @Test(arguments: [-Double.infinity, .infinity, .nan, 1e300, -5, 0]) func invalidNumbersProducePicture(
        _ value: Double
    ) {
        let wild = Rect(minX: value, minY: -value, maxX: value, maxY: value)
        var attributes = item(0, wild)
        attributes.alpha = value
        for rect in [wild, Self.rect] {
            let picture = LayoutSVG(title: "", viewport: wild).text(of: [attributes, item(1)], in: rect)
            #expect(picture.hasSuffix("</svg>\n"))
            for word in ["nan", "inf", "e+"] { #expect(!picture.contains("\"\(word)")) }
            #expect(!picture.contains(#"height="0" viewBox"#))
            #expect(!picture.contains(#"svg" width="0""#))
        }
    }

    /// Slightly more than half an em for each character: five of 17 points are 47.6 wide, and take two lines in 30.
    @Test func textsAreMeasuredWithoutFonts() {
        let request = TextRequest(text: "Hello", properties: TextProperties(), width: .infinity)
        #expect(abs(LayoutSVG.measure(request).width - 47.6) < 1e-9)
        let narrow = TextRequest(text: "Hello", properties: TextProperties(numberOfLines: 2), width: 30)
        let height: Double = 17 * 1.2 * 2
        #expect(LayoutSVG.measure(narrow).height == height)
    }
}
