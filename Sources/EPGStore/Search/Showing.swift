/// That an airing shows a programme.
struct Showing: Sendable {
    let programme: Int64
    let airing: Int64
}
