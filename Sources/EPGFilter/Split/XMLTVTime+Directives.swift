import EPGCalendar
import EPGModel
import XMLTV

extension XMLTVTime {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    /// What stands for a directive of ``SplitTemplate``, of the time as it is written; empty for an unknown one.
    func text(of directive: Character) -> String {
        let local = LocalDateTime(secondsSince1970: localSeconds)
        let date = local.date
        let hour12 = (local.hour + 11) % 12 + 1
        let month = XMLTVTime.months[(date.month - 1) % 12]
        let weekday = XMLTVTime.weekdays[date.weekday.rawValue - 1]
        let day = XMLTVTime.padded(date.year, 4) + XMLTVTime.padded(date.month, 2) + XMLTVTime.padded(date.day, 2)
        switch directive {
        case "Y": return XMLTVTime.padded(date.year, 4)
        case "y": return XMLTVTime.padded(date.year % 100, 2)
        case "m": return XMLTVTime.padded(date.month, 2)
        case "d": return XMLTVTime.padded(date.day, 2)
        case "e": return XMLTVTime.padded(date.day, 2, with: " ")
        case "j": return XMLTVTime.padded(dayOfYear(date), 3)
        case "B": return month
        case "b", "h": return String(month.prefix(3))
        case "A": return weekday
        case "a": return String(weekday.prefix(3))
        case "u": return String(date.weekday.rawValue)
        case "H": return XMLTVTime.padded(local.hour, 2)
        case "k": return XMLTVTime.padded(local.hour, 2, with: " ")
        case "I": return XMLTVTime.padded(hour12, 2)
        case "p": return local.hour < 12 ? "AM" : "PM"
        case "M": return XMLTVTime.padded(local.minute, 2)
        case "S": return XMLTVTime.padded(local.second, 2)
        case "s": return String(secondsSince1970)
        case "z": return offsetText
        case "Q": return day
        case "q":
            return day + XMLTVTime.padded(local.hour, 2) + XMLTVTime.padded(local.minute, 2)
                + XMLTVTime.padded(local.second, 2)
        default: return ""
        }
    }

    /// From 1.
    private func dayOfYear(_ date: CivilDate) -> Int64 {
        guard let first = CivilDate(year: date.year, month: 1, day: 1) else { return 1 }
        return date.daysSince1970 - first.daysSince1970 + 1
    }

    /// `+0100`; `+0000` where no zone was written.
    private var offsetText: String {
        let minutes = (utcOffset ?? 0) / 60
        let size = minutes.magnitude
        return (minutes < 0 ? "-" : "+") + XMLTVTime.padded(size / 60, 2) + XMLTVTime.padded(size % 60, 2)
    }

    private static func padded(_ number: some BinaryInteger, _ width: Int, with filler: String = "0") -> String {
        let digits = String(number)
        return String(repeating: filler, count: max(0, width - digits.count)) + digits
    }
}
