import XMLTV

/// A piece of a guide, tidied.
enum GuideRecord {
    /// The attributes of `<tv>`.
    case guide([XMLTVElement.Attribute])
    /// A channel that has an identifier.
    case channel(XMLTVElement)
    /// A programme that has a start and a channel.
    case programme(XMLTVElement)
}
