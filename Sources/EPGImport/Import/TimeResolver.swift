import EPGCalendar
import EPGModel
import XMLTV

/// Conversion of a source's times to instants: applies its default zone to times without a zone, and its shift to all.
///
/// A class, so that reading a time doesn't copy the zone.
final class TimeResolver: Sendable {
    private let zone: Zone?
    private let shift: Int64

    /// - Throws: `ZoneError` if the source's zone is unknown.
    init(_ source: Source) throws {
        if let name = source.timeZone { zone = try Zone(named: name) } else { zone = nil }
        shift = source.shift
    }

    /// Returns an instant that needs no zone, shifted.
    func instant(_ instant: Instant) -> Instant { instant.advanced(by: shift) }

    func instant(_ time: XMLTVTime) -> Instant {
        if let zone, !time.hasZone {
            return zone.instant(ofLocalSeconds: time.localSeconds).advanced(by: shift)
        }
        return Instant(secondsSince1970: time.secondsSince1970).advanced(by: shift)
    }

    /// Returns the instant of a stop: for a repeated local time, the first one after the start.
    func stop(_ time: XMLTVTime, after start: Instant) -> Instant {
        let first = instant(time)
        guard let zone, !time.hasZone, first <= start else { return first }
        let local = LocalDateTime(secondsSince1970: time.localSeconds)
        let later = zone.instants(of: local).map { $0.advanced(by: shift) }.first { $0 > start }
        return later ?? first
    }

    /// Whether the source has a shift.
    private var isShifting: Bool { shift != 0 }

    /// Shifts the attributes of a transmission that identify its start in broadcast signals: `pdc-start` and
    /// `vps-start`. Leaves malformed values unchanged.
    func shifted(_ attributes: [ContentAttribute]) -> [ContentAttribute] {
        guard isShifting else { return attributes }
        return attributes.map { attribute in
            guard attribute.name == "pdc-start" || attribute.name == "vps-start",
                case .success(let time) = Result(catching: { () throws(XMLTVTimeError) in
                    try XMLTVTime(parsing: Array(attribute.value.utf8).span)
                }), let value = XMLTVTime.format(secondsSince1970: instant(time).secondsSince1970)
            else { return attribute }
            return ContentAttribute(name: attribute.name, value: value)
        }
    }
}

extension Instant {
    /// Parses an ISO 8601 time. A time without a zone is in UTC. Fails if it has no time of day.
    init?(iso8601 text: String) {
        do throws(XMLTVTimeError) {
            let time = try XMLTVTime(text)
            guard time.precision >= .hour else { return nil }
            self.init(secondsSince1970: time.secondsSince1970)
        } catch {
            // The caller reports the invalid time.
            return nil
        }
    }
}
