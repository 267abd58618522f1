# Varnish in front of epgd: copy it to /etc/varnish/default.vcl.
#
# Varnish caches responses for the few seconds that epgd allows (s-maxage), revalidates them by ETag, and serves them for
# another day while epgd is down. Simultaneous identical requests cost epgd one request. Responses with status 409 or 503
# are not cached. Needs Varnish 6 or newer, and its module vsthrottle (Debian: varnish-modules).
# Start epgd with `--trusted-proxies 127.0.0.1`, so that it counts clients and not Varnish.
vcl 4.1;

import std;
import vsthrottle;

backend epgd {
    .host = "127.0.0.1";
    .port = "8080";
    .connect_timeout = 2s;
    .first_byte_timeout = 30s;
    .between_bytes_timeout = 30s;
    .probe = {
        .url = "/readyz";
        .interval = 2s;
        .timeout = 1s;
        .window = 3;
        .threshold = 2;
        .initial = 2;
    }
}

acl local {
    "127.0.0.1";
    "::1";
}

sub vcl_recv {
    # At most 6,000 requests per minute and client, including those served from the cache; the limit of epgd counts only
    # the others.
    if (vsthrottle.is_denied("" + client.ip, 6000, 60s)) {
        return (synth(429));
    }
    # A request may name the host in its target (RFC 9112, 3.2.2). Varnish itself removes only http://.
    set req.url = regsub(req.url, "(?i)^https?://[^/?]*", "");
    if (req.url !~ "^/") {
        return (synth(400));
    }
    # epgd has no path with an empty segment, such as /metrics/ or //metrics. Without this rule, they would miss the rules below.
    if (req.url ~ "^[^?]*//|^/[^?]+/(\?|$)") {
        return (synth(404));
    }
    # Without a host, Varnish would send the address of the backend, and cache the response under that address.
    if (!req.http.Host) {
        return (synth(400));
    }
    # The scheme of the client, if a proxy for TLS is in front of Varnish.
    if (req.http.X-Forwarded-Proto != "https") {
        unset req.http.X-Forwarded-Proto;
    }
    # Only for this machine, as in nginx.conf.
    if (req.url ~ "^/metrics(\?|$)" && client.ip !~ local) {
        return (synth(403));
    }
    if (req.url ~ "^/api/v1/events(\?|$)") {
        # Server-sent events must not be buffered.
        return (pipe);
    }
    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }
    # With require-login in epg.yml, remove the number sign before you restart epgd: nothing is stored, and nothing that was stored
    # before is served.
    # return (pass);

    # Complete guides are large and change nightly. epgd caches them and serves ranges.
    if (req.url ~ "^/(xmltv\.xml|xmltv\.xml\.gz|guide\.json|metrics)(\?|$)") {
        return (pass);
    }
    # The log-in, administration, and requests with a session or a token get responses of their own, which are never stored.
    if (req.url ~ "^/(login|logout|admin)(/|\?|$)" || req.url ~ "[?&]token=" || req.http.Authorization
        || req.http.Cookie ~ "(^|;\s*)(__Host-epg|epg-session)=") {
        return (pass);
    }
    unset req.http.Cookie;
    unset req.http.Authorization;
    # List the origins of cors.origins here. Any other origin gets the response for none, not a stored variant of its own.
    if (req.http.Origin !~ "^https://tv\.example$") {
        unset req.http.Origin;
    }
    # Televisions get other pages. All of them have one name here, and other browsers have none.
    if (req.http.User-Agent ~ "Tizen|Web0S|webOS|NetCast|SmartTV|SMART-TV|Smart-TV|HbbTV|Android TV|GoogleTV|BRAVIA|CrKey|VIDAA| AFT[A-Z]") {
        set req.http.User-Agent = "SmartTV";
    } else {
        unset req.http.User-Agent;
    }
    # The first language of the client that the pages have, and the region where people count 12 hours.
    if (req.http.Accept-Language ~ "(?:^|,)[ \t]*(?:ar|de|en-(?:US|CA|AU|NZ|IN|PH|SG|HK|MY|PK|JM|TT|PR)|en|es|fr|he|it|ja|nl|pl|pt|zh)(?:$|[-,; \t])") {
        set req.http.Accept-Language = regsub(req.http.Accept-Language, "^(?:.*?,)??[ \t]*(ar|de|en-(?:US|CA|AU|NZ|IN|PH|SG|HK|MY|PK|JM|TT|PR)|en|es|fr|he|it|ja|nl|pl|pt|zh)(?:[-,; \t].*)?$", "\1");
    } else {
        unset req.http.Accept-Language;
    }
    # While epgd is healthy, serve responses up to a minute old and refetch older ones; otherwise serve them for a day.
    if (std.healthy(req.backend_hint)) {
        set req.grace = 60s;
    } else {
        set req.grace = 24h;
    }
    return (hash);
}

sub vcl_hash {
    # Varnish separates the parts by a zero byte, which none can contain. Vary separates encodings, origins, languages and televisions.
    hash_data(req.url);
    hash_data(req.http.Host);
    hash_data(req.http.X-Forwarded-Proto);
    return (lookup);
}

sub vcl_pipe {
    set bereq.http.Connection = "close";
}

sub vcl_backend_fetch {
    # epgd may have to write a feed first, or to finish an import.
    if (bereq.url ~ "^/(xmltv\.xml|xmltv\.xml\.gz|guide\.json|api/v1/import)(\?|$)" || bereq.url ~ "^/admin(/|\?|$)") {
        set bereq.first_byte_timeout = 600s;
    }
}

sub vcl_backend_response {
    if (beresp.status >= 500 && bereq.is_bgfetch) {
        # A stale response is better than an error.
        return (abandon);
    }
    if (beresp.status == 200) {
        set beresp.grace = 24h;
        set beresp.keep = 24h;
    }
}

sub vcl_deliver {
    if (obj.hits > 0) {
        set resp.http.X-Cache = "HIT";
    } else {
        set resp.http.X-Cache = "MISS";
    }
    unset resp.http.X-Varnish;
    unset resp.http.Via;
}
