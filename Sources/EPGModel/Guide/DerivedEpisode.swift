/// The episode that the texts of a programme state, if its feed has no number.
///
/// It is computed from the texts whenever it is needed and never stored, so that documents and exports remain what the feed said, and a
/// new form is recognized without another import (Rules.md, rule 21).
package struct DerivedEpisode: Hashable, Sendable {
    /// Season and episode; at least one of them is known.
    package let position: EpisodePosition
    /// The last episode of a range.
    package let last: Int?
    /// The text that states the episode, or, without one, the season.
    package let field: EpisodeText.Field
    /// The first title without the numbers, and without anything after them; empty if they are all that the title has.
    let series: String
    /// The first subtitle without the number.
    let subtitle: String

    /// A readable label such as `S3 E5`, or `E5–6` for a range.
    package var label: String {
        let label = position.label ?? ""
        return last.map { "\(label)–\($0)" } ?? label
    }

    /// Whether the numbers identify an episode: the title names the series, and the season is known or the number is beside the
    /// names. Without a season, `(1/2)` in a description is the first part of one of many stories of a series.
    var identifiesEpisode: Bool {
        position.episode.number != nil && !series.isEmpty && (position.season.number != nil || field != .description)
    }

    fileprivate init?(_ programme: Programme) {
        let published = programme.episodeNumbers.lazy.compactMap(\.publishedPosition)
        guard !published.contains(where: { $0.episode.number != nil }) else { return nil }
        let (title, subtitle) = (programme.titles.first, programme.subtitles.first)
        let inTitle = title.flatMap { EpisodeText($0.text, in: .title, language: $0.language) }
        let inSubtitle = subtitle.flatMap { EpisodeText($0.text, in: .subtitle, language: $0.language) }
        var found: [(field: EpisodeText.Field, text: EpisodeText)] = []
        if let inTitle { found.append((.title, inTitle)) }
        if let inSubtitle { found.append((.subtitle, inSubtitle)) }
        if !found.contains(where: { $0.text.episode != nil }), let description = programme.descriptions.first,
            let text = EpisodeText(description.text, in: .description, language: description.language)
        {
            found.append((.description, text))
        }
        guard let chosen = found.first(where: { $0.text.episode != nil }) ?? found.first else { return nil }
        let season =
            chosen.text.season ?? found.lazy.compactMap(\.text.season).first
            ?? published.compactMap(\.season.number).first
        position = EpisodePosition(
            season: EpisodePosition.Count(number: season),
            episode: EpisodePosition.Count(number: chosen.text.episode, total: chosen.text.total),
            part: EpisodePosition.Count())
        last = chosen.text.last
        field = chosen.field
        series = (title?.text ?? "").name(without: inTitle?.range)
        self.subtitle = (subtitle?.text ?? "").removing(inSubtitle?.range)
    }
}

extension Programme {
    /// The episode that the texts state; `nil` if they state none, or the feed has the number of an episode.
    package var derivedEpisode: DerivedEpisode? { DerivedEpisode(self) }
}

extension EpisodeNumber {
    /// Season, episode and part: ``position``, or the form `S01E02` in any system (Rules.md, rule 10).
    package var publishedPosition: EpisodePosition? { position ?? EpisodePosition(seasonAndEpisode: value) }
}

extension String {
    /// The text before a range of UTF-8 offsets if it has letters, else the text after it, without the punctuation between.
    fileprivate func name(without range: Range<Int>?) -> String {
        guard let range else { return trimmed }
        let before = Substring(self.utf8.prefix(range.lowerBound)).withoutPunctuationAtEnds
        if before.contains(where: \.isLetter) { return before }
        return Substring(self.utf8.dropFirst(range.upperBound)).withoutPunctuationAtEnds
    }

    fileprivate func removing(_ range: Range<Int>?) -> String {
        guard let range else { return trimmed }
        let parts = [self.utf8.prefix(range.lowerBound), self.utf8.dropFirst(range.upperBound)]
        return parts.map { Substring($0).withoutPunctuationAtEnds }.filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension Substring {
    fileprivate var withoutPunctuationAtEnds: String {
        let start = drop { $0.isWhitespace || $0.isPunctuation || $0.isSymbol }
        return start.lastIndex { !($0.isWhitespace || $0.isPunctuation || $0.isSymbol) }.map { String(start[...$0]) }
            ?? ""
    }
}
