extension Route {
    /// What people look at.
    static let pages: [Route] = []
}
