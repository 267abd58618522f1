import TestSupport
import Testing

@testable import EPGRender

@Suite struct MetricsTextTests {
    @Test func labelsAreEscaped() {
        var text = MetricsText()
        text.begin("a", .gauge, "Some help.")
        text.sample("a", [("l", "x\\y\"z\nw")], 1)
        expectEqual(text.text, "# HELP a Some help.\n# TYPE a gauge\na{l=\"x\\\\y\\\"z\\nw\"} 1\n")
    }
}
