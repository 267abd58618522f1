import Testing

/// A text in a language, written for these tests, and the encodings used for such texts.
struct LanguageText: CustomTestStringConvertible, Sendable {
    let language: String
    /// The encodings that can be guessed without a declaration.
    let encodings: [String]
    let text: String

    var testDescription: String { language }

    static let all: [LanguageText] = [
        LanguageText(
            language: "French", encodings: ["windows-1252", "ISO-8859-1"],
            text: """
                Le journal de vingt heures, présenté par Hélène Garçon. Après la météo, une soirée spéciale consacrée à \
                la forêt : où vont les élèves de l'école du village ? Même l'été, les châtaigniers gèlent. À suivre.
                """),
        LanguageText(
            language: "French with a ligature", encodings: ["ISO-8859-15"],
            text: """
                Une sœur au grand cœur élève des bœufs près de Saint-Étienne. Prix d'entrée : 12 €. Le chœur de la \
                forêt chante une œuvre oubliée, l'œil fixé sur la scène.
                """),
        LanguageText(
            language: "German", encodings: ["windows-1252", "ISO-8859-1"],
            text: """
                Die Nachrichten für München und Köln. Anschließend: Bürger fragen, Größen der Politik antworten. \
                Über die Straße läuft ein Bär, und Förster Müller muß schnell handeln. Früh übt sich.
                """),
        LanguageText(
            language: "Spanish", encodings: ["windows-1252", "ISO-8859-1"],
            text: """
                El telediario de la mañana. ¿Quién será el próximo campeón? Los niños de España aprenden música y \
                canción popular; después, la película «El corazón del último tren», con información meteorológica.
                """),
        LanguageText(
            language: "Portuguese", encodings: ["windows-1252"],
            text: """
                Notícias da manhã em São Paulo: a eleição, o coração da nação e as previsões do tempo. Depois não há \
                sessão de cinema, mas um programa de educação às três horas.
                """),
        LanguageText(
            language: "Swedish", encodings: ["windows-1252"],
            text: """
                Nyheter från Göteborg och Malmö. Därefter: Så går det på ön, en svensk dramaserie från år 2019. \
                Båten är försvunnen, och Åsa måste välja mellan sanningen och sin vän.
                """),
        LanguageText(
            language: "English with quotation marks", encodings: ["windows-1252"],
            text: """
                It’s a family’s worst week: “We can’t go on,” says Tom – and that’s only the beginning… The café’s \
                closed, the dog’s gone, and nobody’s talking.
                """),
        LanguageText(
            language: "Hungarian", encodings: ["windows-1250"],
            text: """
                Esti híradó a főváros életéről. Utána: Az erdő őrzői, magyar természetfilm. Tűzoltók mentenek egy \
                kisfiút a hűvös éjszakában, közben a győri színház új évadot nyit. Időjárás-jelentés.
                """),
        LanguageText(
            language: "Polish", encodings: ["windows-1250", "ISO-8859-2"],
            text: """
                Wiadomości dnia. Następnie: Żółta łódź, polski dramat obyczajowy. Książę wraca do domu, gdzie żona i \
                córka czekają już tydzień. Śledztwo trwa, a mąż Małgorzaty znika w środku zimy. Prognoza pogody.
                """),
        LanguageText(
            language: "Czech", encodings: ["windows-1250", "ISO-8859-2"],
            text: """
                Večerní zprávy z české metropole. Potom: Příběhy z našeho údolí, rodinný seriál. Šťastný děda najde \
                v lese ztracenou dívku a její kůň přivede všechny zpět. Předpověď počasí na zítřek.
                """),
        LanguageText(
            language: "Croatian", encodings: ["windows-1250", "ISO-8859-2"],
            text: """
                Središnji dnevnik. Slijedi: Kuća na otoku, domaća serija. Učiteljica Željka traži brata koji je nestao \
                u vrućoj noći; riječki inspektor ne želi pomoći. Već sutra: šest prijatelja i čarobni ključ.
                """),
        LanguageText(
            language: "Turkish", encodings: ["windows-1254", "ISO-8859-9"],
            text: """
                Akşam haberleri ve hava durumu. Ardından: Işıklı şehir, yerli dizi. Küçük kız ağabeyini arıyor, ama \
                kış çok sert geçiyor. Yaşlı balıkçının söylediği şarkı herkesi değiştirecek. İyi seyirler.
                """),
        LanguageText(
            language: "Lithuanian", encodings: ["windows-1257"],
            text: """
                Vakaro žinios. Po jų – lietuviškas filmas apie žvejų šeimą prie jūros. Šį kartą jauniausioji dukra \
                išvyksta į miestą, o tėvas lieka vienas. Orų prognozė rytdienai, kelių būklė ir eismo žinios.
                """),
        LanguageText(
            language: "Russian", encodings: ["windows-1251", "KOI8-R", "ISO-8859-5"],
            text: """
                Вечерние новости. Затем художественный фильм о жизни большой семьи на берегу реки. Отец возвращается \
                домой после долгой разлуки, но его никто не ждёт. Прогноз погоды на завтра.
                """),
        LanguageText(
            language: "Ukrainian", encodings: ["windows-1251", "KOI8-U"],
            text: """
                Вечірні новини. Далі український серіал про життя великої родини біля моря. Її батько повертається \
                додому після довгої розлуки, але нікого там немає. Прогноз погоди на завтра.
                """),
        LanguageText(
            language: "Bulgarian", encodings: ["windows-1251"],
            text: """
                Централна емисия новини. След това: игрален филм за живота на едно семейство край морето. Бащата се \
                връща у дома, но никой не го очаква. Прогноза за времето утре.
                """),
        LanguageText(
            language: "Greek", encodings: ["windows-1253", "ISO-8859-7"],
            text: """
                Κεντρικό δελτίο ειδήσεων. Ακολουθεί ελληνική ταινία για τη ζωή μιας οικογένειας κοντά στη θάλασσα. \
                Ο πατέρας επιστρέφει στο σπίτι, αλλά κανείς δεν τον περιμένει. Άλλη μια ιστορία. Πρόγνωση του καιρού.
                """),
        LanguageText(
            language: "Hebrew", encodings: ["windows-1255", "ISO-8859-8"],
            text: """
                מהדורת החדשות המרכזית. אחר כך: סרט ישראלי על חייה של משפחה גדולה ליד הים. האב חוזר הביתה אחרי שנים \
                רבות, אבל איש אינו מחכה לו. תחזית מזג האוויר למחר.
                """),
        LanguageText(
            language: "Arabic", encodings: ["windows-1256", "ISO-8859-6"],
            text: """
                نشرة الأخبار المسائية. بعد ذلك فيلم عن حياة عائلة كبيرة تعيش قرب البحر. يعود الأب إلى البيت بعد غياب \
                طويل ولكن لا أحد ينتظره. حالة الطقس غدا في جميع المدن.
                """),
        LanguageText(
            language: "Thai", encodings: ["CP874"],
            text: """
                ข่าวภาคค่ำประจำวัน ตามด้วยละครไทยเรื่องชีวิตของครอบครัวใหญ่ริมทะเล พ่อกลับบ้านหลังจากหายไปหลายปี \
                แต่ไม่มีใครรอเขาอยู่ พยากรณ์อากาศวันพรุ่งนี้
                """),
        LanguageText(
            language: "Chinese, simplified", encodings: ["GB18030"],
            text: """
                晚间新闻联播。随后播出国产电视剧：海边的大家庭。父亲离家多年以后终于回来了，可是没有人等他。\
                明天的天气预报，请继续收看。动物世界：森林里的秘密。
                """),
        LanguageText(
            language: "Chinese, traditional", encodings: ["BIG5-HKSCS"],
            text: """
                晚間新聞報導。隨後播出連續劇：海邊的大家庭。父親離家多年以後終於回來了，可是沒有人等他。\
                明天的天氣預報，請繼續收看。動物世界：森林裡的秘密。
                """),
        LanguageText(
            language: "Korean", encodings: ["CP949"],
            text: """
                저녁 뉴스에 이어 바닷가에 사는 대가족의 이야기를 그린 드라마가 방송됩니다. 아버지는 오랜 세월이 지난 뒤 집으로 \
                돌아오지만 아무도 그를 기다리지 않습니다. 내일의 날씨를 알려 드립니다.
                """),
        LanguageText(
            language: "Japanese", encodings: ["CP932", "EUC-JP-MS"],
            text: """
                夜のニュースに続いて、海辺に暮らす大家族の物語をお送りします。父は長い年月を経て家に帰ってくるが、\
                誰も彼を待っていなかった。明日の天気予報。アニメ「森の秘密」。
                """),
    ]
}
