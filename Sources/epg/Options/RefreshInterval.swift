import ArgumentParser

/// The time between two refreshes of a source: `6h`, `30m`, `1d`, or seconds.
struct RefreshInterval: ExpressibleByArgument, Hashable, Sendable {
    /// 1 second to 10 years.
    let seconds: Int64

    /// Reads an interval; `nil` where it is none or not within 10 years.
    init?(argument: String) {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        let unit = argument.last.flatMap { units[$0] }
        let digits = unit == nil ? argument[...] : argument.dropLast()
        guard let number = Int64(digits), (1...315_360_000).contains(number) else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: unit ?? 1)
        guard !overflow, product <= 315_360_000 else { return nil }
        seconds = product
    }
}
