"""Requests and replies of Gemini's protocol (models/NAME:generateContent), as plain JSON values."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from babelmath.config import Model
from babelmath.engines.base import Image, Request, Response
from babelmath.engines.openai_bodies import MOST_TOKENS, text_of
from babelmath.errors import InputError

# Finish reasons by name (older clients gave numbers, which were read wrongly); any other word, a
# future one too, is an error that says so.
FINISH = {"STOP": "stop", "MAX_TOKENS": "length", "CONTINUATION": "length"} | dict.fromkeys(
    ("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE", "ESCALATION",
     "MODEL_ARMOR", "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION"), "blocked"
)  # fmt: skip
ROLES = {"user": "user", "assistant": "model"}
# Fields of a configuration that stand beside generationConfig in a request.
BESIDE = (
    "cachedContent", "labels", "safetySettings", "serviceTier", "store", "systemInstruction",
    "toolConfig", "tools",
)  # fmt: skip
# Set by the request, or able to turn it elsewhere or to buy what nobody reads.
NO_OPTIONS = (
    "automatic_continuation", "automatic_function_calling", "candidate_count",
    "continuation_token", "http_options", "max_output_tokens", "response_json_schema",
    "response_mime_type", "response_schema", "seed", "should_return_http_response",
    "stop_sequences", "system_instruction", "temperature", "top_p",
)  # fmt: skip


def check_model(model: Model, name: str) -> None:
    """Say what in a model's configuration no request to Gemini can carry.

    Raises:
        InputError: a chat template, or an option that is unknown or set by the request itself.
    """
    from google.genai import types
    from pydantic import ValidationError

    if model.template:
        raise InputError("Gemini has no chat template to give arguments to",
                         field=f"template of {name}", value=model.template,
                         remedy="Write options: {thinking_config: ...} instead.")  # fmt: skip
    fields = types.GenerateContentConfig.model_fields
    names = {field.alias or name: name for name, field in fields.items()}
    for option, value in model.options.items():
        where = {"field": f"options.{option} of {name}", "value": value}
        if names.get(option, option) in NO_OPTIONS:
            raise InputError("is no option: the request sets it", **where, remedy="Leave it out.")
    try:
        types.GenerateContentConfig.model_validate_json(json.dumps(model.options))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        option = ".".join(map(str, first["loc"]))
        raise InputError(
            f"not a field of Gemini's requests: {first['msg']}",
            field=f"options.{option} of {name}",
            remedy="Options are the fields of google-genai's GenerateContentConfig.",
        ) from None


def check_request(request: Request, name: str) -> None:
    """Say why a request cannot be sent.

    Raises:
        InputError: no user's message last (the service would answer an opened turn, not go on from
            it), or a picture that is not there.
    """
    turns = [(role, text) for role, text in request.messages if role != "system"]
    if not turns or turns[-1][0] != "user":
        raise InputError(
            "Gemini cannot go on from an opened turn" if turns else "request without a question",
            field=f"messages to {name}",
            value=turns[-1][1] if turns else None,
            remedy="Ask another model in settings with an opening (DIT, QRT).",
        )
    for image in request.images:
        if not Path(image.path).is_file():
            raise InputError("no such picture", file=image.path, remedy="Check the path.")


def body_of(request: Request, model: Model, name: str) -> dict[str, Any]:
    """The arguments of generate_content: model, contents and config, as JSON values.

    Config's own fields are in snake case, as google-genai names them; `rest_of` gives the form
    that files of the batch service hold.

    Raises:
        InputError: as `check_request`.
    """
    check_request(request, name)
    turns = [(ROLES[role], text) for role, text in request.messages if role != "system"]
    contents: list[dict[str, Any]] = [
        {"role": role, "parts": [{"text": text}]} for role, text in turns
    ]
    contents[-1]["parts"] += map(_picture, request.images)
    config: dict[str, Any] = {
        "temperature": request.temperature,
        "top_p": request.top_p,
        "max_output_tokens": request.max_tokens,
        "seed": request.seed,
    }
    if system := [text for role, text in request.messages if role == "system"]:
        config["system_instruction"] = "\n\n".join(system)
    if request.schema is not None:
        config["response_mime_type"] = "application/json"
        config["response_json_schema"] = json.loads(request.schema)
    return {"model": name, "contents": contents, "config": config | model.options}


def recorded(body: Mapping[str, Any]) -> dict[str, Any]:
    """What was sent, less the messages (their text is in the journal's request)."""
    config = {key: value for key, value in body["config"].items() if key != "system_instruction"}
    return {"model": body["model"], **config}


def rest_of(body: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON of the request itself, as the client sends it and as batch files hold it."""
    from google.genai import types

    system = body["config"].get("system_instruction")
    config = types.GenerateContentConfig.model_validate_json(json.dumps(body["config"]))
    fields = config.model_dump(mode="json", by_alias=True, exclude_none=True)
    rest: dict[str, Any] = {"contents": body["contents"]}
    rest |= {key: fields.pop(key) for key in BESIDE if key in fields}
    if system is not None:
        rest["systemInstruction"] = {"role": "user", "parts": [{"text": system}]}
    return rest | {"generationConfig": fields}


def response_of(reply: Any, sent: dict[str, Any], attempts: list[str], seconds: float) -> Response:
    """The response that a reply gives.

    Args:
        reply: a GenerateContentResponse, as JSON read from the service or from a batch's results.
        sent: see `recorded`.

    Returns:
        A Response; its failure is `empty` where nothing came back and nothing says why.
    """
    reply = reply if isinstance(reply, dict) else {}
    counts = _tokens(reply.get("usageMetadata"))
    candidate = _first(reply.get("candidates"))
    refusal = _dict(reply.get("promptFeedback")).get("blockReason")
    if not candidate and refusal is not None:
        noted = [*attempts, f"prompt blocked {text_of(str(refusal))}"]
        return Response(finish="blocked", sent=sent, attempts=noted, seconds=seconds, **counts)
    text, thinking, left_out = _parts(candidate)
    word = text_of(str(candidate.get("finishReason"))).upper()
    finish = FINISH.get(word, "error")
    if not candidate or (finish == "stop" and not text and not thinking):
        lack = "no text" if candidate else "no candidates"
        paid = f"{counts['prompt_tokens']} + {counts['completion_tokens']} tokens"
        noted = [*attempts, f"empty: {lack} ({paid})"]
        return Response(sent=sent, attempts=noted, failure="empty", seconds=seconds, **counts)
    noted = [f"finish {word}"] if word not in ("STOP", "MAX_TOKENS") else []
    noted += [f"part left out: {kind}" for kind in left_out]
    if text != text_of(text) or thinking != text_of(thinking):
        noted.append("half a character replaced")
    return Response(
        text=text_of(text),
        thinking=text_of(thinking),
        finish=finish,
        seconds=seconds,
        sent=sent,
        attempts=[*attempts, *noted],
        **counts,
    )


def _picture(image: Image) -> dict[str, Any]:
    data = base64.b64encode(Path(image.path).read_bytes()).decode()
    return {"inlineData": {"mimeType": image.mime, "data": data}}


def _parts(candidate: Mapping[str, Any]) -> tuple[str, str, list[str]]:
    """Text, thoughts, and kinds of parts that are neither, of a candidate."""
    text, thinking, left_out = "", "", []
    held = _dict(candidate.get("content")).get("parts")
    for part in held if isinstance(held, list) else []:
        said = _dict(part).get("text")
        if isinstance(said, str):
            if part.get("thought"):
                thinking += said
            else:
                text += said
        else:
            kinds = [kind for kind in _dict(part) if not kind.startswith("thought")]
            left_out += [text_of(kind) for kind in kinds[:1]]
    return text, thinking, left_out


def _tokens(usage: Any) -> dict[str, Any]:
    """Counts as Response's fields; thoughts are new tokens and priced as such."""

    def count(name: str) -> int:
        value = _dict(usage).get(name)
        return value if type(value) is int and 0 <= value < MOST_TOKENS else 0

    thought = count("thoughtsTokenCount")
    return {
        "prompt_tokens": count("promptTokenCount") + count("toolUsePromptTokenCount"),
        "completion_tokens": count("candidatesTokenCount") + thought,
        "thinking_tokens": thought,
    }


def _first(candidates: Any) -> dict[str, Any]:
    return _dict(candidates[0]) if isinstance(candidates, list) and candidates else {}


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
