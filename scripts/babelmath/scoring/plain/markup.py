r"""Markdown, HTML, mathematics' marks, layout and fonts: what changes the look and no value."""

from __future__ import annotations

import html
import re

from babelmath.scoring.plain.draft import Draft

_FENCE = re.compile(r"```[A-Za-z]*")
_POWER = re.compile(r"(?<=[\dA-Za-z)}\]])\*\*(?=[\dA-Za-z({\\-])")
_EMPHASIS = re.compile(
    r"(?<![\w\\)}*])\*(?=[^\s*])([^*\n]*[^\s*])\*(?![\w*(])"
    r"|(?<![\w\\)}\]])_(?=[^\s_{])([^_\n]*[^\s_])_(?!\w)"
)
_HEADING = re.compile(r"^\s*#{1,6}\s+", re.MULTILINE)
_TAG = re.compile(r"<(b|i|u|em|strong|p|span|div|center|code|math)>([^<>]*)</\1>", re.IGNORECASE)
_INDEX_TAG = re.compile(r"<(su[pb])>([^<>]*)</\1>", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:nbsp|lt|gt|amp|times|minus|deg|le|ge|ne|pi|frac12|#\d{1,6});")

_MONEY = re.compile(r"(?<![A-Za-z])(?:R|US|HK|NT)\$\s?(?=\d)")
_DOUBLE_DOLLAR = re.compile(r"(?<!\\)\$\$")
_DOLLAR = re.compile(r"(?<!\\)(?:\$|\\[()\[\]])")

_ENVIRONMENT = re.compile(
    r"\\(?:begin|end)\s*\{(?:align|aligned|alignat|gather|gathered|equation|eqnarray|multline|split"
    r"|displaymath|math|center|flalign)\*?\}"
)
_KEPT_ROWS = re.compile(r"\\begin\s*\{")
_ALIGNMENT = re.compile(r"(?<!\\)&")
_SIZES = re.compile(
    r"\\(?:left|right|middle)\.(?!\d)|\\(?:left|right|middle|[bB]ig{1,2}[lrm]?|displaystyle"
    r"|textstyle|scriptstyle|limits|nolimits|nonumber|notag|hfill|strut|mathstrut|centering"
    r"|noindent|large|Large|huge|small|allowbreak|mathord|mathop|mathbin|mathrel"
    r"|mathopen|mathclose|ensuremath)(?![a-zA-Z])\s*"
)
_SPACES = re.compile(
    r"(?<!\\)\\[,;:!]|(?<!\\)\\ |~|\\(?:quad|qquad|enspace|thinspace|medspace|thickspace"
    r"|nobreakspace|space)(?![a-zA-Z])|\\[hv]space\*?\s*\{[^{}]*\}|\\(?:phantom|hphantom|vphantom"
    r"|label|tag)\s*\*?\{[^{}]*\}"
)
_ROW_LENGTH = re.compile(r"(?<=\\\\)\s*\[\s*-?\d*\.?\d+\s*(?:pt|em|ex|cm|mm)\s*\]")
_EMPTY_GROUP = re.compile(r"(?<![\^_}a-zA-Z])\{\s*\}")

_BOLD = re.compile(
    r"\\(?:mathbf|mathit|mathsf|mathtt|mathnormal|bm|boldsymbol|pmb|symbf|boxed|fbox|underline"
    r"|textcolor\s*\{[^{}]*\}|color\s*\{[^{}]*\})\s*\{((?:[^{}]|\{[^{}]*\})*)\}"
)
_COLOUR = re.compile(r"\\color\s*\{[^{}]*\}")
_TEXT_FONT = re.compile(
    r"\\(?:textbf|textit|texttt|textrm|textsf|textsc|textsl|textnormal|textup|textmd|emph|mbox"
    r"|hbox)\s*(?=\{)"
)
_TEXT = re.compile(r"\\(?:text|mathrm|operatorname\*?)\s*\{([^{}]*)\}")
_UPRIGHT = re.compile(r"\{\s*\\(?:rm|bf|it)(?![a-zA-Z])\s*([^{}]*)\}")


_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_ARGUMENT = re.compile(r"(?:\\[a-zA-Z]+|[\^_}\]])\s*$")


def plain_markup(draft: Draft) -> None:
    """Drop Markdown and HTML; drop mathematics' marks, but never the dollar of a price."""
    text = draft.text
    if "*" in text or "_" in text or "`" in text or "#" in text:
        draft.put("markdown", _without_markdown(text))
    if "<" in text or "&" in text:
        draft.put("html", _without_html(draft.text))
    if "$" in text or "\\" in text:
        draft.put("currency signs", _MONEY.sub(r"\\$", draft.text))
        spaced = _DOUBLE_DOLLAR.sub(" ", draft.text.strip())
        draft.put("dollars", _DOLLAR.sub("", spaced).strip())


def plain_layout(draft: Draft) -> None:
    r"""Drop sizes, blanks, fonts and environments that only lay out; \text keeps its words."""
    if "\\" not in draft.text and "~" not in draft.text and "&" not in draft.text:
        return
    text = _ENVIRONMENT.sub(" ", draft.text)
    if not _KEPT_ROWS.search(text):
        text = _ALIGNMENT.sub("", text)
    text = _EMPTY_GROUP.sub("", _ROW_LENGTH.sub("", _SIZES.sub("", text)))
    text = re.sub(r"\s+", " ", _SPACES.sub(" ", text)).strip()
    draft.put("layout", text)
    text = _TEXT_FONT.sub(r"\\text", _COLOUR.sub("", _BOLD.sub(r"\1", draft.text)))
    text = _UPRIGHT.sub(r"\\mathrm{\1}", text)
    draft.put("fonts", _TEXT.sub(_numeral_alone, text))


def balanced_braces(text: str) -> str:
    r"""Braces in pairs, where it is certain: a stray one goes, an argument is closed at the end.

    An open argument with a comma after it could end before it: \frac{1}{\sqrt{2}, 0 stays.
    """
    if "{" not in text and "}" not in text:
        return text
    open_: list[int] = []
    stray: list[int] = []
    for match in _BRACE.finditer(text):
        if match[0] == "{":
            open_.append(match.start())
        elif match[0] == "}":
            if open_:
                open_.pop()
            else:
                stray.append(match.start())
    if not open_ and not stray:
        return text
    if open_ and re.search(r"[,;]", text[open_[0] :]):
        return text
    arguments = [place for place in open_ if _ARGUMENT.search(text[:place][-40:])]
    dropped = {*stray, *(place for place in open_ if place not in arguments)}
    kept = "".join(char for place, char in enumerate(text) if place not in dropped)
    return kept + "}" * len(arguments)


def _without_markdown(text: str) -> str:
    text = _FENCE.sub("", text).replace("`", "")
    if text.count("**") == 1:
        text = _POWER.sub("^", text)
    text = _HEADING.sub("", text.replace("**", "").replace("__", ""))
    return _EMPHASIS.sub(lambda match: match[1] or match[2], text)


def _without_html(text: str) -> str:
    text = _INDEX_TAG.sub(lambda m: ("^" if m[1].lower() == "sup" else "_") + f"{{{m[2]}}}", text)
    text = _BREAK.sub("\n", _TAG.sub(r"\2", text))
    return _ENTITY.sub(lambda match: html.unescape(match[0]), text)


def _numeral_alone(match: re.Match[str]) -> str:
    r"""\text{13} and \mathrm{3.5} as their number; words and letters keep their font."""
    inside = match[1]
    if re.search(r"[^\W\d_]", inside) or not inside.strip():
        return match[0] if inside.strip() else " "
    return inside if "operatorname" not in match[0] else match[0]
