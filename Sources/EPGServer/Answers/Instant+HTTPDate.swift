import EPGCalendar
import EPGModel

extension Instant {
    /// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
    var httpDate: String {
        let (days, second) = secondsSince1970.quotientAndRemainderFloored(dividingBy: 86_400)
        let date = CivilDate(daysSince1970: days)
        let weekday = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][
            Int((days + 4).quotientAndRemainderFloored(dividingBy: 7).remainder)]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let time = [second / 3600, second / 60 % 60, second % 60].map(\.paddedToTwo).joined(separator: ":")
        // A year of fewer digits would be read as one of this century or the last.
        let year = String(date.year)
        let padding = String(repeating: "0", count: max(0, 4 - year.utf8.count))
        return "\(weekday), \(Int64(date.day).paddedToTwo) \(months[date.month - 1]) \(padding)\(year) \(time) GMT"
    }
}
