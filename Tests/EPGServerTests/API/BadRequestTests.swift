import TestSupport
import Testing

/// Tests of invalid requests, whose responses are 400 or 404 with a sentence that names the parameter.
@Suite struct BadRequestTests {
    private static let station = "/api/v1/stations/kestrel.example"

    /// Targets with the status of the response and the invalid parameter.
    private static let invalid: [(target: String, status: Int, parameter: String?)] = [
        ("/api/v1/grid?form=rows", 400, "form"), ("/api/v1/grid?form=", 400, "form"),
        ("/api/v1/grid?from=yesterday", 400, "from"), ("/api/v1/grid?from=", 400, "from"),
        ("/api/v1/grid?from=99999999999999999999", 400, "from"),
        ("/api/v1/grid?from=-9223372036854775808", 400, "from"),
        ("/api/v1/grid?from=1066-10-14T09:00:00Z", 400, "from"),
        ("/api/v1/grid?from=2026-02-30T00:00:00Z", 400, "from"),
        ("/api/v1/grid?from=2026-10-24", 400, "from"), ("/api/v1/grid?from=1e9", 400, "from"),
        ("/api/v1/grid?to=1", 400, "to"), ("/api/v1/grid?from=100&to=100", 400, "to"),
        ("/api/v1/grid?from=1792800000&to=1794096001", 400, "to"), ("/api/v1/grid?to=soon", 400, "to"),
        ("/api/v1/grid?hours=0", 400, "hours"), ("/api/v1/grid?hours=-3", 400, "hours"),
        ("/api/v1/grid?hours=nan", 400, "hours"), ("/api/v1/grid?hours=inf", 400, "hours"),
        ("/api/v1/grid?hours=361", 400, "hours"), ("/api/v1/grid?hours=0x3", 400, "hours"),
        ("/api/v1/grid?hours=3+", 400, "hours"), ("/api/v1/grid?hours=three", 400, "hours"),
        ("/api/v1/grid?rows=a", 400, "rows"), ("/api/v1/grid?rows=5-2", 400, "rows"),
        ("/api/v1/grid?rows=1,,2", 400, "rows"), ("/api/v1/grid?rows=-1", 400, "rows"),
        ("/api/v1/grid?rows=1-2-3", 400, "rows"), ("/api/v1/grid?rows=9999999999", 400, "rows"),
        ("/api/v1/grid?rows=1%202", 400, "rows"), ("/api/v1/grid?rows=%D9%A1", 400, "rows"),
        ("/api/v1/grid?rows=" + String(repeating: "1,", count: 2000) + "1", 400, "rows"),
        ("/api/v1/grid?pointsPerHour=0", 400, "pointsPerHour"),
        ("/api/v1/grid?pointsPerHour=1e99", 400, "pointsPerHour"),
        ("/api/v1/grid?x=nan", 400, "x"), ("/api/v1/grid?x=1e13", 400, "x"), ("/api/v1/grid?y=-inf", 400, "y"),
        ("/api/v1/grid?width=0", 400, "width"), ("/api/v1/grid?width=-5", 400, "width"),
        ("/api/v1/grid?height=1e400", 400, "height"), ("/api/v1/grid?rowHeight=0.5", 400, "rowHeight"),
        ("/api/v1/grid?stationWidth=-1", 400, "stationWidth"), ("/api/v1/grid?headerHeight=1e5", 400, "headerHeight"),
        ("/api/v1/grid?scale=0", 400, "scale"), ("/api/v1/grid?scale=11", 400, "scale"),
        ("/api/v1/grid?cluster=0", 400, "cluster"), ("/api/v1/grid?orientation=diagonal", 400, "orientation"),
        ("/api/v1/grid?direction=up", 400, "direction"), ("/api/v1/grid?zone=Mars/Olympus", 400, "zone"),
        ("/api/v1/grid?zone=../../etc/passwd", 400, "zone"), ("/api/v1/grid?zone=/etc/localtime", 400, "zone"),
        ("/api/v1/grid?zone=" + String(repeating: "A", count: 5000), 400, "zone"),
        ("/api/v1/grid?lang=%00", 400, "lang"), ("/api/v1/grid?lang=e%20n", 400, "lang"),
        ("/api/v1/grid?lang=" + String(repeating: "e", count: 101), 400, "lang"),
        ("/api/v1/grid?at=never", 400, "at"), ("/api/v1/grid?form=columns&from=0&at=never", 400, "at"),
        ("/api/v1/grid?origin=x", 400, "origin"), ("/api/v1/grid?stations=2", 400, "stations"),
        ("/api/v1/grid?stations=yes", 400, "stations"), ("/api/v1/grid?generation=-1", 400, "generation"),
        ("/api/v1/grid?generation=x", 400, "generation"), ("/api/v1/grid?hours=3&hours=4", 400, "hours"),
        ("/api/v1/grid?bogus=1", 400, "bogus"), ("/api/v1/grid?%FF=1", 400, nil),
        ("/api/v1/grid?rows=%F0%28", 400, nil),
        ("/api/v1/grid?rows=%2", 400, nil), ("/api/v1/grid?=1", 400, ""),
        ("/api/v1/grid?" + (0..<65).map { "p\($0)=1" }.joined(separator: "&"), 400, nil),
        ("/api/v1/rows", 400, "from"), ("/api/v1/rows?from=100", 400, "to"),
        ("/api/v1/rows?from=100&to=100", 400, "to"),
        ("/api/v1/rows?from=0&to=172801", 400, "to"), ("/api/v1/rows?from=0&to=60&genre=opera", 400, "genre"),
        ("/api/v1/rows?from=0&to=60&new=2", 400, "new"), ("/api/v1/airings/1?ui=xx", 400, "ui"),
        ("/?ui=english", 400, "ui"),
        ("/?tv=2", 400, "tv"), ("/home?tv=on", 400, "tv"), ("/api/v1/grid?tv=1", 400, "tv"),
        ("/api/v1/now?at=x", 400, "at"), ("/api/v1/now?limit=0", 400, "limit"), ("/api/v1/now?limit=501", 400, "limit"),
        ("/api/v1/now?offset=-1", 400, "offset"), ("/api/v1/now?offset=1000000000", 400, "offset"),
        ("/api/v1/now?rows=x", 400, "rows"), ("/api/v1/now?days=1", 400, "days"),
        ("/api/v1/next?limit=1.5", 400, "limit"), ("/api/v1/next?at=8000000000", 400, "at"),
        ("/api/v1/stations?q=%01", 400, "q"), ("/api/v1/stations?q=" + String(repeating: "q", count: 201), 400, "q"),
        ("/api/v1/stations?limit=99999999999999999999", 400, "limit"), ("/api/v1/stations?group=%7F", 400, "group"),
        ("/api/v1/stations/nope", 404, nil), ("/api/v1/stations/%20", 404, nil),
        ("/api/v1/stations/nope/schedule", 404, nil),
        ("/api/v1/stations/kestrel.example?day=2026-10-24", 400, "day"),
        (station + "/schedule?day=2026-02-30", 400, "day"), (station + "/schedule?day=0000-00-00", 400, "day"),
        (station + "/schedule?day=1899-12-31", 400, "day"), (station + "/schedule?day=2200-01-01", 400, "day"),
        (station + "/schedule?day=tomorrow", 400, "day"), (station + "/schedule?day=2026-1-1", 400, "day"),
        (station + "/schedule?day=%2B026-01-01", 400, "day"), (station + "/schedule?to=1792800000", 400, "to"),
        (station + "/schedule?from=1792800000&to=1792800000", 400, "to"),
        (station + "/schedule?from=1792800000&to=1794096001", 400, "to"),
        (station + "/schedule?zone=Nowhere", 400, "zone"), (station + "/schedule?lang=%F0%9F%8C%95", 400, "lang"),
        (station + "/days/2026-02-30", 400, "date"), (station + "/days/today", 400, "date"),
        (station + "/days/1899-12-31", 400, "date"), (station + "/days/2026-10-24?version=A", 400, "version"),
        (station + "/days/2026-10-24?version=12345678901234", 400, "version"),
        (station + "/days/2026-10-24?at=1792800000", 400, "at"), ("/api/v1/stations/nope/days/2026-10-24", 404, nil),
        ("/api/v1/versions?date=2026-02-30", 400, "date"), ("/api/v1/versions?days=0", 400, "days"),
        ("/api/v1/versions?days=32", 400, "days"), ("/api/v1/versions?limit=100001", 400, "limit"),
        ("/api/v1/versions?limit=0", 400, "limit"), ("/api/v1/versions?zone=Nowhere", 400, "zone"),
        ("/api/v1/versions?rows=0", 400, "rows"),
        ("/api/v1/airings/0", 404, nil), ("/api/v1/airings/-1", 404, nil), ("/api/v1/airings/x", 404, nil),
        ("/api/v1/airings/9223372036854775808", 404, nil), ("/api/v1/airings/1.5", 404, nil),
        ("/api/v1/airings/999999999", 404, nil), ("/api/v1/airings/1?lang=_", 400, "lang"),
        ("/api/v1/airings/1?x=1", 400, "x"), ("/api/v1/airings/1?similar=2", 400, "similar"),
        ("/api/v1/airings/+1", 404, nil), ("/airings/+1.ics", 404, nil), ("/airings/x.m3u", 404, nil),
        ("/airings/1.m3u?days=1", 400, "days"),
        ("/api/v1/search", 400, "q"), ("/api/v1/search?q=", 400, "q"), ("/api/v1/search?q=a&limit=201", 400, "limit"),
        ("/api/v1/search?q=a&offset=10001", 400, "offset"), ("/api/v1/search?q=a%00b", 400, "q"),
        ("/api/v1/search?q=a&group=x", 400, "group"), ("/api/v1/search?q=a*", 400, "q"),
        ("/api/v1/search?q=a*+A*+b*", 400, "q"), ("/api/v1/search?q=a+b+c+d+e+f+g+h+i+j+k+l+m", 400, "q"),
        ("/api/v1/groups?q=a", 400, "q"), ("/api/v1/groups?lineup=x", 404, nil),
        ("/api/v1/lineups?name=x", 400, "name"),
        ("/api/v1/categories?limit=5", 400, "limit"), ("/api/v1/sources?x", 400, "x"),
        ("/openapi.yaml?x=1", 400, "x"), (station + "/schedule?fields=id,", 400, "fields"),
        (station + "/schedule?fields=ID", 400, "fields"), (station + "?fields=title", 400, "fields"),
        (station + "/days/2026-10-24?fields=links", 400, "fields"), ("/api/v1/versions?fields=catchup", 400, "fields"),
        (station + "/days/2026-10-24?fields=poster", 400, "fields"),
        ("/api/v1/now?fields=" + String(repeating: "id,", count: 200) + "id", 400, "fields"),
        ("/api/v1/now?maxAge=22", 400, "maxAge"), ("/api/v1/now?maxAge=-1", 400, "maxAge"),
        ("/api/v1/search?q=a&maxAge=x", 400, "maxAge"), ("/api/v1/next?unrated=2", 400, "unrated"),
        ("/api/v1/grid?fields=id", 400, "fields"), ("/api/v1/grid?lineup=x", 404, nil),
        ("/api/v1/versions?lineup=x", 404, nil), ("/grid.svg?lineup=%00", 400, "lineup"),
    ]

