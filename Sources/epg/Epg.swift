import ArgumentParser

@main
struct Epg: ParsableCommand {}
