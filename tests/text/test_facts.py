from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spamnb.mail.message import Message
from spamnb.mail.parser import parse
from spamnb.text.facts import FACTS, fact_tokens
from spamnb.text.values import FACT, values_of

MAIL = b"""From: Ann <ann7@mail.example.CN>
Reply-To: other@elsewhere.example
To: b@example.com
Subject: Re[2]: news
Date: fri, 6 Nov 2026 7:05:00 +0800
Message-ID: <1@host.example.net>
In-Reply-To: <0@host.example.net>
X-Mailer: Foxmail 7.2 [cn]
X-Priority: 3 (Normal)
Precedence: LIST
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain; charset=GBK
Content-Transfer-Encoding: 8bit

hello
--b
Content-Type: application/zip; name="a.b.ZIP"

x
--b--
"""


def facts(data):
    return values_of(fact_tokens(parse(data)), FACT)


def test_a_mail_with_all_facts():
    assert facts(MAIL) == {
        "charset": "gbk",
        "type": "multipart/mixed",
        "second_type": "text/plain",
        "encoding": "8bit",
        "mailer": "foxmail",
        "weekday": "fri",
        "hour": "07",
        "zone": "+0800",
        "from_tld": "cn",
        "from_digits": "yes",
        "reply_domain": "no",
        "id_tld": "net",
        "recipients": "1",
        "is_reply": "yes",
        "subject_start": "re",
        "list": "yes",
        "precedence": "list",
        "priority": "3",
        "mime": "yes",
        "parts": "3",
        "attachment": "zip",
    }
    assert set(facts(MAIL)) == set(FACTS)


def test_what_is_not_known_is_missing():
    known = facts(b"From: nobody\nDate: yesterday\n\nhello")
    assert {"charset", "weekday", "hour", "zone", "from_tld", "mailer"}.isdisjoint(known)
    assert known["is_reply"] == "no"


def test_a_text_has_no_facts():
    assert list(fact_tokens(Message.from_text("From: a@b.example"))) == []


@pytest.mark.parametrize("field", [b"Date", b"From", b"Message-ID", b"Subject", b"X-Mailer"])
@given(value=st.binary(max_size=200))
def test_any_field_gives_short_known_facts(field, value):
    found = facts(field + b": " + value.replace(b"\n", b" ") + b"\nX: y\n\n")
    assert set(found) <= set(FACTS)
    assert all(0 < len(item) <= 40 for item in found.values())
