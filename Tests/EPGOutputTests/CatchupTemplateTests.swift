import EPGCalendar
import EPGModel
import EPGOutput
import TestSupport
import Testing

/// Tests of catch-up URLs against the examples and definitions in the README of Kodi's add-on pvr.iptvsimple.
@Suite struct CatchupTemplateTests {
    /// 2026-10-24T18:15:00Z to 19:15:00Z, which is 19:15 to 20:15 in London.
    private static let window = TimeWindow(
        start: Instant(secondsSince1970: 1_792_865_700), end: Instant(secondsSince1970: 1_792_869_300))
    /// 2026-10-24T20:00:00Z: 6,300 seconds after the start.
    private static let now = Instant(secondsSince1970: 1_792_872_000)

    private func channel(_ url: String, _ attributes: String) -> Channel {
        let pairs = attributes.split(separator: " ").map { $0.split(separator: "=", maxSplits: 1) }
        return Channel(
            name: "One", url: url,
            attributes: pairs.map { ContentAttribute(name: String($0[0]), value: String($0.count > 1 ? $0[1] : "")) })
    }

    private func url(
        _ attributes: String, stream url: String = "http://s.example/a.ts", in list: String = "",
        at now: Instant = now, delayedBy delay: Int = 0, id: String? = nil, zone: String = "Europe/London"
    ) throws -> String? {
        let lineup = Lineup(name: "tv", attributes: channel("", list).attributes)
        let zone = try Zone(named: zone)
        return CatchupTemplate(channel(url, attributes), in: lineup)?
            .url(of: Self.window, delayedBy: delay, id: id, at: now, in: zone)?.text
    }

    @Test(arguments: [
        ("{utc}", "1792865700"), ("${start}", "1792865700"), ("{utcend}", "1792869300"), ("${end}", "1792869300"),
        ("{lutc}", "1792872000"), ("${now}", "1792872000"), ("${timestamp}", "1792872000"), ("{duration}", "3600"),
        ("{duration:60}", "60"), ("{duration:7}", "514"), ("{offset:1}", "6300"), ("{offset:60}", "105"),
        ("${offset}", "6300"), ("{Y}-{m}-{d}T{H}:{M}:{S}", "2026-10-24T19:15:00"), ("{utc:YmdHMS}", "20261024191500"),
        ("${start:Y-m-d}", "2026-10-24"), ("${end:YmdHM}", "202610242015"), ("{utcend:H}", "20"), ("{lutc:HM}", "2100"),
        ("{catchup-id}", "id-7"), ("{utc}/{utc}", "1792865700/1792865700"), ("x", "x"),
        // Unknown placeholders are kept; their braces are percent-encoded.
        ("{nothing}", "%7Bnothing%7D"), ("{duration:0}", "%7Bduration:0%7D"), ("{duration:1.5}", "%7Bduration:1.5%7D"),
        ("{utc", "%7Butc"), ("$1", "$1"),
    ])
    func placeholdersAreReplaced(placeholder: String, expected: String) throws {
        let source = "catchup=default catchup-source=http://c.example/\(placeholder)"
        #expect(try url(source, id: "id-7") == "http://c.example/\(expected)")
    }

    @Test func placeholdersUseLocalTimeOfTheZone() throws {
        let source = "catchup=default catchup-source=http://c.example/{Y}{m}{d}{H}{M}"
        #expect(try url(source, zone: "UTC") == "http://c.example/202610241815")
        // Kathmandu is at +05:45, so it is 00:00 of the next day.
        #expect(try url(source, zone: "Asia/Kathmandu") == "http://c.example/202610250000")
    }

