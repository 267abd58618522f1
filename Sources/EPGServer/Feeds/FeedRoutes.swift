extension Route {
    /// What other programs import.
    static let feeds: [Route] = []
}
