import EPGModel
import Testing

@testable import EPGConfig

@Suite("Parsing of settings")
struct SettingTextTests {
    /// A text, and its address; `nil` if it is invalid.
    @Test(
        arguments: [
            ("127.0.0.1:8080", .port(8080, host: "127.0.0.1")), ("localhost:0", .port(0, host: "localhost")),
            ("8080", .port(8080, host: "127.0.0.1")), ("[::1]:80", .port(80, host: "::1")),
            ("/run/epg.sock", .socket(path: "/run/epg.sock")), ("unix:epg.sock", .socket(path: "epg.sock")),
            ("./epg.sock", .socket(path: "./epg.sock")),
            ("", nil), (":8080", nil), ("127.0.0.1:", nil), ("127.0.0.1:65536", nil), ("127.0.0.1:-1", nil),
            ("127.0.0.1:+1", nil), ("::1:80", nil), ("[::1]", nil), ("[x]:80", nil), ("a b:80", nil), ("/run/", nil),
            ("unix:", nil), ("/" + String(repeating: "a", count: 107), nil), ("host", nil), ("-1", nil),
        ] as [(String, ListenAddress?)])
    func listenAddressIsParsed(text: String, address: ListenAddress?) {
        #expect(ListenAddress(parsing: text) == address)
    }

    @Test(arguments: [
        ("1500", 1500), ("1 KiB", 1024), ("64MiB", 67_108_864), ("2 GiB", 2_147_483_648), ("0", nil), ("1 KB", nil),
        ("-1", nil), ("", nil), ("9223372036854775807 KiB", nil), ("1.5 KiB", nil),
    ]) func sizeIsParsed(text: String, bytes: Int?) {
        #expect(SettingText.bytes(text, in: 1...1 << 40) == bytes)
    }

    @Test(arguments: [
        ("500 ms", Duration.milliseconds(500)), ("5 s", .seconds(5)), ("2min", .seconds(120)), ("5", nil), ("1 h", nil),
    ]) func durationIsParsed(text: String, duration: Duration?) {
        #expect(SettingText.duration(text, inMilliseconds: 1...600_000) == duration)
    }

    @Test(arguments: [
        ("0", 0), ("900", 900), ("90 s", 90), ("15min", 900), ("2 h", 7200), ("24 h", 86_400), ("86400", 86_400),
        ("86401", nil), ("25 h", nil), ("-1", nil), ("1 d", nil), ("500 ms", nil), ("", nil), ("1.5 h", nil),
        ("9223372036854775807 h", nil),
    ]) func secondsAreParsed(text: String, seconds: Int?) {
        #expect(SettingText.seconds(text, in: 0...86_400) == seconds)
    }

    @Test(arguments: [
        ("0", 0), ("7", 7), ("7 d", 7), ("30d", 30), ("1 day", 1), ("3660 days", 3660), ("3661", nil), ("-1", nil),
        ("7 h", nil), ("", nil), ("d", nil), ("1.5", nil),
    ]) func daysAreParsed(text: String, days: Int?) {
        #expect(SettingText.days(text, in: 0...3660) == days)
    }

    @Test(arguments: [
        ("0", 0), ("100", 100), ("50 %", 50), ("50%", 50), ("101", nil), ("-1", nil), ("0.5", nil), ("%", nil),
        ("5 percent", nil),
    ]) func percentageIsParsed(text: String, percentage: Int?) {
        #expect(SettingText.percentage(text) == percentage)
    }

    @Test(
        arguments: [
            ("0", 0), ("3600", 3600), ("+90", 90), ("-3600", -3600), ("+01:00", 3600), ("-00:30", -1800),
            ("+99:59", 359_940),
            ("01:00", nil), ("+1:00", nil), ("+01:60", nil), ("+01:00:00", nil), ("1h", nil), ("", nil), ("-", nil),
            ("+-1", nil), ("+-1:00", nil), ("316224000", 316_224_000), ("316224001", nil),
            ("99999999999999999999", nil),
        ] as [(String, Int64?)]) func shiftIsParsed(text: String, seconds: Int64?)
    {
        #expect(SettingText.shift(text) == seconds)
    }

    @Test(arguments: [
        ("http://a", true), ("HTTPS://a.example:8443/x?y=1#z", true), ("http://user:word@a/", true),
        ("http://[::1]/", true),
        ("http://", false), ("http:///x", false), ("http://user@/", false), ("ftp://a", false), ("file:///a", false),
        ("a.xml", false), ("http://a/b c", false), ("http://a/\u{7}", false), (" http://a", false), ("", false),
    ]) func urlIsValidated(text: String, isValid: Bool) {
        #expect(SettingText.url(text) == (isValid ? text : nil))
    }

    @Test(arguments: [
        ("X-Key", true), ("a!#$%&'*+-.^_`|~9", true), ("", false), ("A B", false), ("A:", false), ("Ä", false),
        ("(a)", false),
    ]) func headerNameIsValidated(text: String, isValid: Bool) {
        #expect(RequestHeader.isValid(name: text) == isValid)
    }

    @Test(arguments: [
        ("KEY", true), ("_key2", true), ("2KEY", false), ("A-B", false), ("$KEY", false), ("A=B", false), ("", false),
    ]) func variableNameIsValidated(text: String, isValid: Bool) {
        #expect(SettingText.isVariable(text) == isValid)
    }

    @Test func everyDefaultTextMatchesTheDefaultValue() {
        for setting in Setting.all {
            guard let text = setting.defaultValue else { continue }
            var configuration = ServiceConfiguration()
            let isApplied = setting.apply(&configuration, [text])
            #expect((isApplied, configuration) == (true, ServiceConfiguration()), "\(setting.key)")
        }
    }

    @Test func everySettingHasItsOwnVariable() {
        #expect(Set(Setting.all.map(\.variable)).count == Setting.all.count)
        let setting = Setting.named("limits.per-address")
        #expect((setting?.variable, setting?.flag) == ("EPG_LIMITS_PER_ADDRESS", "limits-per-address"))
    }

    @Test(
        arguments: [
            (
                "--token-file",
                "--token-file is no longer an option; use “epg admin token add NAME --scope import --scope watch” instead."
            ),
            (
                "--metrics-token-file=/x",
                "--metrics-token-file is no longer an option; use “epg admin token add NAME --scope metrics” instead."
            ),
            ("--source-hosts", "--source-hosts is no longer an option; use “private-hosts” instead."),
            ("--private-hosts", nil), ("--token-files", nil), ("token-file", nil), ("", nil),
        ] as [(String, String?)])
    func formerOptionNamesItsSuccessor(argument: String, advice: String?) {
        #expect(Setting.advice(onOption: argument) == advice)
    }
}
