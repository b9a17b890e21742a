import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spamnb.text.html import Link
from spamnb.text.links import host_at, host_of, link_tokens, registered_domain, urls_in

pytestmark = pytest.mark.usefixtures("form")

ALL = {
    "url:text-differs", "url:punycode", "url:user", "url:percent", "url:ip", "url:number",
    "url:shortener",
}  # fmt: skip
TELLING = ("url:scheme:", "url:host:", "url:domain:", "url:port:", "url:path:")


def odd(tokens):
    """What is odd about links."""
    return [token for token in tokens if not token.startswith(TELLING)]


@pytest.mark.parametrize(
    ("url", "tokens"),
    [
        ("http://www.example.com", "scheme:http host:www.example.com domain:example.com"),
        ("HTTP://Example.COM/", "scheme:http host:example.com domain:example.com"),
        (
            "https://a.b.example.co.uk:8080/In-box/x2.php?Id=7&a_b#end",
            "scheme:https host:a.b.example.co.uk domain:example.co.uk port:8080 "
            "path:in path:box path:x2 path:php path:id path:7 path:a path:b path:end",
        ),
        ("ftp://me@example.com:21/a", "scheme:ftp host:example.com domain:example.com port:21 "
                                      "user path:a"),
        ("http://203.0.113.9:80/", "scheme:http host:203.0.113.9 domain:203.0.113.9 port:80 ip"),
        ("http://%65xample.com", "scheme:http host:example.com domain:example.com percent"),
        ("http://a.example/" + "x" * 21 + "/" + "y" * 20,
         f"scheme:http host:a.example domain:a.example path:{'y' * 20}"),
    ],
)  # fmt: skip
def test_where_a_url_leads(url, tokens):
    expected = [f"url:{token}" for token in tokens.split()]
    assert list(link_tokens(f"see {url} now")) == expected
    assert list(link_tokens("see", (Link(url, "here"),))) == expected
    assert list(link_tokens("see", (), (url,))) == expected


def test_a_host_in_the_text_needs_no_scheme():
    assert list(link_tokens("see WWW.Example.com/a now")) == [
        "url:scheme:none", "url:host:www.example.com", "url:domain:example.com",
    ]  # fmt: skip
    assert list(link_tokens("see example.com, my.www.example.com, me@www.example.com")) == []


def test_long_parts_of_a_url_are_cut():
    host = ".".join(["a" * 50] * 3)
    found = list(link_tokens(f"http://{host}/" + "/b" * 50))
    assert found[1:3] == [f"url:host:{host[:60]}", f"url:domain:{host[51:111]}"]
    assert found[3:] == ["url:path:b"] * 20


def test_the_text_the_sources_and_the_links_come_one_after_another():
    found = link_tokens("http://a.example", (Link("http://c.example", ""),), ("http://b.example",))
    assert [token[9:] for token in found if token.startswith("url:host:")] == [
        "a.example", "b.example", "c.example",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("url", "tokens"),
    [
        ("http://www.example.com/", ""),
        ("HTTPS://EXAMPLE.COM:8080/a?b=c#d", ""),
        ("ftp://example.com/a", ""),
        ("http://example.com/a@b.example/%41?x=http", ""),
        ("http://localhost/", ""),
        ("http://1.2.example.com/", ""),
        ("http://123.example.com/", ""),
        ("http://xn--bcher-kva.example.com/", "url:punycode"),
        ("http://bücher.example.com/", "url:punycode"),
        ("http://anna@example.com/", "url:user"),
        ("http://www.example.com:80@example.net/", "url:user"),
        ("http://www.example.com%40example.net/", "url:user url:percent"),
        ("http://%65xample.com/", "url:percent"),
        ("http://203.0.113.9", "url:ip"),
        ("http://203.0.113.9:80/a", "url:ip"),
        ("http://anna@203.0.113.9/", "url:user url:ip"),
        ("http://[2001:db8::1]/", "url:ip"),
        ("http://3405803785/", "url:number"),
        ("http://0xCB007109/", "url:number"),
        ("http://0xcb.0x0.0x71.0x9/", "url:number"),
        ("http://0313.0.0161.011/", "url:number"),
        ("http://bit.ly/a", "url:shortener"),
        ("HTTP://WWW.TinyURL.com/a", "url:shortener"),
        ("http://bit.ly.example.com/", ""),
        ("http://notbit.ly/", ""),
    ],
)
def test_what_is_odd_about_a_url(url, tokens):
    assert odd(link_tokens(f"see {url} now")) == tokens.split()
    assert odd(link_tokens("see", (Link(url, "here"),))) == tokens.split()
    assert odd(link_tokens("see", (), (url,))) == tokens.split()


