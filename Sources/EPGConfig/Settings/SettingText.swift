import EPGCalendar
import EPGModel
import Glibc
import XMLTV

/// Parses the text of settings. All functions return `nil` for invalid text.
enum SettingText {
    /// Accepts text that is not empty and has no control characters.
    static func text(_ text: String) -> String? {
        guard !text.isEmpty, !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            return nil
        }
        return text
    }

    /// Parses a decimal integer.
    static func number(_ text: String, in range: ClosedRange<Int>) -> Int? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let number = Int(text)
        else { return nil }
        return range.contains(number) ? number : nil
    }

    /// Parses a size in bytes: `1500`, `64 KiB`, `64 MiB`, `2GiB`.
    static func bytes(_ text: String, in range: ClosedRange<Int>) -> Int? {
        let units = ["": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40]
        return quantity(text, units, in: range)
    }

    /// Parses a duration: `500 ms`, `5 s`, `2 min`.
    static func duration(_ text: String, inMilliseconds range: ClosedRange<Int>) -> Duration? {
        quantity(text, ["ms": 1, "s": 1000, "min": 60_000], in: range).map { .milliseconds($0) }
    }

    /// Parses whole seconds: `900`, `90 s`, `15 min`, `2 h`.
    static func seconds(_ text: String, in range: ClosedRange<Int>) -> Int? {
        quantity(text, ["": 1, "s": 1, "min": 60, "h": 3600], in: range)
    }

    /// Parses days: `7`, `7 d`.
    static func days(_ text: String, in range: ClosedRange<Int>) -> Int? {
        quantity(text, ["": 1, "d": 1, "day": 1, "days": 1], in: range)
    }

    /// Parses a percentage from 0 to 100: `50`, `50%`.
    static func percentage(_ text: String) -> Int? { quantity(text, ["": 1, "%": 1], in: 0...100) }

    /// Parses a decimal integer with an optional sign.
    static func signedNumber(_ text: String, in range: ClosedRange<Int64>) -> Int64? {
        let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int64(text)
        else { return nil }
        return range.contains(number) ? number : nil
    }

    /// Parses a time shift of less than ten years: seconds, or `+HH:MM` and `-HH:MM`.
    static func shift(_ text: String) -> Int64? {
        let limit: Int64 = 10 * 366 * 86_400
        guard text.contains(":") else { return signedNumber(text, in: -limit...limit) }
        let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        guard text.hasPrefix("+") || text.hasPrefix("-"), parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }),
            let hours = number(String(parts[0]), in: 0...99), let minutes = number(String(parts[1]), in: 0...59)
        else { return nil }
        return Int64(hours * 3600 + minutes * 60) * (text.hasPrefix("-") ? -1 : 1)
    }

    /// Parses a Boolean: `true`, `false`, `yes` or `no`.
    static func boolean(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "yes": true
        case "false", "no": false
        default: nil
        }
    }

    /// Accepts an `http` or `https` URL with a host, without blanks and control characters.
    static func url(_ text: String) -> String? {
        guard let scheme = ["https://", "http://"].first(where: { text.lowercased().hasPrefix($0) }) else { return nil }
        let host = text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        let isClean = text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
        return isClean && !host.isEmpty && host.last != "@" ? text : nil
    }

    /// Returns whether a text is a valid header value (RFC 9110, 5.5): one line without control characters.
    static func isHeaderValue(_ value: String) -> Bool { text(value) != nil && value.utf8.count <= 16_384 }

    /// Returns whether a text is a valid name of an environment variable (POSIX.1-2024, Base Definitions, 8.1).
    static func isVariable(_ text: String) -> Bool {
        text.utf8.first.map { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
            && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "_") }
    }

    /// Parses an origin: `https://host` or `https://host:port`, or the same with `http`. Removes a trailing slash.
    static func origin(_ text: String) -> String? {
        let trimmed = text.hasSuffix("/") ? text.dropLast() : Substring(text)
        guard let scheme = ["https://", "http://"].first(where: { trimmed.hasPrefix($0) }) else { return nil }
        let host = trimmed.dropFirst(scheme.count)
        let isAllowed = host.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-.:[]".utf8.contains($0) }
        return !host.isEmpty && host.utf8.count <= 255 && isAllowed ? String(trimmed) : nil
    }

    /// Returns the name of a host in lowercase, or its IP address in the form of URLs (RFC 5952).
    ///
    /// Accepts no other notation of IPv4 addresses, such as `127.1` and `0x7f000001`.
    static func host(_ text: String) -> String? {
        var six = in6_addr()
        if inet_pton(AF_INET6, text, &six) == 1 {
            var bytes = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            guard inet_ntop(AF_INET6, &six, &bytes, socklen_t(bytes.count)) != nil else { return nil }
            return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        if isAddress(text) { return text }
        let name = (text.hasSuffix(".") ? text.dropLast() : text[...]).lowercased()
        let last = name.split(separator: ".").last ?? ""
        let isNumber = last.allSatisfy(\.isNumber) || last.hasPrefix("0x")
        let isName = name.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-._".utf8.contains($0) }
        return isName && !isNumber && !name.isEmpty ? name : nil
    }

    /// Returns whether a text is an IPv4 or IPv6 address.
    static func isAddress(_ text: String) -> Bool {
        var four = in_addr()
        var six = in6_addr()
        return inet_pton(AF_INET, text, &four) == 1 || inet_pton(AF_INET6, text, &six) == 1
    }

    /// Returns `one of a, b, c`.
    static func names<Value: RawRepresentable & CaseIterable>(of type: Value.Type) -> String
    where Value.RawValue == String {
        "one of " + type.allCases.map(\.rawValue).joined(separator: ", ")
    }

    /// Parses digits and a unit, with optional blanks between them.
    ///
    /// - Parameter units: The factor of each unit.
    private static func quantity(_ text: String, _ units: [String: Int], in range: ClosedRange<Int>) -> Int? {
        let digits = text.prefix { ("0"..."9").contains($0) }
        guard let number = Int(digits), let factor = units[String(text.dropFirst(digits.count).drop { $0 == " " })]
        else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: factor)
        return !overflow && range.contains(product) ? product : nil
    }

    // MARK: - Names

    /// Returns the reason that the name of a time zone is invalid; `nil` if it is valid. So do the functions below.
    static func problem(ofZone name: String) -> String? {
        do throws(ZoneError) {
            _ = try Zone(named: name)
            return nil
        } catch {
            return "\(error)"
        }
    }

    static func problem(ofEncoding name: String) -> String? {
        EncodingNames.canonical(name) == nil
            ? "unknown encoding “\(name.prefix(64))”; examples: \(EncodingNames.examples)" : nil
    }

    static func problem(ofSchedule text: String) -> String? {
        do throws(CronError) {
            return try CronExpression(text).isSatisfiable ? nil : "“\(text.prefix(80))” never matches a date"
        } catch {
            return "\(error)"
        }
    }
}
