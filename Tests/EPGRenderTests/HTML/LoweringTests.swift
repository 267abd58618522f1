import TestSupport
import Testing

@testable import EPGRender

/// Tests of the syntax that televisions get. The browser test `televisions_need_only_chrome_79` checks complete files with esbuild.
@Suite struct LoweringTests {
    @Test(arguments: [
        ("a?.b;", "(a == null ? undefined : a.b);"),
        ("a?.b.c(d)[e];", "(a == null ? undefined : a.b.c(d)[e]);"),
        ("f()?.b;", "(($o = f()) == null ? undefined : $o.b);var $o;\n"),
        ("a?.b?.c;", "(a == null ? undefined : (($o = a.b) == null ? undefined : $o.c));var $o;\n"),
        ("a.b?.(c);", "(($o = a).b == null ? undefined : $o.b(c));var $o;\n"),
        ("f?.(c);", "(f == null ? undefined : f(c));"),
        ("a?.[0];", "(a == null ? undefined : a[0]);"),
        ("if (!a?.b) return;", "if (!(a == null ? undefined : a.b)) return;"),
        ("(await f())?.b;", "(($o = (await f())) == null ? undefined : $o.b);var $o;\n"),
        ("return a ?? b;", "return (a != null ? a : b);"),
        ("x = a.b ?? 'c';", "x = (($o = a.b) != null ? $o : 'c');var $o;\n"),
        ("x = a ?? b ?? c;", "x = (($o = (a != null ? a : b)) != null ? $o : c);var $o;\n"),
        ("f(a ?? b, c ? d : e ?? g);", "f((a != null ? a : b), c ? d : (e != null ? e : g));"),
        ("x = a + 1 ?? b;", "x = (($o = a + 1) != null ? $o : b);var $o;\n"),
        ("const f = () => a ?? b;", "const f = () => (a != null ? a : b);"),
        ("if (a) b.c ??= d();", "if (a) (b.c != null ? b.c : (b.c = d()));"),
        ("a ||= b; a &&= c;", "(a || (a = b)); (a && (a = c));"),
        ("`${a?.b} ?? ${`${c ?? d}`}`;", "`${(a == null ? undefined : a.b)} ?? ${`${(c != null ? c : d)}`}`;"),
        // Neither strings nor regular expressions nor conditional expressions contain operators.
        ("x = '?.' + /a??.[/]?./g.source; // ?? c\n", nil), ("x = a?.5:b;", nil), ("/* a?.b */ x = \"\\\"??\";", nil),
        ("const y = a / b / c;", nil),
    ])
    func newerOperatorsBecomeConditionalExpressions(script: String, expected: String?) {
        let lowered = ScriptLowering.lowered(Array(script.utf8))
        expectEqual(String(decoding: lowered, as: UTF8.self), expected ?? script)
    }

    @Test(arguments: [
        (".a :is(.b, i) u { color: red; }", [".a .b u, .a i u { color: red; }"]),
        (":is(.a, .b):is(.c, .d) { color: red; }", [".a.c, .a.d, .b.c, .b.d { color: red; }"]),
        (".a:is(b) { color: red; }", ["b.a { color: red; }"]),
        ("a:not(.b, .c) { color: red; }", ["a:not(.b):not(.c) { color: red; }"]),
        ("a:focus-visible, a:has(b) { color: red; }", ["a:focus { color: red; }"]),
        (
            "a { inset: 0 1px; padding-inline: 2px; margin-block: 3px 4px; }",
            [
                "a { top: 0; right: 1px; bottom: 0; left: 1px; "
                    + "padding-inline-start: 2px; padding-inline-end: 2px; margin-block-start: 3px; margin-block-end: 4px; }"
            ]
        ),
        ("a { inset-inline-start: 1px; }", ["a { left: 1px; }", "[dir=rtl] a { right: 1px; left: auto; }"]),
        ("[dir=rtl] a { inset-inline-start: 1px; }", ["[dir=rtl] a { right: 1px; left: auto; }"]),
        (".js a { inset-inline-end: 1px; }", [".js a { right: 1px; }", "[dir=rtl].js a { left: 1px; right: auto; }"]),
        (".f { display: flex; gap: 1px 2px; }", [".f { display: flex; }", ".f > * + * { margin-inline-start: 2px; }"]),
        (
            ".f { display: flex; flex-wrap: wrap; gap: 0 2px; }",
            [".f { display: flex; flex-wrap: wrap; }", ".f > * { margin: 0 calc(2px/2); }"]
        ),
        (".g { display: grid; gap: 1px; }", [".g { display: grid; gap: 1px; }"]),
        (
            "a { overflow: clip; translate: -50%; height: 100dvh; }",
            ["a { overflow: hidden; transform: translate(-50%); height: 100vh; }"]
        ),
        (
            "@media (min-width: 1px) { a { inset: 0; } }",
            ["@media (min-width: 1px) {", "a { top: 0; right: 0; bottom: 0; left: 0; }", "}"]
        ),
        ("/* a */ a { --b: ; background: url(\"data:x;{}\"); }", ["a { --b: ; background: url(\"data:x;{}\"); }"]),
        ("[data-grid=vertical] a { color: red; }", []),
    ])
    func newerStylesBecomeOlderOnesWithTheSameEffect(style: String, expected: [String]) {
        let lowered = StyleLowering.lowered(Array(style.utf8))
        expectEqual(String(decoding: lowered, as: UTF8.self), expected.map { $0 + "\n" }.joined())
    }
}
