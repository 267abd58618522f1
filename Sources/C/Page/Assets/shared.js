// What page.js and guide.js share: CPage.c puts this part at the start of both.

/** The languages of times: those of the page's URL, then those of the browser. */
const locales = (() => {
  const wanted = [...(new URLSearchParams(location.search).get('lang') || '').split(','), ...(navigator.languages || [])];
  try { return Intl.getCanonicalLocales(wanted.filter(Boolean).map(l => l.replace('_', '-'))); } catch { return ['en']; }
})();

/** The name of a time zone in the browser's spelling; undefined for an unknown zone. Without a name, the device's zone. */
function zoneNamed(name) {
  try { return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone; } catch { return undefined; }
}
/** The time zone of all pages: the zone in the settings, else the device's; undefined if the browser knows neither. */
const viewerZone = ({ zone }) => (zone && zoneNamed(zone) ? zone : zoneNamed());

/**
 * Creates the format of times for the setting `clock`: 12 or 24 hours, otherwise as usual in the language. A 24-hour time has two
 * digits, as the server writes it.
 */
function timeFormat(clock, options) {
  const hour12 = clock === '12' ? true : clock === '24' ? false : undefined;
  const isWhole = hour12 === false || (hour12 === undefined && new Intl.DateTimeFormat(locales, { hour: 'numeric' }).resolvedOptions().hourCycle === 'h23');
  return new Intl.DateTimeFormat(locales, { hour: isWhole ? '2-digit' : 'numeric', minute: '2-digit', hour12, ...options });
}

/** The initials of the first two words, with complete numbers: `BO` for `BBC One`, `C10` for `CCTV-10`. A later short number follows them: `SS1` for `Sky Sport 1`. The server writes the same. */
function initials(name) {
  const words = (name.match(/\p{L}+|\p{N}{1,4}\+?/gu) ?? []).slice(0, 2);
  const isNumber = word => /^\p{N}/u.test(word);
  const number = words.some(isNumber) ? '' : name.match(/(?<!\p{N})\p{N}{1,3}\+?(?![\p{L}\p{N}])/u)?.[0] ?? '';
  return words.map(word => (isNumber(word) ? word : [...word][0])).join('').toUpperCase() + number;
}

/** The notice of a page that the service worker stored at a date; the date is missing if the page is newer. */
function offlineNotice(date, clock) {
  const stored = Date.parse(date);
  if (!stored) return 'You are offline.';
  const day = new Intl.DateTimeFormat(locales, { weekday: 'short', day: 'numeric', month: 'short' }).format(stored);
  return `You are offline. This is the state of ${day}, ${timeFormat(clock).format(stored)}.`;
}