def test_browsers_drop_line_ends_in_a_url():
    assert list(link_tokens("", (Link("ht\ntp://203.0.\n113.9/", "here"),))) == [
        "url:scheme:http", "url:host:203.0.113.9", "url:domain:203.0.113.9", "url:ip",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("href", "scheme"),
    [
        ("", ""),
        ("#top", ""),
        ("/a", ""),
        ("mailto:anna@example.com", "mailto"),
        ("cid:1", "cid"),
        ("http://", "http"),
        ("JavaScript:void(0)", "javascript"),
        ("data:image/png;base64,AAAA", "data"),
    ],
)
def test_a_link_to_no_host_gives_its_scheme_alone(href, scheme):
    expected = [f"url:scheme:{scheme}"] if scheme else []
    assert list(link_tokens("", (Link(href, "www.example.com"),))) == expected
    assert list(link_tokens("", (), (href,))) == expected


@pytest.mark.parametrize(
    "text",
    [
        "http://www.example.com/login",
        "https://anna@example.com/",
        "WWW.EXAMPLE.COM",
        "see www.example.com now",
        "  example.com",
        "example.com/a",
    ],
)
def test_a_text_that_names_another_host(text):
    assert odd(link_tokens("", (Link("http://a.example.net/", text),))) == ["url:text-differs"]
    assert odd(link_tokens("", (Link("http://a.example.com/", text),))) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Click here",
        "e.g. this",
        "anna@example.com",
        "1.5 GB",
        "invoice.pdf",
        "Node.js",
    ],
)
def test_a_text_that_names_no_host(text):
    assert odd(link_tokens("", (Link("http://a.example.net/", text),))) == []


@pytest.mark.parametrize(
    ("authority", "host"),
    [
        ("Example.COM", "example.com"),
        ("example.com:80", "example.com"),
        ("example.com.", "example.com"),
        ("a:b@example.com:80", "example.com"),
        ("a@b@example.com", "example.com"),
        ("%65xample%2ecom", "example.com"),
        ("[2001:db8::1]:80", "[2001:db8::1]"),
        ("", ""),
    ],
)
def test_the_host_of_an_authority(authority, host):
    assert host_of(authority) == host


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("example.com", "example.com"),
        ("a.b.Example.com", "example.com"),
        ("a.example.co.uk", "example.co.uk"),
        ("example.co.uk", "example.co.uk"),
        ("mail.example.com.cn", "example.com.cn"),
        ("a.example.de", "example.de"),
        ("203.0.113.9", "203.0.113.9"),
        ("localhost", "localhost"),
        ("", ""),
    ],
)
def test_the_registered_domain_of_a_host(host, domain):
    assert registered_domain(host) == domain


PIECES = st.sampled_from(
    ["http://", "www.", "a@", "%", "%4", "%ff", "0x", "1.", "[", "]", ":", "//", ".com", "é", "\n"]
)
ANY = st.text() | st.lists(PIECES, max_size=15).map("".join)


@settings(deadline=None)
@given(ANY, ANY, ANY)
def test_any_text_can_be_a_link(text, href, shown):
    found = list(link_tokens(text, (Link(href, shown),), (shown,)))
    assert set(odd(found)) <= ALL
    assert all(len(token) <= 80 for token in found)
    assert isinstance(registered_domain(host_of(href)), str)


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("nothing", []),
        ("see http://a.example/x?y=1 or HTTPS://b.example", ["http://a.example/x?y=1", "HTTPS://b.example"]),
        ("at www.c.example then", ["www.c.example"]),
        ("http://www.a.example/", ["http://www.a.example/"]),
    ],
)  # fmt: skip
def test_urls_in_a_text(text, urls):
    assert list(urls_in(text)) == urls


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("http://User@Shop.Example:81/x", "shop.example"),
        (" http://shop.example ", "shop.example"),
        ("ht\ntp://shop.example/", "shop.example"),
        ("http://%65vil.example/", "evil.example"),
        ("http://[::1]/", "[::1]"),
        ("www.Shop.example", "www.shop.example"),
        ("mailto:a@shop.example", ""),
        ("page.html", ""),
        ("", ""),
    ],
)
def test_the_host_at_an_address(address, host):
    assert host_at(address) == host
