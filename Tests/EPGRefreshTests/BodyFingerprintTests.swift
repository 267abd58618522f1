import EPGModel
import EPGRefresh
import Testing

@Suite struct BodyFingerprintTests {
    private let source = Source(name: "a", location: "http://example.org/1", timeZone: "Europe/Berlin", shift: 3600)

    @Test func fingerprintCoversWhatDecidesTheReading() {
        var others = [source, source, source, source]
        others[0].location = "http://example.org/2"
        others[1].timeZone = "Europe/London"
        others[2].timeZone = nil
        others[3].shift = -3600
        let text = BodyFingerprint(of: source, body: "b").text
        #expect(BodyFingerprint.isReading(of: source, in: text))
        for other in others {
            #expect(!BodyFingerprint.isReading(of: other, in: text))
            #expect(BodyFingerprint(of: other, body: "b").text != text)
        }
    }

    @Test func nameAndIntervalDoNotDecideTheReading() {
        var other = source
        other.name = "b"
        other.interval = 60
        #expect(BodyFingerprint(of: other, body: "b") == BodyFingerprint(of: source, body: "b"))
    }

    @Test func partsThatRunTogetherAreTold() {
        let left = Source(name: "a", location: "ab", timeZone: "c")
        let right = Source(name: "a", location: "a", timeZone: "bc")
        #expect(BodyFingerprint(of: left, body: "") != BodyFingerprint(of: right, body: ""))
    }

    @Test(arguments: [nil, "", "1", "0-x-y", "1--", "rubbish"])
    func textThatIsNoFingerprintKnowsNothing(text: String?) {
        #expect(!BodyFingerprint.isReading(of: source, in: text))
    }
}
