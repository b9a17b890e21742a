"""How well the text of mail is decoded: replacement characters and mojibake.

Run as ``python benchmarks/charsets.py FOLDER`` (a folder of Chinese mail, such as trec06c); prints
a Markdown table.  "declared" decodes each text part as its declaration says, or as UTF-8, with
replacement; "spamnb" is `spamnb.mail.parser.parse`.  A mail counts as mojibake when more than 5 %
of its Han characters are outside GB2312, the 6,763 characters of everyday simplified Chinese.
"""

import datetime
import email
import email.policy
import re
import sys
from collections import Counter

from spamnb.mail.parser import parse
from spamnb.mail.sources import read_mails

HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")


def gb2312_characters() -> frozenset[str]:
    """Return all Han characters of GB2312."""
    rows = (bytes((high, low)) for high in range(0xB0, 0xF8) for low in range(0xA1, 0xFF))
    return frozenset("".join(pair.decode("gb2312", "ignore") for pair in rows))


def as_declared(data: bytes) -> str:
    """Return the text of all text parts, decoded as declared."""
    texts = []
    for part in email.message_from_bytes(data, policy=email.policy.compat32).walk():
        if part.get_content_maintype() != "text":
            continue
        payload = part.get_payload(decode=True) or b""
        try:
            texts.append(payload.decode(part.get_content_charset() or "utf-8", "replace"))
        except LookupError:
            texts.append(payload.decode("utf-8", "replace"))
    return "\n".join(texts)


def as_parsed(data: bytes) -> str:
    """Return the text of all text parts, decoded by spamnb."""
    return "\n".join(part.text for part in parse(data).parts)


def main() -> None:
    """Measure and print."""
    common = gb2312_characters()
    counts: dict[str, Counter[str]] = {"declared": Counter(), "spamnb": Counter()}
    defects: Counter[str] = Counter()
    n_mails = 0
    for mail in read_mails(sys.argv[1]):
        n_mails += 1
        defects.update(defect.value for defect in parse(mail.data).defects)
        for name, decoded in (("declared", as_declared), ("spamnb", as_parsed)):
            text = decoded(mail.data)
            han = HAN.findall(text)
            rare = sum(character not in common for character in han)
            counts[name]["characters"] += len(text)
            counts[name]["replaced"] += text.count("\ufffd")
            counts[name]["mojibake"] += rare > 0.05 * len(han)
    print(f"{datetime.date.today()}, {n_mails:,} mails\n")
    print("| | U+FFFD, % of characters | mojibake, % of mails |\n|---|---|---|")
    for name, count in counts.items():
        replaced = 100 * count["replaced"] / count["characters"]
        print(f"| {name} | {replaced:.3f} | {100 * count['mojibake'] / n_mails:.2f} |")
    print("\nDefects, by number of mails: ", end="")
    print(", ".join(f"{kind} {number:,}" for kind, number in defects.most_common()))


if __name__ == "__main__":
    main()
