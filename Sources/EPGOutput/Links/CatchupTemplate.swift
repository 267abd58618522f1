package import EPGCalendar
package import EPGModel

/// A URL template for past and current airings of a channel, from the attributes of a playlist.
///
/// Playlists follow the rules of Kodi's add-on pvr.iptvsimple (README, “Catchup”, “Catchup format specifiers” and “M3U
/// format elements”, https://github.com/kodi-pvr/pvr.iptvsimple):
///
/// * `catchup` (or `catchup-type`) is the mode, `catchup-source` the template of `default`, `append` and `vod`,
///   `catchup-days` the number of days for which an airing is available, and `catchup-correction` a correction of its time
///   in hours. Attributes of the list (`#EXTM3U`) apply to channels that lack them.
/// * `default`: the source is the URL. Without a source, there is no catch-up.
/// * `append`: the source follows the URL of the stream.
/// * `shift`, `timeshift`: the query `utc={utc}&lutc={lutc}` follows the URL of the stream. A channel without a mode, but
///   with `timeshift` or `tvg-rec` above 0, has this mode; the value is the number of days.
/// * `flussonic`, `flussonic-hls`, `flussonic-ts`, `fs`, and `xc` (Xtream Codes) derive the URL from the URL of the stream.
/// * `vod`: the source, or without one the attribute `catchup-id` of the airing, is the URL. Without `catchup-days`, it is
///   available at any time.
package struct CatchupTemplate: Hashable, Sendable {
    /// A URL with placeholders.
    private let text: String
    /// The number of days after its start for which an airing is available, at most 36,500; `nil` for no limit.
    package let days: Int?
    /// The seconds to subtract from the time of the airing, as the add-on does.
    private let correction: Int

    /// The number of days if the playlist gives none: the add-on's default.
    package static let defaultDays = 3

    /// Creates the template of a channel; `nil` if it has no catch-up, its mode is unknown, or the URL of its stream does
    /// not fit the mode.
    package init?(_ channel: Channel, in lineup: Lineup) {
        func attribute(_ names: String...) -> String? {
            for attributes in [channel.attributes, lineup.attributes] {
                for name in names {
                    if let value = attributes.first(where: { $0.name == name })?.value.trimmed, !value.isEmpty {
                        return value
                    }
                }
            }
            return nil
        }
        // Player options follow the URL of a stream after a vertical bar.
        let stream = channel.url.prefix { $0 != "|" }
        let source = attribute("catchup-source").map { String($0.prefix { $0 != "|" }) }
        let recorded = ["timeshift", "tvg-rec"].lazy.compactMap { channel[attribute: $0].flatMap { Int($0.trimmed) } }
            .first {
                $0 > 0
            }
        let mode = attribute("catchup", "catchup-type")?.lowercased() ?? (recorded == nil ? nil : "shift")
        let template: String? =
            switch mode {
            case "default": source
            case "append": source.map { "\(stream)\($0)" }
            case "shift", "timeshift": "\(stream)\(stream.contains("?") ? "&" : "?")utc={utc}&lutc={lutc}"
            case "flussonic", "flussonic-hls", "flussonic-ts", "fs": CatchupTemplate.flussonic(stream)
            case "xc": CatchupTemplate.xtreamCodes(stream)
            case "vod": source ?? "{catchup-id}"
            default: nil
            }
        guard let template else { return nil }
        text = template
        let given = attribute("catchup-days").flatMap { Int($0) }.flatMap { $0 > 0 ? min($0, 36_500) : nil }
        days = given ?? (mode == "vod" ? nil : recorded.map { min($0, 36_500) } ?? CatchupTemplate.defaultDays)
        correction = channel.seconds(inHoursOf: "catchup-correction", in: lineup)
    }

    /// `http://host/channel/mpegts?token=x` becomes `http://host/channel/timeshift_abs-${start}.ts?token=x`, `…/index.m3u8`
    /// becomes `…/timeshift_rel-{offset:1}.m3u8`, and `…/mono.m3u8` becomes `…/mono-timeshift_rel-{offset:1}.m3u8`.
    private static func flussonic(_ stream: Substring) -> String? {
        let query = stream.firstIndex(of: "?").map { stream[$0...] } ?? ""
        let path = stream.dropLast(query.count)
        guard let slash = path.lastIndex(of: "/"), path.split(separator: "/").count >= 4 else { return nil }
        let (folder, file) = (path[...slash], path[path.index(after: slash)...])
        if file.hasSuffix("mpegts") { return "\(folder)timeshift_abs-${start}.ts\(query)" }
        guard file.hasSuffix(".m3u8") else { return nil }
        let name = file == "index.m3u8" ? "" : file.dropLast(5) + "-"
        return "\(folder)\(name)timeshift_rel-{offset:1}.m3u8\(query)"
    }

    /// `http://host/user/password/1477`, with or without `live/` before the user and `.ts` or `.m3u8` at the end, becomes
    /// `http://host/timeshift/user/password/{duration:60}/{Y}-{m}-{d}:{H}-{M}/1477.ts` (or `.m3u8`).
    private static func xtreamCodes(_ stream: Substring) -> String? {
        var parts = stream.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 6, parts[1].isEmpty, !stream.contains("?") else { return nil }
        if parts.count == 7, parts[3] == "live" { parts.remove(at: 3) }
        let file = parts[5].split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[3...].allSatisfy({ !$0.isEmpty }), file.count <= 2,
            file.count == 1 || ["ts", "m3u8", "m3u"].contains(file[1])
        else { return nil }
        let origin = parts[..<3].joined(separator: "/")
        let ending = file.count == 1 ? "ts" : file[1]
        return "\(origin)/timeshift/\(parts[3])/\(parts[4])/{duration:60}/{Y}-{m}-{d}:{H}-{M}/\(file[0]).\(ending)"
    }

    /// Returns the URL of an airing; `nil` unless the airing is available and ``HTTPURL`` accepts the URL.
    ///
    /// An airing is available from its start until ``days`` after it. A current airing counts as ending now, so that
    /// players do not request what has not been transmitted yet.
    ///
    /// - Parameters:
    ///   - window: The time of the airing in the guide, which is the source's.
    ///   - delay: The seconds by which the channel transmits later than the guide's times (`tvg-shift`).
    ///   - id: The attribute `catchup-id` of the airing, without which templates that contain it have no URL.
    ///   - zone: The zone of local times in the URL.
    package func url(of window: TimeWindow, delayedBy delay: Int = 0, id: String?, at now: Instant, in zone: Zone)
        -> HTTPURL?
    {
        let start = window.start.advanced(by: Int64(delay))
        if let days {
            guard start < now, start.seconds(to: now) <= Int64(days) * 86_400 else { return nil }
        }
        if text.contains("{catchup-id}"), id?.isEmpty ?? true { return nil }
        let length = start < now ? min(window.seconds, start.seconds(to: now)) : window.seconds
        let begin = window.start.advanced(by: -Int64(correction))
        let times = PlaceholderTimes(start: begin, end: begin.advanced(by: length), now: now, zone: zone)
        return HTTPURL(times.filled(text).replacing("{catchup-id}", with: id ?? ""))
    }

    /// Returns the URL of a channel's live stream with the placeholders of the current time filled; `nil` if
    /// ``HTTPURL`` rejects it.
    package static func liveURL(of channel: Channel, at now: Instant, in zone: Zone) -> HTTPURL? {
        let stream = String(channel.url.prefix { $0 != "|" })
        return HTTPURL(PlaceholderTimes(start: nil, end: nil, now: now, zone: zone).filled(stream))
    }
}

