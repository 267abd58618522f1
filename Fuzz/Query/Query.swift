import EPGCalendar
import EPGImport
import EPGModel
import EPGRender
import HTTPTypes

@testable import EPGHTTP
@testable import EPGServer

/// Parses the input as the target of a request: for each endpoint that its path may match, with the parameters of feeds
/// and imports, and as a time.
///
/// Rejected input gets a 4xx status with a reason. Accepted input has one canonical form, which parses to itself.
func fuzzQuery(_ bytes: [UInt8]) {
    guard let target = String(validating: bytes, as: UTF8.self) else {
        // A byte after a percent-encoded one may complete a character.
        _ = String(percentDecoding: bytes)
        return
    }
    precondition(String(percentDecoding: target.percentEncoded.utf8, decodesPlus: true) == target)
    let sides = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let parts = sides[0].split(separator: "/", omittingEmptySubsequences: true)
    let query = sides.count > 1 ? String(sides[1]) : target
    for endpoint in GuideServer.endpoints { check(endpoint, parts, query) }
    checkParameters(query)
    checkTime(target)
}

private func check<Resource: Endpoint>(_ endpoint: Resource.Type, _ parts: [Substring], _ query: String) {
    guard let path = pathParameters(of: Resource.path, in: parts), let read = reading(endpoint, query, path),
        let canonical = read.key.split(separator: "?", maxSplits: 1).dropFirst().first
    else { return }
    // What headers say is part of the key, but no parameter.
    let headers: Set<Substring> = ["host", "accept-language", "clock"]
    let named = canonical.split(separator: "&").filter { pair in !headers.contains(pair.prefix { $0 != "=" }) }
        .joined(separator: "&")
    let again = reading(endpoint, named, path)
    precondition(again?.key == read.key, "\(read.key) parses as \(again?.key ?? "nothing")")
}

/// Returns the parameters in a path, or placeholders if the input has no path, so that its query is parsed.
private func pathParameters(of pattern: String, in parts: [Substring]) -> [String: String]? {
    let segments = pattern.split(separator: "/")
    guard parts.isEmpty || parts.count == segments.count else { return nil }
    var parameters: [String: String] = [:]
    for (index, segment) in segments.enumerated() {
        guard let start = segment.firstIndex(of: "{"), let end = segment.firstIndex(of: "}") else {
            guard parts.isEmpty || parts[index] == segment else { return nil }
            continue
        }
        let name = String(segment[segment.index(after: start)..<end])
        let suffix = segment[segment.index(after: end)...]
        guard !parts.isEmpty else {
            parameters[name] = "1"
            continue
        }
        guard parts[index].hasSuffix(suffix),
            let value = String(percentDecoding: parts[index].dropLast(suffix.count).utf8)
        else { return nil }
        parameters[name] = value
    }
    return parameters
}

private func reading<Resource: Endpoint>(
    _ endpoint: Resource.Type, _ query: String, _ path: [String: String]
) -> CanonicalQuery? {
    do throws(Problem) {
        var parameters = try ParameterReader(
            query: query, path: path, clock: Instant(secondsSince1970: 1_792_865_400), defaultZone: .utc,
            host: "tv.example")
        return try CanonicalQuery(endpoint, &parameters)
    } catch {
        check(error)
        return nil
    }
}

/// Parses the parameters of feeds and imports.
private func checkParameters(_ query: String) {
    let now = Instant(secondsSince1970: 1_792_865_400)
    for number in 0..<3 {
        do throws(Problem) {
            var reader = try ParameterReader(query: query, clock: now, defaultZone: .utc)
            switch number {
            case 0: _ = try FeedQuery(.xmltv, &reader, site: Site(zone: .utc))
            case 1: _ = try FeedQuery(.json, &reader, site: Site(zone: .utc))
            default:
                _ = try ImportRequest(&reader, now: now)
                _ = try reader.finish()
            }
        } catch {
            check(error)
        }
    }
}

private func check(_ problem: Problem) {
    precondition((400..<500).contains(problem.status.code) && !problem.detail.isEmpty, "\(problem)")
    // The size of the response is limited for any input.
    precondition(problem.detail.utf8.count < 4096, "a detail of \(problem.detail.utf8.count) bytes")
}

private func checkTime(_ text: String) {
    do throws(TimeExpressionError) {
        let now = Instant(secondsSince1970: 1_792_865_400)
        let instant = try TimeExpression.parse(text, now: now, zone: .utc)
        precondition((-62_167_219_200...253_402_300_799).contains(instant.secondsSince1970))
        let again = try TimeExpression.parse(instant.iso8601, now: now, zone: .utc)
        precondition(again == instant, "\(instant) parses as \(again)")
    } catch {
        precondition(!"\(error)".isEmpty)
    }
    if let instant = Instant(absolute: text) {
        precondition((-2_208_988_800...7_258_118_399).contains(instant.secondsSince1970))
    }
}

#if FUZZING
    @_cdecl("LLVMFuzzerTestOneInput")
    public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        fuzzQuery(Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
    }
#endif
