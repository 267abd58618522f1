extension XMLTVTime {
    /// `20260329003000 +0000`: the form that every reader understands.
    ///
    /// - Parameter seconds: Seconds since 1970-01-01T00:00:00Z.
    /// - Returns: `nil` outside the years 0000…9999, which four digits can't hold.
    public static func format(secondsSince1970 seconds: Int64) -> String? {
        // 0000-01-01T00:00:00Z up to 9999-12-31T23:59:59Z.
        guard (-62_167_219_200...253_402_300_799).contains(seconds) else { return nil }
        let sinceYear0 = Int(seconds) + 62_167_219_200
        let (days, second) = sinceYear0.quotientAndRemainder(dividingBy: 86_400)

        // Days from 0000-03-01 of the calendar, moved 400 years on; see daysSince1970(year:month:day:).
        let fromMarch = days - 60 + 146_097
        let (era, dayOfEra) = fromMarch.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = (era - 1) * 400 + yearOfEra + (month <= 2 ? 1 : 0)

        let number =
            ((year * 100 + month) * 100 + day) * 1_000_000
            + (second / 3600 * 100 + second / 60 % 60) * 100 + second % 60
        let digits = String(number)
        return String(repeating: "0", count: 14 - digits.utf8.count) + digits + " +0000"
    }
}
