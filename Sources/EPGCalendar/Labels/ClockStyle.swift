/// How hours are written.
public enum ClockStyle: String, Hashable, Sendable, CaseIterable {
    /// `20:00`, from `00:00` to `23:59`.
    case twentyFourHours = "24"
    /// `8:00 PM`; midnight is `12:00 AM`, noon `12:00 PM`.
    case twelveHours = "12"

    /// A time of day as text.
    public func text(of time: LocalDateTime) -> String {
        switch self {
        case .twentyFourHours: "\(digits: time.hour):\(digits: time.minute)"
        case .twelveHours:
            "\((time.hour + 11) % 12 + 1):\(digits: time.minute) " + (time.hour < 12 ? "AM" : "PM")
        }
    }
}
