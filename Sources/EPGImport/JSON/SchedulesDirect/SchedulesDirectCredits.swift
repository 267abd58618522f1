import EPGJSON
import EPGModel

/// The people of a program, by what they did.
enum SchedulesDirectCredits {
    /// What a role contains, and the element for it; the first that fits counts.
    ///
    /// The order is that of `tv_grab_zz_sdjson`, but that guest stars, whose characters are known, are actors (the DTD's
    /// `guest="yes"`), and that there is a place for composers, editors and commentators.
    private static let roles: [(part: String, element: String)] = [
        ("guest star", "actor"), ("casting", ""), ("photography", ""), ("art dir", ""), ("director", "director"),
        ("actor", "actor"), ("voice", "actor"),
        ("writer", "writer"), ("screenplay", "writer"), ("adapt", "adapter"), ("producer", "producer"),
        ("music", "composer"), ("composer", "composer"), ("editor", "editor"), ("commentator", "commentator"),
        ("narrator", "presenter"), ("presenter", "presenter"), ("host", "presenter"), ("anchor", "presenter"),
        ("guest", "guest"), ("contestant", "guest"),
    ]

    /// Appends `<credits>`; people whose role has no element in XMLTV are left out.
    static func append(_ program: JSONNode, to nodes: inout [ContentNode]) {
        var people: [ContentNode] = []
        for key in ["cast", "crew"] {
            for person in program[key]?.elements ?? .none(program) {
                let role = person["role"]?.text?.lowercased() ?? ""
                guard let element = roles.first(where: { role.hasBytes(of: $0.part) })?.element, !element.isEmpty else {
                    continue
                }
                people.append(
                    element, person["name"]?.text,
                    ("role", element == "actor" ? person["characterName"]?.text : nil),
                    ("guest", role.hasBytes(of: "guest star") ? "yes" : nil))
            }
        }
        if !people.isEmpty { nodes.append(element: "credits", children: people) }
    }
}

extension JSONElements {
    /// No elements.
    static func none(_ node: JSONNode) -> JSONElements { JSONElements(node.record, 0..<0) }
}

extension JSONMembers {
    /// No members.
    static func none(_ node: JSONNode) -> JSONMembers { JSONMembers(node.record, 0..<0) }
}
