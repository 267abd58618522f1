/// What text is written to: how wide it is, and whether it shows colors.
package struct Terminal: Sendable {
    /// The columns of the terminal; `nil` for a file or a pipe, which have no edge.
    package let columns: Int?
    package let usesColours: Bool

    package init(columns: Int?, usesColours: Bool) {
        self.columns = columns
        self.usesColours = usesColours
    }

    /// The style of grids.
    package var gridStyle: TextGrid.Style { usesColours ? .ansi : .plain }
}
