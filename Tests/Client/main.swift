import EPGImport
import EPGModel
import EPGStore
import XMLTV

let now = Instant(secondsSince1970: 1_792_953_000)
let guide = GuideDatabase(path: "guide.sqlite")
let outcome = try guide.write { guide in
    let feed = try FileSource(path: "sample-data/evening.xml")
    return try GuideImporter(store: guide).importGuide(feed, as: Source(name: "feed"), now: now)
}
print("\(outcome.report.airingsStored) airings")
for station in try guide.read({ try $0.nowAndNext(at: now, inRows: 0..<3) }) {
    print(station.stationName, station.now.map(\.title), station.next?.title ?? "")
}
