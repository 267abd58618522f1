extension Route {
    /// All addresses of the service that answer from the guide.
    static let all: [Route] = api + live + feeds + pages
}
