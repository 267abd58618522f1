/// The colours of a picture of the guide; text stands out from each background by at least 4.5 : 1 (WCAG 2.2, 1.4.3).
package struct SVGTheme: Sendable {
    /// Behind everything. All colours are `#rrggbb`.
    package let background: String
    /// An airing without a genre.
    package let cell: String
    /// A stretch of which nothing is known.
    package let gap: String
    /// Station column, headers and corner.
    package let pinned: String
    /// Titles and names.
    package let text: String
    /// Times and other text that stands back.
    package let dimText: String
    /// Lines between rows, hours and days.
    package let rule: String
    /// The line at now.
    package let now: String
    private let tints: [Genre: String]

    /// Dark text on bright grounds.
    package static let light = SVGTheme(
        background: "#eceef1", cell: "#ffffff", gap: "#f4f5f7", pinned: "#f8f9fa", text: "#17191c",
        dimText: "#555b66", rule: "#d5d9df", now: "#d3302f",
        tints: [
            .news: "#dbe8fb", .sport: "#d9f0dd", .children: "#fde9d0", .documentary: "#d5eff0", .music: "#f9dcec",
            .film: "#eadff8", .series: "#e0e2fa", .entertainment: "#f6eec8",
        ])

    /// Bright text on dark grounds.
    package static let dark = SVGTheme(
        background: "#0e1013", cell: "#20242b", gap: "#16191e", pinned: "#181b20", text: "#eceef1",
        dimText: "#a3abb8", rule: "#343a44", now: "#ff6b5e",
        tints: [
            .news: "#1d3554", .sport: "#1c3f28", .children: "#4d3517", .documentary: "#163f44", .music: "#4c2140",
            .film: "#372552", .series: "#2b2f5c", .entertainment: "#443c14",
        ])

    /// The fill of a cell, by what is on.
    func fill(of genre: Genre?) -> String {
        genre.flatMap { tints[$0] } ?? cell
    }
}
