import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spamnb.text.html import Link
from spamnb.text.links import host_of, link_tokens, registered_domain

ALL = {
    "url:text-differs", "url:punycode", "url:user", "url:percent", "url:ip", "url:number",
    "url:shortener",
}  # fmt: skip


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
    assert list(link_tokens(f"see {url} now")) == tokens.split()
    assert list(link_tokens("see", (Link(url, "here"),))) == tokens.split()


def test_browsers_drop_line_ends_in_a_url():
    assert list(link_tokens("", (Link("ht\ntp://203.0.\n113.9/", "here"),))) == ["url:ip"]


@pytest.mark.parametrize("href", ["", "#top", "mailto:anna@example.com", "/a", "cid:1", "http://"])
def test_a_link_to_no_host_gives_nothing(href):
    assert list(link_tokens("", (Link(href, "www.example.com"),))) == []


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
    assert list(link_tokens("", (Link("http://a.example.net/", text),))) == ["url:text-differs"]
    assert list(link_tokens("", (Link("http://a.example.com/", text),))) == []


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
    assert list(link_tokens("", (Link("http://a.example.net/", text),))) == []


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


@settings(max_examples=300, deadline=None)
@given(ANY, ANY, ANY)
def test_any_text_can_be_a_link(text, href, shown):
    assert set(link_tokens(text, (Link(href, shown),))) <= ALL
    assert isinstance(registered_domain(host_of(href)), str)
