// Finds content of a page that the text of a guide must not cause. Returns an array of findings, empty for a clean page.
const found = [];
if (window.__xss) found.push("a script ran");
if (document.title === "xss") found.push("a script changed the title");
if (document.baseURI !== location.href.split("#")[0] && document.baseURI !== location.href) found.push("the base URL is " + document.baseURI);
const forbidden = new Set([
  "iframe", "frame", "frameset", "object", "embed", "applet", "base", "math", "marquee", "style", "xss", "custom-cell",
  "foreignobject", "animate", "set", "isindex", "keygen", "audio", "video", "noscript", "image",
]);
const urlAttributes = new Set([
  "href", "src", "action", "formaction", "data", "poster", "xlink:href", "background", "cite", "ping", "to", "values",
]);
for (const element of document.querySelectorAll("*")) {
  const name = element.localName.toLowerCase();
  const excerpt = element.outerHTML.slice(0, 120);
  if (forbidden.has(name)) found.push(`<${name}>: ${excerpt}`);
  if (name === "script" && !/^application\/(ld\+)?json$/.test(element.type)) {
    if (!element.src.startsWith(location.origin + "/assets/")) found.push(`a foreign script: ${excerpt}`);
  }
  if (name === "link" && !element.href.startsWith(location.origin + "/")) found.push(`a foreign link: ${excerpt}`);
  if (name === "meta" && element.httpEquiv) found.push(`an http-equiv element: ${excerpt}`);
  for (const attribute of element.attributes) {
    const key = attribute.name.toLowerCase();
    if (key.startsWith("on") || key === "srcdoc" || key === "srcset") found.push(`${key}: ${excerpt}`);
    if (key === "style" && /url|expression|import|javascript|@|\\/i.test(attribute.value)) found.push(`style: ${excerpt}`);
    if (!urlAttributes.has(key)) continue;
    // An invalid URL is harmless.
    let url;
    try {
      url = new URL(attribute.value, document.baseURI);
    } catch {
      continue;
    }
    const isDownload = name === "a" && element.disDownloadload && url.protocol === "blob:";
    if (!["http:", "https:"].includes(url.protocol) && !isDownload) found.push(`${key} with ${url.protocol} ${excerpt}`);
    if (url.hostname === "xss.example" || url.username) found.push(`${key} points to a foreign host: ${excerpt}`);
  }
}
return [...new Set(found)].slice(0, 5);
