"""Words around option letters and YES/NO, in the languages of the two papers.

Final-answer phrases, copulas and conjunctions are the languages' own data; here stand the words
that only choices need: what an option is called, what denies a letter, what says yes and no.
"""

from __future__ import annotations

# What the prompts themselves ask for, whatever the language.
ANSWER_WORDS = ("answer", "ans.", "ans:")
COPULAS = (
    "is", "are", "be", "would", "must", "should", "will", "seems", "appears", "to", "likely",
    "probably", "clearly", "definitely", "therefore", "thus", "then", "indeed", "simply",
)  # fmt: skip
OPTION_WORDS = (
    "options", "option", "choice", "letter", "alternative", "বিকল্পটি", "বিকল্প", "অপশন", "opción",
    "opcion", "inciso", "opção", "alternativa", "proposition", "vaihtoehto", "kohta", "seçenek",
    "seçeneği", "şık", "variantas", "нұсқа", "нұсқасы", "вариант", "选项", "選項", "選択肢",
    "선택지", "보기", "ตัวเลือก", "ข้อ", "phương án", "câu", "الخيار", "الاختيار",
)  # fmt: skip
CHOOSING = (
    "choose", "chose", "choosing", "pick", "select", "selecting", "go with", "going with",
    "opt for", "selected", "chosen", "选择", "選擇", "选", "選",
)  # fmt: skip
# Directly before a letter.
DENIED_BEFORE = (
    "not", "n't be", "n't", "cannot be", "can not be", "never", "nor", "neither", "except",
    "excluding", "rules out", "rule out", "ruled out", "ruling out", "eliminates", "eliminate",
    "eliminating", "excludes", "exclude", "reject", "rejecting", "discard", "instead of",
    "rather than", "pas", "no es", "não é", "no", "não", "ei", "ei ole", "ne", "nėra", "不是", "非",
    "ไม่ใช่", "không phải", "không phải là", "ليس", "ليست",
)  # fmt: skip
# After a letter, behind a copula where the language has one.
DENIED_AFTER = (
    "isn't", "aren't", "can't be", "cannot be", "doesn't", "does not", "wrong", "incorrect",
    "false", "invalid", "impossible", "ruled out", "eliminated", "excluded",
    "a distractor", "a common distractor", "the distractor", "a trap", "ভুল", "নয়", "সঠিক নয়",
    "n'est pas", "est fausse", "est faux", "est incorrecte", "est incorrect", "no es",
    "es incorrecta", "es incorrecto", "es falsa", "não é", "é incorreta", "é falsa", "está errada",
    "ei ole", "on väärin", "on väärä", "değil", "yanlış", "nėra", "neteisingas", "емес", "қате",
    "不对", "错误", "不正确", "錯誤", "不正確", "は間違い", "は誤り", "ではない", "ではなく",
    "じゃなく", "は正しくない",
    "은 틀", "는 틀", "이 아니", "가 아니", "ผิด", "ไม่ถูก", "ไม่ใช่", "sai", "không đúng", "không phải",
    "خطأ", "خاطئ", "غير صحيح", "ليس", "ليست",
)  # fmt: skip
# After a letter and a few words: languages that deny at the end of a sentence.
DENIED_LAST = (
    "নয়",
    "নহে",
    "değil",
    "değildir",
    "емес",
    "ではない",
    "ではありません",
    "아니다",
    "아닙니다",
)
# After a letter, behind a copula where the language has one: the letter is the answer.
AFFIRMED_AFTER = (
    "the answer", "the correct", "the right", "the best", "the only correct", "my answer",
    "correct", "right", "সঠিক", "est correcte", "est correct", "est la bonne", "est juste",
    "es correcta", "es la correcta", "es la respuesta", "é correta", "é a correta", "é a resposta",
    "está correta", "on oikein", "on oikea", "doğru", "teisingas", "дұрыс", "正确", "正確",
    "が正しい", "が正解", "が答え", "이 정답", "가 정답", "이 맞", "가 맞", "ถูกต้อง", "ถูก", "đúng",
    "صحيح", "صحيحة", "هو الصحيح", "هي الصحيحة", "هو الجواب", "هي الإجابة",
)  # fmt: skip
# Before a letter that is a name in a figure or a set, not an option.
NAMED = (
    "point", "points", "vertex", "angle", "set", "sets", "matrix", "event", "line", "segment",
    "side", "triangle", "circle", "vector", "node", "bag", "box", "car", "train", "pipe", "city",
    "person", "team", "বিন্দু", "সেট", "কোণ", "বাহু",
)  # fmt: skip
YES = (
    "yes", "হ্যাঁ", "হাঁ", "জি", "oui", "sí", "sim", "kyllä", "evet", "taip", "иә", "ия", "是", "是的",
    "有", "はい", "예", "네", "있습니다", "ใช่", "มี", "có", "نعم",
)  # fmt: skip
NO = (
    "no", "না", "non", "não", "ei", "hayır", "ne", "жоқ", "否", "不是", "没有", "沒有", "いいえ",
    "아니요", "아니오", "없습니다", "ไม่", "ไม่ใช่", "ไม่มี", "không", "لا", "كلا",
)  # fmt: skip
# These say yes or no wherever they stand; the others are also ordinary words.
CERTAIN = frozenset(
    [
        "yes", "no", "হ্যাঁ", "oui", "kyllä", "evet", "taip", "иә", "はい", "نعم", "hayır", "いいえ",
        "아니요", "아니오",
    ]
)  # fmt: skip
ERRORS = ("error", "errors", "mistake", "mistakes", "flaw", "flaws", "issue", "issues")
