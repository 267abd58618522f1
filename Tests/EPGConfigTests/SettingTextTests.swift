import Testing

@testable import EPGConfig

@Suite("Texts of settings")
struct SettingTextTests {
    @Test(arguments: [
        ("127.0.0.1:8080", ListenAddress.port(8080, host: "127.0.0.1")), ("localhost:0", .port(0, host: "localhost")),
        ("8080", .port(8080, host: "127.0.0.1")), ("[::1]:80", .port(80, host: "::1")),
        ("/run/epg.sock", .socket(path: "/run/epg.sock")), ("unix:epg.sock", .socket(path: "epg.sock")),
        ("./epg.sock", .socket(path: "./epg.sock")),
    ]) func whereToListen(text: String, address: ListenAddress) {
        #expect(ListenAddress(parsing: text) == address)
    }

    @Test(arguments: [
        "", ":8080", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+1", "::1:80", "[::1]", "[x]:80",
        "a b:80", "/run/", "unix:", "/" + String(repeating: "a", count: 107), "host", "-1",
    ]) func whatIsNoPlaceToListen(text: String) {
        #expect(ListenAddress(parsing: text) == nil)
    }

    @Test(arguments: [
        ("1500", 1500), ("1 KiB", 1024), ("64MiB", 67_108_864), ("2 GiB", 2_147_483_648), ("0", nil), ("1 KB", nil),
        ("-1", nil), ("", nil), ("9223372036854775807 KiB", nil), ("1.5 KiB", nil),
    ]) func sizes(text: String, bytes: Int?) {
        #expect(SettingText.bytes(text, in: 1...1 << 40) == bytes)
    }

    @Test(arguments: [
        ("500 ms", Duration.milliseconds(500)), ("5 s", .seconds(5)), ("2min", .seconds(120)), ("5", nil), ("1 h", nil),
    ]) func durations(text: String, duration: Duration?) {
        #expect(SettingText.duration(text, in: .milliseconds(1)...Duration.seconds(600)) == duration)
    }

    @Test func everySettingHasAVariableAndAFlagOfItsOwn() {
        #expect(Set(Setting.all.map(\.variable)).count == Setting.all.count)
        #expect(Setting.named("limits.per-address")?.variable == "EPG_LIMITS_PER_ADDRESS")
        #expect(Setting.named("limits.per-address")?.flag == "limits-per-address")
    }
}
