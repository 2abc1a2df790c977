"""A run whose texts try what a model's text must not do, and some that are hard to set."""

from __future__ import annotations

from explorer_runs import Made

SCRIPT = "Before <script>window.owned = 1</script> after"
IMAGE = '<img src="http://198.51.100.1/x.png" onerror="window.owned = 2">'
BREAKING = (
    r"Then $x < y </script><script>window.owned = 3</script>$ and $\href{javascript:owned}{z}$"
)
BROKEN = r"So $\frac{1}{$ and \(\left( x\) and $\undefinedthing{x}$ and ${{{$ and $x^$."
LONG = " ".join(
    f"Step {number}: we find $x_{{{number}}}=\\frac{{{number}}}{{7}}$ again.\n"
    if number % 5 == 0
    else f"Wait, let me check number {number} once more."
    for number in range(4000)
)  # about 32,000 tokens
ARABIC = "نحسب $x^2+1=5$ ثم نجد أن $x=2$.\nThe English line.\nالجواب هو $\\boxed{2}$."
BANGLA = "স্ত্রী ও ক্ষুদ্র সংখ্যা: $\\text{ক্ষেত্রফল}=\\frac{1}{2}$। উত্তর $৫$ টাকা।"
OVERRIDE = "safe \u202edetrevni\u202c text, \u2066isolated\u2069, zero\u200bwidth, end"
CONTROLS = "nul \x00 here, escape \x1b[31m, \\ud800 written out, carriage\r\nreturn \ufeff."
MONEY = "It costs $5 and $7, or \\$3; but $5+7=12$ dollars."
MATHS = (
    "Inline $\\sum_{i=1}^n i=\\frac{n(n+1)}{2}$, display $$\\int_0^1 x^2\\,dx=\\frac13$$ then\n"
    "\\begin{align*}a&=b+c\\\\&=d\\end{align*}\n"
    "\\[\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}\\begin{cases}x&x>0\\\\-x&x\\le 0\\end{cases}\\]\n"
    "$\\overline{AB}\\parallel\\overrightarrow{CD}$, $50\\%$, $\\sqrt[3]{x}$, $\\binom{n}{k}$, "
    "$\\mathbb{R}$, \\boxed{\\dfrac{3}{4}}"
)

HOSTILE = [
    Made("h-01", "en", SCRIPT, question=f"{SCRIPT} {IMAGE}", reason=IMAGE, extracted=SCRIPT),
    Made("h-02", "en", IMAGE, thinking=IMAGE),
    Made("h-03", "en", BREAKING, status="wrong", judge="NO"),
    Made("h-04", "en", BROKEN, status="wrong"),
    Made("h-05", "en", "The answer is $\\boxed{2}$.", thinking=LONG),
    Made("h-06", "ar", ARABIC, thinking=ARABIC, labels=("ar", "ar"), question=ARABIC),
    Made("h-07", "bn", BANGLA, labels=("en", "bn"), question=BANGLA),
    Made("h-08", "en", OVERRIDE),
    Made("h-09", "en", CONTROLS, raw="x" + CONTROLS),
    Made("h-10", "en", MONEY),
    Made("h-11", "en", MATHS, thinking=MATHS),
    Made("h-12", "en", "", status="no_answer", extracted=None, flags=("text not released",)),
    Made("h-13", "fr", "La réponse est 5.", labels=("en", "fr"), sample=0),
    Made("h-13", "fr", "La réponse est 6.", labels=("fr", "en"), sample=1, status="wrong",
         judge="YES", model="m-two"),
    Made("h-14", "en", "B", setting="mcq", model="m-two"),
    Made("h-15", "en", "Step 1 is wrong.", setting="identify", model="m-two", judge="TP"),
]  # fmt: skip
TASKS = {"mcq": "choose", "identify": "identify"}
