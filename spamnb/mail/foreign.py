"""What other programs wrote into a mail: verdicts of spam filters, files inside the text.

A filter that learns another filter's verdict stops looking at the mail itself, and fails with it.
"""

from __future__ import annotations

import re

from spamnb.memo import Memo
from spamnb.patterns import lazy_pattern

# Fields in which spam filters write their verdicts; those of spamnb itself too.
_VERDICT_FIELD = lazy_pattern(
    r"x-(?:.*spam|.*bogosity|crm114|dspam|rspamd|ham-report|sa-|razor|pyzor|dcc-|assp-|virus"
    r"|amavis|antivirus|text-classification|mailscanner|barracuda|ironport-av|ironport-anti|proofpoint|forefront|cmae|vade"
    r"|ms-exchange-organization-scl|microsoft-antispam|ovh-|tm-as-|cloudmark|brightmail|junk)",
    re.IGNORECASE,
)
_X = ("x", "X")
_MARKS = frozenset("*[{【")
_SUBJECT_MARK = lazy_pattern(
    r"((?:(?:re|fwd?|aw|wg)[ \t]*:[ \t]*)*)"
    r"(?:\*{2,}[ \t]*(?:possible[ \t]+|suspected[ \t]+)?(?:spam|junk)[\d.,/():? \t]{0,20}\*{2,}"
    r"|\[[ \t*]*(?:possible[ \t]+|suspected[ \t]+)?(?:spam|junk|bulk)[\d.,/():?* \t]{0,20}\]"
    r"|\{(?:[ \t]*(?:spam|junk)[ \t?]*|disarmed)\}"
    r"|【垃圾邮件】)[ \t]*",
    re.IGNORECASE,
)

# SpamAssassin 3, report_safe: what it says before and after the preview of the original.
_REPORT_HEAD = lazy_pattern(
    r"^Spam detection software, running on the system(?s:.{0,1500}?)\n[ \t]*\n", re.MULTILINE
)
_REPORT_TAIL = lazy_pattern(
    r"^Content analysis details:.*\n"
    r"(?:[ \t]*\n|[ \t]*pts rule name.*\n|[- ]{4,}\n|[ \t]*-?\d+\.\d .*\n|[ \t]{10,}\S.*\n)*",
    re.MULTILINE,
)
_REPORT_WARNING = lazy_pattern(
    r"^The original message was not completely plain text(?s:.{0,500}?)open it with an editor\.\n",
    re.MULTILINE,
)
# SpamAssassin 2 wrote its report into the text, each line marked.
_OLD_REPORT_LINE = lazy_pattern(r"^SPAM:(?: .*)?\n?", re.MULTILINE)

_FILE_BEGIN = lazy_pattern(
    r"^(?:begin [0-7]{3,4} ([^\n]{1,255})"
    r"|=ybegin (?:part=\d+ )?(?:total=\d+ )?line=\d+ size=\d+ name=([^\n]{1,255}))\n",
    re.MULTILINE,
)
_UU_CHARACTERS = lazy_pattern(r"[ -`]{0,62}$")
_UU_LAST = lazy_pattern(r"\n(?:[ `]?\n)?end[ \t]*(?:\n|$)")


def _is_verdict_field(name: str) -> bool:
    return bool(_VERDICT_FIELD.match(name))


# The same names come in mail after mail.
_IS_VERDICT_FIELD = Memo(_is_verdict_field, 1 << 10)


def is_verdict_field(name: str) -> bool:
    """Return whether a header field is one that spam filters write."""
    return name[:1] in _X and _IS_VERDICT_FIELD[name]


def without_verdicts(fields: list[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """Return the fields that no spam filter writes."""
    # Few names begin with X; the others need no call.
    return [field for field in fields if field[0][:1] not in _X or not is_verdict_field(field[0])]


def without_subject_mark(subject: str) -> str:
    """Return a subject without marks such as ``*****SPAM*****`` at its beginning."""
    if _MARKS.isdisjoint(subject):
        return subject
    for _ in range(5):
        match = _SUBJECT_MARK.match(subject)
        if match is None:
            break
        subject = match[1] + subject[match.end() :]
    return subject


def without_report(text: str) -> str:
    """Return a text without what SpamAssassin reports in it; the preview of the mail stays."""
    if "SPAM:" in text and "SpamAssassin results" in text:
        text = _OLD_REPORT_LINE.sub("", text)
    if "Spam detection software" in text:
        text = _REPORT_TAIL.sub("", _REPORT_HEAD.sub("\n", text, count=1), count=1)
        text = _REPORT_WARNING.sub("", text, count=1)
    return text


def split_files(text: str) -> tuple[str, list[tuple[str, str]]]:
    """Take uuencoded and yEnc files out of a text.

    Parameters
    ----------
    text : str
        The text of a part, with newlines as line ends.

    Returns
    -------
    text : str
        The text around the files.
    files : list of (str, str)
        The content type (``application/x-uuencode`` or ``application/x-yenc``) and the name of
        each.
    """
    files: list[tuple[str, str]] = []
    if "begin " not in text:
        return text, files
    last_yend = text.rfind("\n=yend")
    kept: list[str] = []
    position = 0
    while match := _FILE_BEGIN.search(text, position):
        uu_name, yenc_name = match.groups()
        end = match.end()
        if uu_name is not None:
            end = _end_of_uu(text, end)
        elif end <= last_yend:
            end = _end_of_yenc(text, end)
        if end == match.end():  # not a file, just a line of text
            kept.append(text[position:end])
        else:
            kept.append(text[position : match.start()])
            kind = "application/x-yenc" if uu_name is None else "application/x-uuencode"
            files.append((kind, (uu_name or yenc_name).strip()))
        position = end
    kept.append(text[position:])
    return "".join(kept), files


def _end_of_uu(text: str, position: int) -> int:
    """Return the position after the lines that uuencode may have written, and their ``end``."""
    start = position
    while position < len(text):
        line_end = text.find("\n", position)
        line_end = len(text) if line_end < 0 else line_end
        line = text[position : min(line_end, position + 80)].rstrip()
        if line == "end" and position > start:
            return min(line_end + 1, len(text))
        is_last = bool(_UU_LAST.match(text, line_end))
        if not (is_last and _UU_CHARACTERS.match(line)) and not _is_uu_line(line):
            return position
        position = min(line_end + 1, len(text))
    return position


def _is_uu_line(line: str) -> bool:
    """Return whether the first character gives the length of the rest, as uuencode writes it.

    Zero bytes can be written as spaces, which get lost at the end of a line; with half of it
    lost, it could just as well be a line of words.
    """
    if not line or not " " <= line[0] <= "`":
        return False
    encoded = -(-((ord(line[0]) - 32) & 63) // 3) * 4
    return encoded > 0 and encoded / 2 <= len(line) - 1 <= encoded + 1


def _end_of_yenc(text: str, position: int) -> int:
    """Return the position after ``=yend``, or the same position if plain text precedes it."""
    end = text.index("\n=yend", position - 1)
    n_spaces = text.count(" ", position, end)
    if n_spaces > 5 + 0.05 * (end - position):
        return position
    return text.find("\n", end + 1) + 1 or len(text)
