"""Fictional guides of any size in many scripts, as XMLTV.

The same arguments generate the same guide. Every station except each fiftieth has a schedule. Programmes take 3 minutes to
5 hours, half an hour on average, with occasional gaps. Some stations are off air at night; one shows the same programme for
a day. Every second station has a logo.
"""

import random
from html import escape

from support.times import xmltv_time

#: Vocabulary of fictional titles: language, word for "station", and words of titles.
SCRIPTS = [
    ("en", "Channel", "Harbour Lantern Northern Morning The Quiet Orchard Letters River Clock Kitchen Island Winter Garden"),
    ("de", "Sender", "Abend Straße Garten Die Brücke Über Zwölf Nachbarn Größe Mühle Wetter Fluss Kleine"),
    ("fr", "Chaîne", "Le Château Île Matin Été Rivière Où Cœur Façade Noël L’œuvre Théâtre"),
    ("pl", "Stacja", "Łódź Światło Źródło Noc Rzeka Żuraw Dąb Ćma Ogród Król"),
    ("el", "Κανάλι", "Πρωινό Θάλασσα Νησί Ιστορίες Δρόμος Φως Ουρανός Χειμώνας Γέφυρα"),
    ("ru", "Канал", "Утро Вечерний Разговор Ёлка Большая Река Зимний Сад Письма Маяк Часы"),
    ("ar", "قناة", "صباح الخير حكايات البحر ليلة المدينة أخبار النخلة طريق الشمال"),
    ("he", "ערוץ", "בוקר טוב סיפורי הים לילה העיר חדשות הגשר דרך הצפון"),
    ("hi", "चैनल", "सुबह की बात नदी कहानी शहर रात समाचार पुल उत्तर का रास्ता"),
    ("th", "ช่อง", "เช้านี้ เรื่องเล่า ทะเล กลางคืน เมือง ข่าว สะพาน ทางเหนือ"),
    ("zh", "卫视", "晚间新闻 江心 灯塔 故事 花园 冬天的河 早安 城市 桥"),
    ("ja", "テレビ", "おはよう 月見 物語 灯台 夜の町 ニュース 橋 冬の庭 手紙"),
    ("ko", "방송", "아침 바다 이야기 등대 밤의 도시 뉴스 다리 겨울 정원"),
    ("ta", "அலைவரிசை", "காலை கடல் கதைகள் இரவு நகரம் செய்தி பாலம்"),
]
CATEGORIES = ["News", "Sport", "Children", "Documentary", "Music", "Film", "Drama series", "Quiz show", None, "Weather"]
MINUTES = [3, 5, 10, 15, 20, 25, 30, 30, 30, 30, 45, 45, 60, 60, 90, 120, 300]
SENTENCE = "Two neighbours find a box of letters, and the river rises. "


def station(number):
    """Returns the language, identifier, name and title words of a station."""
    language, word, words = SCRIPTS[number % len(SCRIPTS)]
    name = f"{word} {number + 1}" if number % 7 else f"{words.split()[number % 5]} {word} {number + 1}"
    return language, f"s{number}.example", name, words.split()


def schedule(number, days, start):
    """Yields the start and stop of each programme of a station, with its random generator."""
    chance = random.Random(number)
    if number % 50 == 49:
        return
    at, end = start, start + days * 86_400
    while at < end:
        hour = at // 3600 % 24
        minutes = 24 * 60 if number % 100 == 7 else chance.choice(MINUTES)
        if number % 11 == 3 and 1 <= hour < 5:
            at = at - at % 86_400 + 5 * 3600
            continue
        stop = at + minutes * 60
        if chance.random() > 0.03:
            yield at, stop, chance
        at = stop


def programme(number, at, stop, chance, language, words):
    """Returns one programme as XML."""
    title = " ".join(chance.choice(words) for _ in range(chance.randrange(1, 4)))
    if chance.random() < 0.02:
        title += " 🌕👩‍🚀"
    parts = [
        f'<programme start="{xmltv_time(at)}" stop="{xmltv_time(stop)}" channel="s{number}.example">'
        f'<title lang="{language}">{escape(title)}</title>']
    if chance.random() < 0.5:
        parts.append(f'<sub-title lang="{language}">{escape(chance.choice(words))} {chance.randrange(1, 90)}</sub-title>')
    if chance.random() < 0.6:
        parts.append(f"<desc>{SENTENCE * chance.randrange(1, 5)}</desc>")
    if chance.random() < 0.1:
        parts.append('<credits><director>Ines Example</director><actor role="The keeper">Bo Sample</actor></credits>')
    category = chance.choice(CATEGORIES)
    if category:
        parts.append(f'<category lang="en">{category}</category>')
    if chance.random() < 0.3:
        parts.append(f'<episode-num system="xmltv_ns">{chance.randrange(9)}.{chance.randrange(20)}.</episode-num>')
    mark = chance.random()
    if mark < 0.04:
        parts.append("<premiere/>")
    elif mark < 0.1:
        parts.append("<new/>")
    elif mark < 0.13:
        parts.append("<live/>")
    if chance.random() < 0.05:
        parts.append("<rating><value>12</value></rating><star-rating><value>3/5</value></star-rating>")
    return "".join(parts) + "</programme>\n"


def guide(stations, days, start, pictures="http://pictures.example"):
    """Yields the document in pieces. Logos are on the server `pictures`."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<tv generator-info-name="generated">\n'
    for number in range(stations):
        language, identifier, name, _ = station(number)
        icon = f'<icon src="{pictures}/{number % 997}.png"/>' if number % 2 == 0 else ""
        yield (
            f'<channel id="{identifier}"><display-name lang="{language}">{escape(name)}</display-name>'
            f"<display-name>{number + 1}</display-name>{icon}</channel>\n")
    for number in range(stations):
        language, _, _, words = station(number)
        yield "".join(
            programme(number, at, stop, chance, language, words) for at, stop, chance in schedule(number, days, start))
    yield "</tv>\n"


def even(stations, minutes, start, stop, silent=0):
    """Yields a guide whose stations all show programmes of the same length, after `silent` stations without programmes."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<tv generator-info-name="generated">\n'
    for number in range(silent + stations):
        yield (
            f'<channel id="s{number}.example"><display-name lang="en">Channel {number + 1}</display-name>'
            f"<display-name>{number + 1}</display-name></channel>\n")
    for number in range(silent, silent + stations):
        for at in range(start, stop, minutes * 60):
            yield (
                f'<programme start="{xmltv_time(at)}" stop="{xmltv_time(at + minutes * 60)}" channel="s{number}.example">'
                f'<title lang="en">The Lantern {at // 60 % 1440}</title></programme>\n')
    yield "</tv>\n"


def write(path, stations, days, start, pictures):
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(guide(stations, days, start, pictures))
