// Data packets: each is a script that calls explorer.deliver(name, base64 of raw deflate).
// From disk a page may load scripts and nothing else.
"use strict";

const explorer = {};

(() => {
  const KEPT = 6; // chunks in memory, besides the index
  const NAME = /^[a-z0-9][a-z0-9.-]*(\/[a-z0-9][a-z0-9.-]*)*$/;
  const waiting = new Map(); // name -> {resolve, reject}
  const chunks = new Map(); // name -> promise of a chunk, the oldest first

  // The one kind of address that becomes a script: a packet of this page.
  const address = (name) => {
    if (!NAME.test(name)) throw new Error(`no name of a packet: ${name}`);
    return `data/${name}.js`;
  };
  const policy = window.trustedTypes
    ? window.trustedTypes.createPolicy("explorer", { createScriptURL: address })
    : { createScriptURL: address };

  function decoded(base64) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
    return bytes;
  }

  function inflated(bytes) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Response(stream).arrayBuffer();
  }

  function packet(name) {
    return new Promise((resolve, reject) => {
      waiting.set(name, { resolve, reject });
      const script = document.createElement("script");
      script.src = policy.createScriptURL(name);
      script.onload = () => script.remove();
      script.onerror = () => {
        waiting.delete(name);
        script.remove();
        reject(new Error(`data/${name}.js cannot be read`));
      };
      document.head.append(script);
    });
  }

  explorer.deliver = (name, base64) => {
    const one = waiting.get(name);
    if (!one) return; // nobody asked
    waiting.delete(name);
    inflated(decoded(base64)).then(one.resolve, one.reject);
  };

  // A chunk: {texts, formulas, rows}.
  explorer.chunk = (name) => {
    const held = chunks.get(name);
    const found = held || packet(name).then((buffer) => JSON.parse(new TextDecoder().decode(buffer)));
    chunks.delete(name);
    chunks.set(name, found);
    if (!held) found.catch(() => chunks.delete(name));
    while (chunks.size > KEPT) chunks.delete(chunks.keys().next().value);
    return found;
  };

  // The index: {head, size, columns by name: {values, words}}.
  explorer.index = async () => {
    const buffer = await packet("index");
    const length = new DataView(buffer).getUint32(0, true);
    const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
    const kinds = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array };
    const columns = {};
    for (const one of head.columns) {
      const values = new kinds[one.bytes](buffer, 4 + length + one.start, head.shown);
      columns[one.name] = { values, words: one.words };
    }
    return { head, size: head.shown, columns };
  };
})();
