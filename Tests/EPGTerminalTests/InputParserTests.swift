import EPGTerminal
import TestSupport
import Testing

/// Tests with terminal input according to xterm's "Control Sequences", ECMA-48 and the kitty graphics protocol.
@Suite struct InputParserTests {
    private static func key(_ key: KeyPress.Key, _ modifiers: KeyPress.Modifiers = []) -> TerminalEvent {
        .key(KeyPress(key, modifiers))
    }

    private static func text(_ string: String) -> [TerminalEvent] {
        string.unicodeScalars.map { key(.character(Character($0))) }
    }

    private func events(of input: String) -> [TerminalEvent] {
        var parser = InputParser()
        return parser.parse(input.utf8) + parser.timeOut()
    }

    @Test(arguments: [
        ("\u{1B}[A", key(.up)), ("\u{1B}OB", key(.down)), ("\u{1B}[C", key(.right)), ("\u{1B}OD", key(.left)),
        ("\u{1B}[H", key(.home)), ("\u{1B}OF", key(.end)), ("\u{1B}[1~", key(.home)), ("\u{1B}[4~", key(.end)),
        ("\u{1B}[7~", key(.home)), ("\u{1B}[8~", key(.end)), ("\u{1B}[5~", key(.pageUp)), ("\u{1B}[6~", key(.pageDown)),
        ("\u{1B}[2~", key(.insert)), ("\u{1B}[3~", key(.delete)), ("\u{1B}[Z", key(.backTab)), ("\t", key(.tab)),
        ("\r", key(.enter)), ("\n", key(.enter)), ("\u{1B}OM", key(.enter)), ("\u{7F}", key(.backspace)),
        ("\u{8}", key(.backspace)), ("\u{1B}", key(.escape)), ("\u{0}", key(.character(" "), .control)),
        ("\u{3}", key(.character("c"), .control)), ("\u{1A}", key(.character("z"), .control)),
        ("\u{1C}", key(.character("\\"), .control)), ("\u{1F}", key(.character("_"), .control)),
    ])
    func allFormsOfAKeyAreTheSameEvent(_ input: String, _ event: TerminalEvent) {
        #expect(events(of: input) == [event])
    }

    @Test(arguments: [
        ("\u{1B}OP", 1), ("\u{1B}[11~", 1), ("\u{1B}[[A", 1), ("\u{1B}OS", 4), ("\u{1B}[[E", 5), ("\u{1B}[15~", 5),
        ("\u{1B}[17~", 6), ("\u{1B}[21~", 10), ("\u{1B}[23~", 11), ("\u{1B}[24~", 12),
    ])
    func functionKeysOfXtermAndTheLinuxConsoleAreRecognized(_ input: String, _ number: Int) {
        #expect(events(of: input) == [Self.key(.function(number))])
    }

    @Test(arguments: [
        ("\u{1B}[1;2A", key(.up, .shift)), ("\u{1B}[1;3B", key(.down, .alt)), ("\u{1B}[1;5C", key(.right, .control)),
        ("\u{1B}[1;8D", key(.left, [.shift, .alt, .control])), ("\u{1B}[5;5~", key(.pageUp, .control)),
        ("\u{1B}[1;6P", key(.function(1), [.shift, .control])), ("\u{1B}[24;2~", key(.function(12), .shift)),
        ("\u{1B}x", key(.character("x"), .alt)), ("\u{1B}\r", key(.enter, .alt)),
        ("\u{1B}é", key(.character("é"), .alt)), ("\u{1B}\u{1}", key(.character("a"), [.alt, .control])),
    ])
    func xtermModifiersAreRecognized(_ input: String, _ event: TerminalEvent) {
        #expect(events(of: input) == [event])
    }

