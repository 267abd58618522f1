import EPGCalendar
import EPGModel
import XMLTV

/// Makes instants of the times of a source: its zone for those that name none, and its shift for all.
///
/// A class, so that a time is read without a copy of the zone.
final class TimeResolver: Sendable {
    private let zone: Zone?
    private let shift: Int64

    /// - Throws: `ZoneError` where the source's zone isn't known.
    init(_ source: Source) throws {
        if let name = source.timeZone { zone = try Zone(named: name) } else { zone = nil }
        shift = source.shift
    }

    /// An instant that needs no zone.
    func instant(_ instant: Instant) -> Instant { instant.advanced(by: shift) }

    func instant(_ time: XMLTVTime) -> Instant {
        if let zone, !time.hasZone {
            return zone.instant(ofLocalSeconds: time.localSeconds).advanced(by: shift)
        }
        return Instant(secondsSince1970: time.secondsSince1970).advanced(by: shift)
    }

    /// The instant of a stop: of a local time that is repeated, the first after the start.
    func stop(_ time: XMLTVTime, after start: Instant) -> Instant {
        let first = instant(time)
        guard let zone, !time.hasZone, first <= start else { return first }
        let local = LocalDateTime(secondsSince1970: time.localSeconds)
        let later = zone.instants(of: local).map { $0.advanced(by: shift) }.first { $0 > start }
        return later ?? first
    }

    /// Whether times differ from those that the source gives.
    var isShifting: Bool { shift != 0 }

    /// Shifts the attributes of a transmission that tell when it begins by signals in the broadcast: `pdc-start` and
    /// `vps-start`. Those that can't be read stay as they are.
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
