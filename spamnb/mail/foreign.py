"""What other programs have written into a mail: verdicts of spam filters, files inside the text.

A filter that learns another filter's verdict stops looking at the mail itself, and fails with it.
"""

from __future__ import annotations

import re

# Fields in which spam filters write their verdicts; those of spamnb itself too.
_VERDICT_FIELD = re.compile(
    r"x-(?:.*spam|.*bogosity|crm114|dspam|rspamd|ham-report|sa-|razor|pyzor|dcc-|assp-|virus"
    r"|amavis|mailscanner|barracuda|ironport-av|ironport-anti|proofpoint|forefront|cmae|vade"
    r"|ms-exchange-organization-scl|microsoft-antispam|ovh-|tm-as-|cloudmark|brightmail|junk)",
    re.IGNORECASE,
)
_SUBJECT_MARK = re.compile(
    r"\s*(?:\*{2,}\s*(?:spam|junk)\s*\*{2,}|\[[\s*]*(?:spam|junk|bulk)[\s*]*\]"
    r"|\{\s*(?:spam|junk)\s*\?*\s*\})\s*",
    re.IGNORECASE,
)

# SpamAssassin 3, report_safe: what it says before and after the preview of the original.
_REPORT_HEAD = re.compile(
    r"^Spam detection software, running on the system(?s:.{0,1500}?)\n[ \t]*\n", re.MULTILINE
)
_REPORT_TAIL = re.compile(
    r"^Content analysis details:.*\n"
    r"(?:[ \t]*\n|[ \t]*pts rule name.*\n|[- ]{4,}\n|[ \t]*-?\d+\.\d .*\n|[ \t]{10,}\S.*\n)*",
    re.MULTILINE,
)
# SpamAssassin 2 wrote its report into the text, each line marked.
_OLD_REPORT_LINE = re.compile(r"^SPAM: .*\n?", re.MULTILINE)

_FILE_BEGIN = re.compile(
    r"^(?:begin [0-7]{3,4} ([^\n]{1,255})|=ybegin [^\n]{0,255}?\bname=([^\n]{1,255}))\n",
    re.MULTILINE,
)


def is_verdict_field(name: str) -> bool:
    """Tell whether a header field is one in which spam filters write."""
    return bool(_VERDICT_FIELD.match(name))


def without_subject_mark(subject: str) -> str:
    """Return a subject without a mark such as ``*****SPAM*****`` at its beginning."""
    match = _SUBJECT_MARK.match(subject)
    return subject[match.end() :] if match else subject


def without_report(text: str) -> str:
    """Return a text without what SpamAssassin reports in it; the preview of the mail stays."""
    if "SPAM: " in text and "SpamAssassin results" in text:
        text = _OLD_REPORT_LINE.sub("", text)
    if "Spam detection software" in text:
        text = _REPORT_TAIL.sub("", _REPORT_HEAD.sub("\n", text, count=1), count=1)
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
            end = text.find("\n", text.index("\n=yend", end - 1) + 1) + 1 or len(text)
        if end == match.end():  # nobody's file, only a line of text
            kept.append(text[position:end])
        else:
            kept.append(text[position : match.start()])
            kind = "application/x-yenc" if uu_name is None else "application/x-uuencode"
            files.append((kind, (uu_name or yenc_name).strip()))
        position = end
    kept.append(text[position:])
    return "".join(kept), files


def _end_of_uu(text: str, position: int) -> int:
    """Return the position after the lines that uuencode can have written, and their ``end``."""
    start = position
    while position < len(text):
        line_end = text.find("\n", position)
        line_end = len(text) if line_end < 0 else line_end
        line = text[position : min(line_end, position + 80)].rstrip()
        if line == "end" and position > start:
            return min(line_end + 1, len(text))
        if not (line == "`" or _is_uu_line(line)):
            return position
        position = min(line_end + 1, len(text))
    return position


def _is_uu_line(line: str) -> bool:
    """Tell whether the first letter says the length of the rest, as uuencode writes."""
    if not line or not " " <= line[0] <= "`":
        return False
    encoded = -(-((ord(line[0]) - 32) & 63) // 3) * 4
    return encoded > 0 and encoded <= len(line) - 1 <= encoded + 1
