import pytest

from spamnb.mail.message import Message, Part


def test_a_text_without_headers_makes_a_message():
    message = Message.from_text("免费")
    assert (message.subject, message.headers, message.defects) == ("", (), ())
    assert message.parts == (Part("text/plain", text="免费"),)


def test_the_first_subject_counts_in_any_case():
    message = Message((("From", "a"), ("SUBJECT", "first"), ("Subject", "second")))
    assert message.subject == "first"


def test_all_values_of_a_name_come_in_order_and_in_any_case():
    message = Message((("Received", "b"), ("X-A", "1"), ("received", "a")))
    assert list(message.header_values("RECEIVED")) == ["b", "a"]
    assert list(message.header_values("x-b")) == []


def test_nothing_makes_an_empty_message():
    assert (Message().subject, Message().headers, Message().parts) == ("", (), ())


@pytest.mark.parametrize(
    ("part", "is_attachment"),
    [
        (Part("text/plain"), False),
        (Part("text/html", disposition="inline"), False),
        (Part("message/delivery-status"), False),
        (Part("multipart/mixed", filename="x"), False),
        (Part("text/plain", filename="notes.txt"), True),
        (Part("text/plain", disposition="attachment"), True),
        (Part("image/png"), True),
        (Part("message/rfc822"), True),
    ],
)
def test_what_is_an_attachment(part, is_attachment):
    assert part.is_attachment == is_attachment
    assert list(Message(parts=(part,)).attachments) == [part] * is_attachment