    @Test(
        arguments: [
            ("http://s.example/a.ts", "catchup=append catchup-source=?at={utc}", "http://s.example/a.ts?at=1792865700"),
            ("http://s.example/a.ts", "catchup=APPEND catchup-source=?at={utc}", "http://s.example/a.ts?at=1792865700"),
            (
                "http://s.example/a.ts|user-agent=x", "catchup=append catchup-source=?at={utc}",
                "http://s.example/a.ts?at=1792865700"
            ),
            ("http://s.example/a.ts", "catchup=append", nil), ("http://s.example/a.ts", "catchup=default", nil),
            ("http://s.example/a.ts", "catchup=shift", "http://s.example/a.ts?utc=1792865700&lutc=1792872000"),
            (
                "http://s.example/a.ts?t=1", "catchup=timeshift",
                "http://s.example/a.ts?t=1&utc=1792865700&lutc=1792872000"
            ),
            ("http://s.example/a.ts", "timeshift=3", "http://s.example/a.ts?utc=1792865700&lutc=1792872000"),
            ("http://s.example/a.ts", "tvg-rec=3", "http://s.example/a.ts?utc=1792865700&lutc=1792872000"),
            ("http://s.example/a.ts", "timeshift=0", nil), ("http://s.example/a.ts", "", nil),
            ("http://s.example/a.ts", "catchup=other catchup-source=http://c.example/", nil),
            ("http://s.example/a.ts", "catchup-type=shift", "http://s.example/a.ts?utc=1792865700&lutc=1792872000"),
            (
                "http://s.example:8888/325/index.m3u8?t=s", "catchup=fs",
                "http://s.example:8888/325/timeshift_rel-6300.m3u8?t=s"
            ),
            (
                "http://s.example/325/mono.m3u8?t=s", "catchup=flussonic",
                "http://s.example/325/mono-timeshift_rel-6300.m3u8?t=s"
            ),
            (
                "http://s.example/151/mpegts?t=s", "catchup=flussonic-ts",
                "http://s.example/151/timeshift_abs-1792865700.ts?t=s"
            ),
            ("http://s.example/151/a.mp4", "catchup=flussonic-hls", nil),
            ("http://s.example/index.m3u8", "catchup=fs", nil),
            (
                "http://s.example:8080/me@x.xc/word/1477", "catchup=xc",
                "http://s.example:8080/timeshift/me@x.xc/word/60/2026-10-24:19-15/1477.ts"
            ),
            (
                "http://s.example:8080/live/me/word/1477.m3u8", "catchup=xc",
                "http://s.example:8080/timeshift/me/word/60/2026-10-24:19-15/1477.m3u8"
            ),
            (
                "http://s.example/live/me/word/1477.ts", "catchup=xc",
                "http://s.example/timeshift/me/word/60/2026-10-24:19-15/1477.ts"
            ),
            ("http://s.example/1477", "catchup=xc", nil), ("http://s.example/a/b/c/d/1477", "catchup=xc", nil),
            ("udp://@239.0.0.1:1234", "catchup=append catchup-source=?a", nil),
        ] as [(String, String, String?)])
    func modeDeterminesURL(stream: String, attributes: String, expected: String?) throws {
        try expectEqual(url(attributes, stream: stream), expected)
    }

    @Test func listAttributesApplyToChannelsWithoutTheirOwn() throws {
        let list = "catchup=append catchup-source=?u={utc} catchup-days=1 catchup-correction=-1"
        // The correction of -1 hour is subtracted.
        #expect(try url("", stream: "http://s.example/a", in: list) == "http://s.example/a?u=1792869300")
        #expect(
            try url("catchup-source=?v={utc}", stream: "http://s.example/a", in: list)
                == "http://s.example/a?v=1792869300")
        #expect(
            try url("catchup-correction=0.5", stream: "http://s.example/a", in: list)
                == "http://s.example/a?u=1792863900")
        let late = Self.window.start.advanced(by: 86_401)
        #expect(try url("", stream: "http://s.example/a", in: list, at: late) == nil)
        #expect(try url("catchup-days=2", stream: "http://s.example/a", in: list, at: late) != nil)
    }

    @Test(arguments: [
        ("catchup=shift catchup-days=7", 7), ("catchup=shift", 3), ("catchup=shift catchup-days=0", 3),
        ("catchup=shift catchup-days=many", 3), ("timeshift=5", 5), ("catchup=shift timeshift=5", 5),
    ])
    func airingIsAvailableFromStartForConfiguredDays(attributes: String, days: Int64) throws {
        let start = Self.window.start
        try expectEqual(url(attributes, at: start), nil)
        #expect(try url(attributes, at: start.advanced(by: 1)) != nil)
        #expect(try url(attributes, at: start.advanced(by: days * 86_400)) != nil)
        try expectEqual(url(attributes, at: start.advanced(by: days * 86_400 + 1)), nil)
    }

    @Test func catchupOfCurrentAiringEndsNow() throws {
        let source = "catchup=default catchup-source=http://c.example/{utc}-{utcend}-{duration}"
        #expect(
            try url(source, at: Self.window.start.advanced(by: 600)) == "http://c.example/1792865700-1792866300-600")
    }

    @Test func delayedChannelHasSameURLLater() throws {
        let source = "catchup=default catchup-source=http://c.example/{utc}"
        try expectEqual(url(source, at: Self.window.start.advanced(by: 3600), delayedBy: 3600), nil)
        #expect(
            try url(source, at: Self.window.start.advanced(by: 3601), delayedBy: 3600) == "http://c.example/1792865700")
    }

    @Test func videoOnDemandRequiresIdentifierOnly() throws {
        let early = Self.window.start.advanced(by: -9_999_999)
        #expect(try url("catchup=vod", at: early, id: "https://v.example/7") == "https://v.example/7")
        try expectEqual(url("catchup=vod", at: early), nil)
        #expect(try url("catchup=vod", at: early, id: "plugin://v/7") == nil)
        let source = "catchup=vod catchup-source=https://v.example/{catchup-id} catchup-days=3"
        #expect(try url(source, id: "a b") == "https://v.example/a%20b")
        try expectEqual(url(source, at: early, id: "7"), nil)
    }

    @Test func liveURLHasCurrentTimeWithoutPlayerOptions() throws {
        let live = CatchupTemplate.liveURL(
            of: channel("http://s.example/a?t={lutc}&u=${now:H}&v={utc}|user-agent=x", ""), at: Self.now, in: .utc)
        #expect(live?.text == "http://s.example/a?t=1792872000&u=20&v=%7Butc%7D")
        #expect(CatchupTemplate.liveURL(of: channel("rtp://@239.0.0.1:1", ""), at: Self.now, in: .utc) == nil)
    }
}