/// The values of the placeholders in a URL.
private struct PlaceholderTimes {
    /// `nil` for a live stream, whose placeholders for the airing are not replaced.
    let start: Instant?
    /// `nil` for a live stream.
    let end: Instant?
    let now: Instant
    let zone: Zone

    /// Returns the text with all known placeholders replaced.
    func filled(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let brace = rest.firstIndex(of: "{") {
            guard let close = rest[brace...].firstIndex(of: "}") else { break }
            let content = rest[rest.index(after: brace)..<close]
            var head = rest[..<brace]
            let hasDollar = head.last == "$"
            if let value = value(of: content, hasDollar: hasDollar) {
                if hasDollar { head.removeLast() }
                result += head + value
            } else {
                result += rest[...close]
            }
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }

    /// Returns the value of a placeholder such as `utc`, `utc:YmdHM` or `duration:60`; `nil` if it is unknown.
    private func value(of content: Substring, hasDollar: Bool) -> String? {
        let parts = content.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let (name, argument) = (parts[0], parts.count > 1 ? parts[1] : nil)
        switch (name, hasDollar) {
        case ("utc", false), ("start", true): return start.flatMap { text(of: $0, argument) }
        case ("utcend", false), ("end", true): return end.flatMap { text(of: $0, argument) }
        case ("lutc", false), ("now", true), ("timestamp", true): return text(of: now, argument)
        case ("duration", _):
            guard let start, let end else { return nil }
            return quotient(of: start.seconds(to: end), argument)
        case ("offset", _): return start.flatMap { quotient(of: max(0, $0.seconds(to: now)), argument) }
        case (_, false) where content.count == 1:
            return start.flatMap { start in content.first.flatMap { digits($0, of: start) } }
        default: return nil
        }
    }

    /// Returns seconds since 1970, or local time in a format of `Y`, `m`, `d`, `H`, `M`, `S` and other characters.
    private func text(of instant: Instant, _ format: Substring?) -> String {
        guard let format else { return String(instant.secondsSince1970) }
        return format.map { digits($0, of: instant) ?? String($0) }.joined()
    }

    /// Returns a number of seconds divided by `argument`; `nil` unless that is a positive integer.
    private func quotient(of seconds: Int64, _ argument: Substring?) -> String? {
        guard let argument else { return String(seconds) }
        guard let divisor = Int64(argument), divisor > 0 else { return nil }
        return String(seconds / divisor)
    }

    /// Returns a component of the local time, padded as in ISO 8601; `nil` for other letters.
    private func digits(_ letter: Character, of instant: Instant) -> String? {
        let local = zone.localDateTime(at: instant)
        let number: Int
        switch letter {
        case "Y":
            let year = String(local.date.year)
            return String(repeating: "0", count: max(0, 4 - year.count)) + year
        case "m": number = local.date.month
        case "d": number = local.date.day
        case "H": number = local.hour
        case "M": number = local.minute
        case "S": number = local.second
        default: return nil
        }
        return Int64(number).paddedToTwo
    }
}
