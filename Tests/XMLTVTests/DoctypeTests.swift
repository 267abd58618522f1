import Testing
import XMLTV

@Suite struct DoctypeTests {
    /// A DOCTYPE is read over; what only it could declare is skipped or refused as XML 1.0, 4.1 says.
    @Test(arguments: [
        "<!DOCTYPE tv><tv/>", "<!DOCTYPE tv SYSTEM \"x'y\"><tv/>", "<!DOCTYPE tv PUBLIC '-//a b//' \"c\" ><tv/>",
        "<!DOCTYPE tv[]><tv/>", "<!DOCTYPE\ttv\n[ ]\n><tv/>", "<!DOCTYPE tv SYSTEM 'x' [<!ELEMENT tv (#PCDATA)>]><tv/>",
        "<!DOCTYPE tv [<!-- ]> ' \" <!ENTITY -->]><tv/>", "<!DOCTYPE tv [<?a ]> ' \" <!ENTITY ?>]><tv/>",
        "<!DOCTYPE tv [<!ATTLIST tv a CDATA ']> \"'>]><tv/>", "<!DOCTYPE tv [<!NOTATION a SYSTEM \"]>'\">]><tv/>",
        "<!DOCTYPE tv SYSTEM 'x'><tv>&a;<b c='&d;'/></tv>", "<!DOCTYPE tv [%a;]><tv>&b;</tv>",
        "<!DOCTYPE tv [ %a; <!ELEMENT tv ANY> ]><tv>1&b;2</tv>", "<!DOCTYPE tv [<!-- a -->%a;<!-- b -->]><tv c='&b;'/>",
    ])
    func doctypeIsReadOverAsLibexpatReadsIt(_ document: String) {
        guard case .bothAccept = OracleComparison.compare(Array(document.utf8)) else {
            Issue.record("\(OracleComparison.compare(Array(document.utf8)))")
            return
        }
    }

    @Test(arguments: [
        "<!DOCTYPE tv [<!-- %a; -->]><tv>&b;</tv>", "<!DOCTYPE tv []><tv>&b;</tv>", "<!DOCTYPE tv><tv>&b;</tv>",
        "<?xml version='1.0' standalone='yes'?><!DOCTYPE tv [%a;]><tv>&b;</tv>",
        "<!DOCTYPE tv [<!ATTLIST tv a CDATA '%b;'>]><tv>&c;</tv>", "<!DOCTYPE tv SYSTEM'x'><tv/>",
        "<!DOCTYPE tv PUBLIC 'x'><tv/>", "<!DOCTYPE tv SYSTEM 'x' 'y'><tv/>", "<!DOCTYPE tv [><tv/>",
        "<!DOCTYPEtv><tv/>", "<!DOCTYPE><tv/>",
        "<!DOCTYPE tv SYSTEM \"x><tv/>", "<!doctype tv><tv/>", "<!DOCTYPE tv system 'x'><tv/>",
    ])
    func brokenDoctypeIsRefusedAsLibexpatRefusesIt(_ document: String) {
        guard case .bothRefuse = OracleComparison.compare(Array(document.utf8)) else {
            Issue.record("\(OracleComparison.compare(Array(document.utf8)))")
            return
        }
    }

    @Test(arguments: [
        "<!DOCTYPE tv [<!ENTITY a 'b'>]><tv/>", "<!DOCTYPE tv [<!ENTITY a SYSTEM '/etc/passwd'>]><tv>&a;</tv>",
        "<!DOCTYPE tv [ <!ELEMENT tv ANY> <!ENTITY % a 'b'> %a; ]><tv/>",
        "<!DOCTYPE tv SYSTEM 'x' [<!ENTITY lt 'x'>]><tv/>",
    ])
    func entityDeclarationIsRefused(_ document: String) {
        #expect(ScannerReading.read(document).fault?.reason == .entityDeclaration)
    }
}
