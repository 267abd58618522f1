// What stands in a page that no text of a guide may have brought there; an array of sentences, empty for a clean page.
const found = [];
if (window.__xss) found.push("a script ran");
if (document.title === "xss") found.push("a script changed the title");
if (document.baseURI !== location.href.split("#")[0] && document.baseURI !== location.href) found.push("the base is " + document.baseURI);
const forbidden = new Set([
  "iframe", "frame", "frameset", "object", "embed", "applet", "base", "math", "marquee", "style", "xss", "custom-cell",
  "foreignobject", "animate", "set", "isindex", "keygen", "audio", "video", "noscript", "image",
]);
const addresses = new Set([
  "href", "src", "action", "formaction", "data", "poster", "xlink:href", "background", "cite", "ping", "to", "values",
]);
for (const element of document.querySelectorAll("*")) {
  const name = element.localName.toLowerCase();
  const place = element.outerHTML.slice(0, 120);
  if (forbidden.has(name)) found.push(`<${name}>: ${place}`);
  if (name === "script" && !/^application\/(ld\+)?json$/.test(element.type)) {
    if (!element.src.startsWith(location.origin + "/assets/")) found.push(`a script that isn't ours: ${place}`);
  }
  if (name === "link" && !element.href.startsWith(location.origin + "/")) found.push(`a link that isn't ours: ${place}`);
  if (name === "meta" && element.httpEquiv) found.push(`an instruction: ${place}`);
  for (const attribute of element.attributes) {
    const key = attribute.name.toLowerCase();
    if (key.startsWith("on") || key === "srcdoc" || key === "srcset") found.push(`${key}: ${place}`);
    if (key === "style" && /url|expression|import|javascript|@|\\/i.test(attribute.value)) found.push(`style: ${place}`);
    if (!addresses.has(key)) continue;
    // What can't be read as an address leads nowhere.
    let address;
    try {
      address = new URL(attribute.value, document.baseURI);
    } catch {
      continue;
    }
    const own = name === "a" && element.download && address.protocol === "blob:";
    if (!["http:", "https:"].includes(address.protocol) && !own) found.push(`${key} with ${address.protocol} ${place}`);
    if (address.hostname === "xss.example" || address.username) found.push(`${key} leads elsewhere: ${place}`);
  }
}
return [...new Set(found)].slice(0, 5);
