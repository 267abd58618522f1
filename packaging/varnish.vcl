# Varnish in front of epgd: copy it to /etc/varnish/default.vcl.
#
# Answers are kept for the few seconds that epgd allows (s-maxage), and a day longer where epgd is away. A thousand
# clients who ask the same at once cost epgd one request. Needs Varnish 6 or newer.
# Start epgd with `--trusted-proxies 127.0.0.1`, so that it counts clients and not Varnish.
vcl 4.1;

import std;

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
    # A request may name the host in its target (RFC 9112, 3.2.2). Varnish itself removes only http://.
    set req.url = regsub(req.url, "(?i)^https?://[^/?]*", "");
    if (req.url !~ "^/") {
        return (synth(400));
    }
    # For the machine itself alone, as in nginx.conf.
    if (req.url ~ "^/metrics(\?|$)" && client.ip !~ local) {
        return (synth(403));
    }
    if (req.url ~ "^/api/v1/events") {
        # Server-sent events are passed on as they come.
        return (pipe);
    }
    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }
    # Whole guides are large and change every night: epgd keeps them, and answers ranges.
    if (req.url ~ "^/(xmltv\.xml|xmltv\.xml\.gz|guide\.json|metrics)(\?|$)") {
        return (pass);
    }
    # epgd would be sent the backend's own address as the host, and the answer stored as one for Varnish's address.
    if (!req.http.Host) {
        return (synth(400));
    }
    unset req.http.Cookie;
    unset req.http.Authorization;
    # List the origins of cors.origins here; any other origin gets the answer for none, not a stored variant of its own.
    if (req.http.Origin !~ "^https://tv\.example$") {
        unset req.http.Origin;
    }
    # While epgd is well, what is older than a minute is fetched before it is given; else it is given for a day.
    if (std.healthy(req.backend_hint)) {
        set req.grace = 60s;
    } else {
        set req.grace = 24h;
    }
    return (hash);
}

sub vcl_hash {
    # Varnish separates the parts by a zero byte, which neither can hold. Encodings and origins are kept apart by Vary.
    hash_data(req.url);
    hash_data(req.http.Host);
    return (lookup);
}

sub vcl_pipe {
    set bereq.http.Connection = "close";
}

sub vcl_backend_fetch {
    # A feed that isn't written yet, and the end of an import, take their time.
    if (bereq.url ~ "^/(xmltv\.xml|xmltv\.xml\.gz|guide\.json|api/v1/import)(\?|$)") {
        set bereq.first_byte_timeout = 600s;
    }
}

sub vcl_backend_response {
    if (beresp.status >= 500 && bereq.is_bgfetch) {
        # What stands is better than an error.
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
