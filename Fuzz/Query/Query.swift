import EPGCalendar
import EPGModel
import EPGRender
import HTTPTypes

@testable import EPGServer

/// Reads the input as the target of a request, by each route that its path may mean, by the parameters of feeds and
/// imports, and as a time.
///
/// What is refused is refused with a status of 4xx and a reason. What is accepted has one canonical form, whose reading
/// gives that form again.
func fuzzQuery(_ bytes: [UInt8]) {
    guard let target = String(validating: bytes, as: UTF8.self) else {
        // A byte behind one that is percent-encoded may complete a character.
        _ = PercentEncoding.decoded(bytes)
        return
    }
    precondition(PercentEncoding.decoded(target.percentEncoded.utf8, plusIsBlank: true) == target)
    let sides = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let parts = sides[0].split(separator: "/", omittingEmptySubsequences: true)
    let query = sides.count > 1 ? String(sides[1]) : target
    for route in Route.all {
        guard let captures = captures(of: route, in: parts), let question = reading(route, query, captures) else {
            continue
        }
        guard let canonical = question.key.split(separator: "?", maxSplits: 1).dropFirst().first else { continue }
        // The host is a part of the key, and no parameter.
        let named = canonical.split(separator: "&").filter { !$0.hasPrefix("host=") }.joined(separator: "&")
        let again = reading(route, named, captures)
        precondition(again?.key == question.key, "\(question.key) is read as \(again?.key ?? "nothing")")
    }
    checkParameters(query)
    checkTime(target)
}

/// What stands in the braces of a route's path; made up where the input has another path, so that its query is read.
private func captures(of route: Route, in parts: [Substring]) -> [String: String]? {
    guard let encoded = route.captures(of: parts) else {
        return parts.isEmpty ? Dictionary(route.segments.compactMap(\.name).map { ($0, "1") }) { $1 } : nil
    }
    var captures: [String: String] = [:]
    for (name, value) in encoded {
        guard let value = PercentEncoding.decoded(value.utf8) else { return nil }
        captures[name] = value
    }
    return captures
}

private func reading(_ route: Route, _ query: String, _ captures: [String: String]) -> Question? {
    do throws(Problem) {
        var reader = try RequestReader(
            query: query, captures: captures, clock: Instant(secondsSince1970: 1_792_865_400), defaultZone: .utc,
            host: "tv.example")
        return try route.question(&reader)
    } catch {
        check(error)
        return nil
    }
}

/// The parameters of addresses that stream.
private func checkParameters(_ query: String) {
    let now = Instant(secondsSince1970: 1_792_865_400)
    for number in 0..<3 {
        do throws(Problem) {
            var reader = try RequestReader(query: query, captures: [:], clock: now, defaultZone: .utc, host: nil)
            switch number {
            case 0: _ = try FeedOrder(.xmltv, &reader)
            case 1: _ = try FeedOrder(.json, &reader)
            default:
                _ = try ImportOrder(&reader, now: now)
                _ = try reader.finish()
            }
        } catch {
            check(error)
        }
    }
}

private func check(_ problem: Problem) {
    precondition((400..<500).contains(problem.status.code) && !problem.detail.isEmpty, "\(problem)")
    // Whatever the client sent, the answer is bounded.
    precondition(problem.detail.utf8.count < 4096, "a detail of \(problem.detail.utf8.count) bytes")
}

private func checkTime(_ text: String) {
    do throws(TimeExpressionError) {
        let now = Instant(secondsSince1970: 1_792_865_400)
        let instant = try TimeExpression.parse(text, now: now, zone: .utc)
        precondition((-62_167_219_200...253_402_300_799).contains(instant.secondsSince1970))
        let again = try TimeExpression.parse(instant.iso8601, now: now, zone: .utc)
        precondition(again == instant, "\(instant) is read as \(again)")
    } catch {
        precondition(!"\(error)".isEmpty)
    }
    if let instant = Instant(parameter: text) {
        precondition((-2_208_988_800...7_258_118_399).contains(instant.secondsSince1970))
    }
}

extension Route.Segment {
    fileprivate var name: String? {
        if case .capture(let name, _) = self { name } else { nil }
    }
}

#if FUZZING
    @_cdecl("LLVMFuzzerTestOneInput")
    public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        fuzzQuery(Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
    }
#endif