    @Test(arguments: [
        ("\u{1B}[<0;1;1M", MouseEvent(.press(.left), at: Screen.Position(column: 0, row: 0))),
        ("\u{1B}[<0;80;24m", MouseEvent(.release(.left), at: Screen.Position(column: 79, row: 23))),
        ("\u{1B}[<1;3;4M", MouseEvent(.press(.middle), at: Screen.Position(column: 2, row: 3))),
        ("\u{1B}[<2;3;4M", MouseEvent(.press(.right), at: Screen.Position(column: 2, row: 3))),
        ("\u{1B}[<32;3;4M", MouseEvent(.drag, at: Screen.Position(column: 2, row: 3))),
        ("\u{1B}[<64;300;4M", MouseEvent(.wheel(.up), at: Screen.Position(column: 299, row: 3))),
        ("\u{1B}[<65;3;4M", MouseEvent(.wheel(.down), at: Screen.Position(column: 2, row: 3))),
        ("\u{1B}[<66;3;4M", MouseEvent(.wheel(.left), at: Screen.Position(column: 2, row: 3))),
        ("\u{1B}[<67;3;4M", MouseEvent(.wheel(.right), at: Screen.Position(column: 2, row: 3))),
        ("\u{1B}[<69;3;4M", MouseEvent(.wheel(.down), at: Screen.Position(column: 2, row: 3), .shift)),
        (
            "\u{1B}[<24;3;4M",
            MouseEvent(.press(.left), at: Screen.Position(column: 2, row: 3), [.alt, .control])
        ),
    ])
    func mouseReportsOfMode1006AreRecognized(_ input: String, _ event: MouseEvent) {
        #expect(events(of: input) == [.mouse(event)])
    }

    @Test(arguments: [
        ("\u{1B}[?62;4;22c", TerminalEvent.reply(.deviceAttributes([62, 4, 22]))),
        ("\u{1B}[?6c", .reply(.deviceAttributes([6]))), ("\u{1B}[?2026;2$y", .reply(.mode(2026, .reset))),
        ("\u{1B}[?2026;0$y", .reply(.mode(2026, .unknown))),
        ("\u{1B}_Gi=31;OK\u{1B}\\", .reply(.graphics(id: 31, isOK: true))),
        ("\u{1B}_Gi=31,p=2;ENOENT:no such image\u{1B}\\", .reply(.graphics(id: 31, isOK: false))),
        ("\u{1B}[I", .focusGained), ("\u{1B}[O", .focusLost),
    ])
    func repliesAndFocusChangesAreRecognized(_ input: String, _ event: TerminalEvent) {
        #expect(events(of: input) == [event])
    }

    @Test func eachScalarIsACharacterEvent() {
        #expect(events(of: "aÉ新👩‍🔬e\u{301}ن") == Self.text("aÉ新👩‍🔬e\u{301}ن"))
    }

    /// Complete sequences.
    private static let sequences = [
        "\u{1B}[A", "\u{1B}OP", "\u{1B}[1;5C", "\u{1B}[[A", "\u{1B}[<0;10;20M", "\u{1B}[200~ab\u{1B}c\u{1B}[201~",
        "\u{1B}_Gi=1;OK\u{1B}\\", "\u{1B}[?2026;1$y", "新", "👩", "é", "\u{1B}]11;rgb:0/0/0\u{7}",
        "\u{1B}P1$r0m\u{1B}\\", "\u{1B}[M !!", "\u{1B}x",
    ]

    @Test(arguments: sequences)
    func splitInputResultsInTheSameEvents(_ sequence: String) {
        let input = Array((sequence + "j").utf8)
        var whole = InputParser()
        let expected = whole.parse(input)
        #expect((expected.last, whole.timeout) == (Self.key(.character("j")), nil))
        for cut in 1..<input.count {
            var parser = InputParser()
            let events = parser.parse(input[..<cut]) + parser.parse(input[cut...])
            #expect(events == expected, "cut after \(cut) bytes")
        }
    }

    @Test(arguments: [
        "\u{1B}]0;title\u{7}", "\u{1B}]11;rgb:ffff/0000/0000\u{1B}\\", "\u{1B}P>|xterm(388)\u{1B}\\", "\u{1B}[24;80R",
        "\u{1B}[>41;388;0c", "\u{1B}[8;24;80t", "\u{1B}[M !!", "\u{1B}[<35;3;4M", "\u{1B}[<128;3;4M", "\u{1B}[<0;0;0M",
        "\u{1B}[<0;5M", "\u{1B}[99~", "\u{1B}[~", "\u{1B}[1:2:3u", "\u{1B}[!p", "\u{1B}Oz", "\u{1B}_Gi=1\u{1B}\\",
        "\u{1B}_G;OK\u{1B}\\",
    ])
    func unknownSequenceIsSkippedCompletely(_ sequence: String) {
        #expect(events(of: sequence + "j") == Self.text("j"))
    }

    @Test(arguments: ["\u{1B}[", "\u{1B}[12;", "\u{1B}O", "\u{1B}]0;ti", "\u{1B}P", "\u{1B}_Gi"])
    func truncatedSequenceEndsAtTheNextEscapeOrTimeout(_ beginning: String) {
        #expect(events(of: beginning + "\u{1B}[A") == [Self.key(.up)])
        expectTimeout(InputParser(), after: beginning, of: .seconds(1), events: [])
    }