    @Test(arguments: invalid)
    func invalidRequestNamesItsParameter(target: String, status: Int, parameter: String?) async throws {
        let response = await (try SharedGuides.sample.get()).get(target)
        expectEqual(response.status, status, "\(response.text.prefix(300))")
        let problem = try response.json
        expectEqual(problem["status"].integer, status)
        expectEqual(problem["parameter"].text, parameter)
        let detail = problem["detail"].text ?? ""
        #expect(detail.hasSuffix(".") && detail.utf8.count < 600)
    }

    @Test(arguments: [
        "/api/v1/grid?from=-2208988800&hours=360&rows=0", "/api/v1/grid?from=7258118399&rows=0-3",
        "/api/v1/grid?rows=999999999", "/api/v1/grid?x=1e12&y=1e12", "/api/v1/grid?x=-1e12&y=-1e12&direction=rtl",
        "/api/v1/grid?pointsPerHour=100000&rowHeight=10000&stationWidth=10000&headerHeight=10000&scale=10&hours=360&rows=0",
        "/api/v1/grid?pointsPerHour=1&rowHeight=1&stationWidth=0&headerHeight=0&scale=0.1&cluster=10000",
        "/api/v1/grid?form=columns&origin=-2208988800&from=7258118399", "/api/v1/grid?rows=",
        "/api/v1/grid?zone=&lang=&q=".replacing("&q=", with: ""), "/api/v1/grid?width=1e12&height=1e12",
        "/api/v1/now?at=-2208988800", "/api/v1/next?at=7258118399", "/api/v1/grid?from=2026-10-24T18:00:00%2B01:00",
        "/api/v1/stations/kestrel.example/schedule?day=1900-01-01&zone=Africa/Monrovia",
        "/api/v1/stations/kestrel.example/schedule?day=2199-12-31&zone=Europe/London",
        "/api/v1/stations/kestrel.example/days/1900-01-01?version=",
        "/api/v1/stations/kestrel.example/days/2199-12-31?zone=Asia/Tokyo",
        "/api/v1/versions?date=1900-01-01&days=1&limit=1", "/api/v1/versions?date=2199-12-31&days=31&offset=999999999",
    ])
    func boundsOfRangesAreValid(target: String) async throws {
        let response = await (try SharedGuides.sample.get()).get(target)
        expectEqual(response.status, 200, "\(response.text.prefix(300))")
        _ = try response.json
    }

    /// A browser may know a zone that this machine does not.
    @Test(
        arguments: [("", "Europe/London"), ("&zone=Asia/Tokyo", "Asia/Tokyo"), ("&zone=Mars/Olympus", "Europe/London")]
            as [(String, String)])
    func pagesNameTheirZone(parameter: String, zone: String) async throws {
        for path in ["/home", "/stations", "/stations/kestrel.example", "/search", "/setup"] {
            let page = await (try SharedGuides.sample.get()).get("\(path)?at=1792864800\(parameter)").text
            expectText(
                page, contains: [#"<html lang="en" dir="ltr" data-zone="\#(zone)">"#, ">Time zone: \(zone)<"], path)
        }
        let guide = await (try SharedGuides.sample.get()).get("/?at=1792864800\(parameter)").text
        let place = zone == "Asia/Tokyo" ? "Tokyo" : "London"
        expectText(guide, contains: [#"<small title="\#(zone)">\#(place)</small>"#], lacks: ["Time zone:"])
    }
}