    @Test func escapeAloneIsAKeyAfterTheDelay() {
        let parser = InputParser(escapeDelay: .milliseconds(20))
        #expect(parser.timeout == nil)
        expectTimeout(parser, after: "\u{1B}", of: .milliseconds(20), events: [Self.key(.escape)])
    }

    /// Expects input to wait, the events after the timeout, and that the parser reads the next key.
    private func expectTimeout(
        _ parser: InputParser, after input: String, of timeout: Duration, events: [TerminalEvent],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var parser = parser
        let before = parser.parse(input.utf8)
        #expect((before, parser.timeout) == ([], timeout), sourceLocation: sourceLocation)
        let after = parser.timeOut()
        #expect((after, parser.timeout) == (events, nil), sourceLocation: sourceLocation)
        #expect(parser.parse("j".utf8) == Self.text("j"), sourceLocation: sourceLocation)
    }

    @Test func doubleEscapeIsTheEscapeKeyTwice() {
        let found = [events(of: "\u{1B}\u{1B}"), events(of: "\u{1B}\u{1B}[A")]
        #expect(found == [[Self.key(.escape), Self.key(.escape)], [Self.key(.escape), Self.key(.up)]])
    }

    /// A paste is one event with any content. It is truncated at its limit and ends at the timeout.
    @Test(arguments: [
        ("q\r\n\u{1B}[A\u{1B}[201\u{3}新\u{1B}[201~j", "q\r\n\u{1B}[A\u{1B}[201\u{3}新", "j"),
        ("\u{1B}\u{1B}[201~", "\u{1B}", ""), ("abc", "abc", ""),
    ])
    func pasteIsOneEvent(_ input: String, _ pasted: String, _ rest: String) {
        #expect(events(of: "\u{1B}[200~" + input) == [.paste(pasted)] + Self.text(rest))
    }

    @Test func pasteIsTruncatedAtItsLimit() {
        let long = String(repeating: "x", count: 100_000)
        let kept = String(repeating: "x", count: InputParser.pasteLimit)
        #expect(events(of: "\u{1B}[200~\(long)\u{1B}[201~j") == [.paste(kept)] + Self.text("j"))
    }

    @Test(
        arguments: [
            [0xFF], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80],
            [0xC2, 0x9B],
            [0xC3], [0xE6, 0x96], [0xF5],
        ] as [[UInt8]])
    func invalidUTF8IsIgnored(_ bytes: [UInt8]) {
        var parser = InputParser()
        #expect(parser.parse(bytes + Array("j".utf8)) == Self.text("j"))
    }

    @Test func endlessSequenceEndsAtTheTimeout() {
        for introducer in ["\u{1B}[", "\u{1B}[?", "\u{1B}]", "\u{1B}_G", "\u{1B}P", "\u{1B}[200~"] {
            var parser = InputParser()
            _ = parser.parse(introducer.utf8)
            // More than the limits of texts and pastes.
            for _ in 0..<200 { _ = parser.parse(repeatElement(0x31, count: 1000)) }
            _ = parser.timeOut()
            #expect(parser.parse("j".utf8) == Self.text("j"))
        }
    }

    @Test func numbersAreLimitedTo65535() {
        let digits = String(repeating: "9", count: 100)
        #expect(
            events(of: "\u{1B}[<0;\(digits);\(digits)M") == [
                .mouse(MouseEvent(.press(.left), at: Screen.Position(column: 65_534, row: 65_534)))
            ])
    }

    /// Bytes that are frequent in sequences.
    private static let alphabet = Array("\u{1B}\u{1B}\u{1B}[[O]P_^<?;;:0123456789$~MmABcuyIGi=\\\u{7}\r\u{3}x".utf8)

    @Test func parserRecoversFromAnyBytes() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<TestScope.cases(2000) {
            let bytes = (0..<60).map { _ in
                Bool.random(using: &random)
                    ? UInt8.random(in: 0...255, using: &random) : Self.alphabet.randomElement(using: &random) ?? 0
            }
            var (parser, split) = (InputParser(), InputParser())
            let whole = parser.parse(bytes)
            let bySingleBytes = bytes.flatMap { split.parse([$0]) }
            _ = parser.timeOut()
            let next = parser.parse("j".utf8)
            #expect((bySingleBytes, next) == (whole, Self.text("j")), "\(bytes)")
        }
    }
}
