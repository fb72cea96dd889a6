// What a heading, or a line that leads into a list, says about what is below it. The words stand here and nowhere else;
// what they leave open, the content of the section decides (section-roles.ts).

import { isMarkedDone, remembered } from "../spec/cues.js";
import { headingName, sameWords } from "./wording.js";

/** Why the words of such a section are no task. */
export const LEFT_OUT = {
  testing: "Says how to check the work: its commands are the checks of the tasks.",
  acceptance: "Says when the work is done.",
  overview: "Describes the whole: it is in the overview of the plan.",
  motivation: "Explains why, not what to do.",
  goals: "A goal: it is listed among the goals of the plan.",
  nonGoals: "The spec itself leaves it out: it is listed among the non-goals of the plan.",
  future: "The spec leaves it for later.",
  done: "The spec says that it is done.",
  risks: "A risk: it is listed among the risks of the plan.",
  questions: "An open question: it asks for an answer, not for work.",
  assumptions: "An assumption: it is recorded, nothing is built for it.",
  constraints: "Holds for every task: it is in their bodies.",
  decisions: "A decision that was taken: it is listed among the decisions of the plan.",
  design: "Describes the design: the work for it is asked for elsewhere in the spec.",
  glossary: "Explains words.",
  users: "Says who it is for.",
  examples: "An example: nothing is built for it.",
  references: "Background for readers: asks for no work.",
  notes: "A note for readers: asks for no work.",
  metrics: "A figure to reach after the work: nothing is built for it.",
  process: "Says how or when people work: asks for no work of its own.",
  discussion: "What was said in a meeting: asks for no work by itself.",
  rollback: "Says how to take the work back: it is in the rollback of the plan.",
  document: "About the document itself.",
};

export type SectionRole = keyof typeof LEFT_OUT | "work" | "unclear";

export interface HeadingRole {
  readonly role: SectionRole;
  /** The words alone settle it; otherwise the content may still make it work. */
  readonly isSure: boolean;
}

type HeadingWords = Readonly<Partial<Record<SectionRole, RegExp>>>;

/** In the form of `sameWords`; the first that fits counts. */
const SURE: HeadingWords = {
  document: /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day\b.*\d.*|\d{4} \d{1,2} \d{1,2}\b.*)$/,
  questions: /\bopen (?:questions?|issues?|points?)\b|\bunresolved\b|^tbd\b|\bpending decisions?\b/,
  nonGoals:
    /(?<!^(?:goals?|(?:in )?scope) (?:and )?)\bnon ?goals?\b|\bnon (?:objectives?|requirements?)\b|\bout of scope\b|\bnot in scope\b|\bexclusions?\b|^excluded\b|\bwon ?t (?:do|have)\b|\bnot (?:doing|included)\b|^(?:known )?limitations$|^cut\b/,
  future:
    /\bfuture\b(?! proof)|\blater\b|\bsomeday\b|\bnice to haves?\b|\bstretch(?: goals?)?\b|\bpost mvp\b|\bdeferred\b|^(?:more )?ideas\b|\bwish ?list\b|\bparking lot\b|\bicebox\b|\bpostponed\b/,
  acceptance:
    /^scenario\b|\bacceptance\b|\bdefinition of (?:done|ready)\b|\b(?:exit|success|launch|graduation) criteria\b/,
  done: /^(?:done|completed?)(?: work)?$|\balready (?:done|exists?)\b|^(?:change ?log|release notes|implementation history)$/,
  metrics: /\bkpis?\b|\bkey results?\b|\bsuccess (?:indicators?|measures?|metrics?)\b|\bkey metrics?\b/,
  glossary:
    /\bpriority levels?$|^legend$|\bglossary\b|\bterminology\b|\bacronyms?\b|\babbreviations?\b|^(?:key )?terms(?: and definitions)?$|^definitions?\b(?! of)|\bkey ?words\b/,
  risks: /\brisks?\b|^(?:concerns|drawbacks?|known issues|trade ?offs|caveats?|cons)\b|^(?:technical )?challenges?\b/,
  assumptions: /\bassumptions?\b|^preconditions$/,
  motivation:
    /\brelated to a problem\b|^(?:diagnosis|symptoms?|root causes?(?: analysis)?|gaps?(?: analysis)?|observations)$|^what (?:is )?(?:\w+ )?(?:wrong|broken)$|^what .+ (?:has|does|looks like) (?:today|now)$|^what (?:the |our )?(?:old|existing|current|legacy|previous) .+ (?:has|does)$|^actual(?: behaviou?rs?| results?| outcome)?$|^(?:steps )?to reproduce\b|^describe the bug$|^(?:motivation|background|context|(?:the )?problem(?: statement)?|(?:the )?pain(?: points?)?|why\b.*|rationale|reasoning\b.*|(?:product )?vision(?: statement)?|business case|current (?:\w+ ){0,2}(?:state|situation|behaviou?rs?|alternatives)|existing (?:solutions|alternatives)|where we are(?: now)?|consequences|impact|value proposition|benefits|pros|lessons learned)(?: and (?:motivation|background|context|rationale))?$/,
  references:
    /^(?:faqs?|frequently asked questions)$|\bconsidered options?\b|^(?:requirements? )?traceability(?: matrix)?$|^additional context$|^rejected\b|\busage tips$|\bprior art\b|\balternatives?\b|\brelated (?:work|documents?|commits?|issues?|code)\b|\bcompetit(?:ors?|ive|ion)\b|\bcomparison\b|^(?:references?|see also|links|further reading|acknowledge?ments?|authors?(?: addresses)?|revision history|document history|version history|licen[cs]e|contributors|(?:table of )?contents|resources|sources|feedback|support|copyright)$/,
  examples:
    /^(?:more )?examples?\b(?! app)|^(?!appendix|annex).*\bexamples?$|^(?:screenshots?|mock ?ups?|wireframes?)$/,
  users:
    /^(?:target|primary) users?\b|^user personas?\b|\bpersonas?$|^(?:target |intended )?audience\b|^stakeholders?\b(?! requirements?\b)/,
  process:
    /\bsign ?off\b|\bquestionnaire\b|^(?:(?:next )?meetings?|attendees|participants|present|agenda|contributing|code of conduct|approvals?|costs|pricing|team (?:split|structure))\b(?! page)|^(?:project )?(?:timeline|schedule)$/,
  testing:
    /^(?:testing|tests|test (?:plan|strategy|cases)|testing (?:strategy|plan)|verification(?: plan)?|validation|quality assurance|checks|continuous integration)$/,
  constraints:
    /^(?:(?:technical |design )?constraints?|tech(?:nology)? stack|technolog(?:y|ies)(?: used)?|stack|tech|(?:design )?guidelines|(?:coding )?conventions|(?:\w+ ){0,3}principles|environment|compliance|standards)$/,
  decisions: /^(?:(?:key )?(?:architecture |technical )?decisions?(?: log| outcome| drivers)?)$/,
  rollback: /^(?:roll ?back|back ?out)(?: plan)?$/,
  work: /\bsolution you d like\b|^expected(?: behaviou?rs?| results?| outcome)?$|\brequirements?\b|\bfeatures?\b|\b(?:user )?stories\b|^(?:the )?specifications?$|\btasks?\b|\bto ?dos?\b|^work(?: items?| breakdown)?$|\bimplementation\b|\bdeliverables?\b|^(?:in )?scope$|\bmvp\b|\bdetailed (?:design|explanation)\b|^(?:proposal|proposed (?:solution|changes?|design)|solution|design details|reference level explanation|technical design|design)$|\bcommands?\b|^behaviou?rs?$|\bfunctional(?:ity)?\b|^use cases?$|^(?:must|should|could) haves?$|^changes?(?: needed)?$|^(?:product )?backlog$|\bend ?points?\b|\broutes?\b|^api\b|\bapis?$|\baction items?\b|^(?:actions|next steps|follow ups?)$|^(?:project )?roadmap$|^(?:work )?plan$|^steps$|\bcapabilities$/,
};

/** What stands below such a heading may still make it work. */
const UNSURE: HeadingWords = {
  questions: /^(?:(?:\w+ )?questions?(?: and (?!answers?\b).*)?)$|^(?:still )?open$/,
  work: /\b(?:planned|upcoming) features?\b|^(?:in )?scope and non ?goals?$/,
  metrics: /^metrics?$/,
  references: /^(?:appendix\b.*|annex\b.*)$/,
  notes: /^(?:(?:(?:further|additional) )?notes?|misc(?:ellaneous)?|comments?)$/,
  users: /^(?:users?|roles?|actors?|customers?|user (?:classes|roles))(?: and (?:roles?|users?))?$/,
  process:
    /^(?:team|budget|communication|(?:development|project) (?:approach|plan)|approach|milestones?(?: and .*)?|(?:(?:development|project) )?phases|release plan|rollout(?: plan)?|installation|getting started|quick ?start|usage|prerequisites|set ?up|development|configuration)$/,
  overview:
    /^(?:(?:project|product|executive) )?(?:overview|introduction|summary|abstract|tl ?dr|description|about|purpose|status)$|^(?:guide level explanation|what it is)$/,
  goals:
    /^goals? (?:and )?non ?goals?$|^(?:goals?|objectives?|(?:project|business) goals?)(?: and goals)?(?: for .*)?$/,
  constraints: /^(?:(?:\w+ ){0,2}(?:dependencies|libraries))(?: and libraries)?$/,
  design:
    /^(?:(?:system |software )?architecture(?: diagram)?|high level design|(?:project|directory|folder|file) structure|affected (?:areas|code|components|files|interfaces|modules|services)(?: \w+)?|how it works|data flow|components?)$/,
};

const LATER = /^(?:later|future|out of scope|deferred|post mvp)$/;
/** What stands elsewhere, in short. */
const REPEATS = /^(?:tl ?dr|in short|recap|at a glance)$/;
const FINISHED = /^(?:done|completed?|finished)$/;

/** `Export — later`, `Export (future)`, `✅ Export`: what stands around the name. */
function roleOfAddition(title: string): HeadingRole | undefined {
  const additions = Array.from(
    title.matchAll(/[([]([^)\]]{1,60})[)\]]|\s[–—-]+\s*([^–—]{1,60})$/g),
    ([, inside, after]) => sameWords(inside ?? after ?? ""),
  );
  if (additions.some((words) => LATER.test(words))) return { role: "future", isSure: true };
  if (additions.some((words) => REPEATS.test(words))) return { role: "overview", isSure: true };
  if (additions.some((words) => FINISHED.test(words)) || isMarkedDone(title)) return { role: "done", isSure: true };
  return undefined;
}

/** Without pictures, and without `(v1)` at its end. */
function bareName(title: string): string {
  const name = headingName(title.replaceAll(/\p{Extended_Pictographic}\uFE0F?/gu, " "));
  return name.replaceAll(/(?<!\s)\s*[([][^)\]([]*[)\]]\s*$/g, "") || name;
}

/** Also without `— phase 2` and words that add nothing. */
const nameOnly = (title: string): string =>
  sameWords(bareName(title).replace(/(?<!\s)\s+[–—]\s.*$/, "")).replace(/^(?:the|a) /, "");

function roleOfWords(words: string): HeadingRole | undefined {
  for (const [table, isSure] of TABLES) {
    const found = Object.entries(table).find(([, pattern]) => pattern.test(words));
    if (found !== undefined) return { role: found[0] as SectionRole, isSure };
  }
  return undefined;
}

/** What the words of a heading say by themselves; nothing if they name something of the spec's own. */
export const headingRole = remembered((title): HeadingRole | undefined => {
  const addition = roleOfAddition(title);
  if (addition !== undefined) return addition;
  const words = nameOnly(title);
  const whole = roleOfWords(words);
  if (whole !== undefined) return whole;
  // "Appendix B: Example rules", "Part 2: Requirements".
  const [, rest] = /^(?:appendix|annex|part|section|chapter) \w{1,4} (.+)$/.exec(words) ?? [];
  if (rest !== undefined) return roleOfWords(rest) ?? { role: "references", isSure: false };
  return roleOfParts(title, words);
});

/** "Context and scope", "Notes/Constraints/Caveats": what its parts say, if each of them says something. */
function roleOfParts(title: string, words: string): HeadingRole | undefined {
  const marked = bareName(title)
    .split(/(?<!\s)\s*[&/,]\s*|(?<!\s)\s+(?:and|or)\s+/i)
    .map(sameWords);
  const parts = marked.length > 1 ? marked.filter((part) => part !== "") : words.split(/ and | or /);
  const roles = parts.map(roleOfWords);
  const [first] = roles;
  if (parts.length < 2 || first === undefined || roles.includes(undefined)) return undefined;
  const each = roles as HeadingRole[];
  const sure = each.find(({ isSure }) => isSure) ?? first;
  if (each.every(({ role }) => role === first.role)) return sure;
  if (each.some(({ role }) => role === "work")) return { role: "overview", isSure: false };
  const reason = each.find(({ role }) => role === "motivation");
  if (reason !== undefined) return { role: "motivation", isSure: true };
  const isAbout = each.every(
    ({ role }) => role === "overview" || role === "goals" || role === "users" || role === "metrics",
  );
  return isAbout ? { role: "overview", isSure: false } : sure;
}

/** "Core requirements", "User stories": a title that could stand above anything. */
const SAYS_LITTLE =
  /^(?:(?:requirements?|features?|functional|non|user|stories|story|tasks?|to|do|todos?|work|items?|implementation|details?|detailed|design|proposal|proposed|solution|scope|mvp|core|key|technical|specific|system|product|explanation|reference|level|description|plan|backlog|document|and|changes?|functionality|specifications?|overview|introduction|deliverables|capabilities|behaviou?rs?|steps|actions?|use|cases?|api|commands?|endpoints?|development|roadmap|next|rfc)\b ?)+$/;

export const saysLittle = (title: string): boolean => {
  const words = nameOnly(title);
  return (
    words === "" ||
    /\byou d like$|^expected\b/.test(words) ||
    SAYS_LITTLE.test(words) ||
    (roleOfTitle(title) ?? "work") !== "work"
  );
};

export const roleOfTitle = (title: string): SectionRole | undefined => headingRole(title)?.role;

const SEQUENCE =
  /^(?:(?:implementation|rollout|release|project|development) )?(?:steps?|phases?|milestones?|plan|roadmap)$/;

/** "Implementation plan", "Proposed design": where a document says what is to be done, if it also says other things. */
const DECLARES_WORK =
  /^(?:(?:implementation|work) (?:plan|steps|tasks)|(?:proposed|technical|detailed) (?:design|solution|changes?|implementation)|proposal|action items|tasks|work (?:items?|breakdown))$/;
export const declaresWork = (title: string): boolean => DECLARES_WORK.test(nameOnly(title));

/** "Color picker design": how a part looks that is asked for elsewhere. */
export const isDesignTitle = (title: string): boolean =>
  /\b(?:design|diagrams?|layout|flow|structure|impact)$/.test(nameOnly(title));

/** Under such a heading a list is done from first to last. */
export const isSequenceTitle = (title: string): boolean => SEQUENCE.test(nameOnly(title));

/** "Phase 2: Sharing", "v1.3.0": a part of the work, by when it is due. */
export const isPhaseTitle = (title: string): boolean => /^\W*(?:(?:phase|release|version)\s+\S|v\d)/iu.test(title);

/** Headings of what the whole must be like, rather than of something to build. */
export const isQualityTitle = (title: string): boolean => /\bnon ?functional\b/.test(nameOnly(title));

/** Headings of lists whose entries are parts of one thing. */
export const isFieldTitle = (title: string): boolean =>
  TRANSLATED_FIELDS.test(nameOnly(title)) ||
  /\b(?:data ?(?:shapes?|models?)|schemas?|data ?base|tables?)\b|\bstates$|^(?!demo)\w+ (?:data|details)$/.test(
    nameOnly(title),
  );

/** In the form of `sameWords`; the first that fits counts. Words of Chinese, Japanese and Korean have no spaces between them. */
const TRANSLATED_SURE: HeadingWords = {
  questions:
    /^(?:offene fragen|questions? ouvertes?|preguntas abiertas|questões em aberto|domande aperte|open vragen|открытые вопросы)$|待确认|待確認|开放问题|未決|미정/,
  nonGoals:
    /^(?:nicht ?ziele|abgrenzung(?:skriterien)?|nicht im umfang|hors (?:du )?(?:périmètre|scope)|fuera de(?:l)? alcance|fora d[eo] escopo|fuori ambito|buiten scope|вне рамок.*|не входит.*)$|非目标|非目標|不在范围|范围外|スコープ外|対象外|범위 ?제외|비목표/,
  future:
    /^(?:ausblick|wunschkriterien|perspectives|évolutions(?: futures)?|trabajo futuro|mejoras futuras|trabalhos? futuros?|melhorias futuras|sviluppi futuri|toekomst|планы на будущее)$|未来|未來|后续计划|将来|今後|향후|추후/,
  acceptance:
    /(?:akzeptanz|abnahme)kriterien$|^(?:critères d acceptation|criterios de aceptación|critérios de aceitação|criteri di accettazione|acceptatiecriteria|критерии приемки|критерии приёмки)$|验收|驗收|受け入れ基準|인수 ?기준/,
  done: /^(?:erledigt|hecho|completato|gedaan|готово)$|更新日志|変更履歴/,
  metrics: /^(?:kennzahlen|métricas(?: de éxito)?|metriche|метрики.*)$|成功指标|성공 ?지표/,
  glossary:
    /^(?:glossar|begriffe|glossaire|définitions|glosario|definiciones|glossário|definições|glossario|definizioni|begrippen|глоссарий|термины.*|определения)$|术语|術語|用語集|用語定義|용어/,
  risks: /^(?:risiken|risques|riesgos|riscos|rischi|risico s|риски)$|风险|風險|リスク|위험|리스크/,
  assumptions: /^(?:annahmen|hypothèses|supuestos|premissas|aannames|допущения)$|假设|前提条件/,
  references: /^(?:anhang|références|annexes?|referencias|referências|riferimenti|ссылки)$|参考|參考|附录|附錄|참고/,
  users:
    /^(?:zielgruppen?|utilisateurs cibles|público alvo|utenti target|doelgroep(?:en)?|целевая аудитория|пользователи)$|目标用户|目標使用者|用户画像|対象ユーザー|대상 ?사용자/,
  motivation:
    /^(?:hintergrund|ausgangslage|problemstellung|contexte|antecedentes|contexto|justificativa|contesto|motivazione|achtergrond|probleemstelling|предпосылки|проблема|контекст)$|背景$|痛点|課題$|배경/,
  constraints:
    /^(?:rahmenbedingungen|technologie(?:n)?|contraintes(?: techniques)?|restricciones|restrições|vincoli|randvoorwaarden|ограничения)$|技术栈|技術棧|约束|制約|기술 ?스택/,
  process:
    /^(?:zeitplan|meilensteine|calendrier|planning|cronograma|calendario|tijdlijn|сроки|график)$|时间表|時間表|里程碑|スケジュール|일정/,
  testing: /^(?:testplan|pruebas|testes|тестирование)$|^(?:测试|測試)(?:计划|計畫)?$|テスト計画/,
  work: /\b(?:anforderungen|funktionale anforderungen|musskriterien|lastenheft|funktionen|aufgaben|exigences|fonctionnalités|besoins fonctionnels|requisitos|funcionalidades|historias de usuario|histórias de usuário|tareas|tarefas|requisiti|eisen|taken)\b|funzionalità|требования|функции|задачи|需求|功能|待办|任务|要件|機能|요구 ?사항|기능/,
};

const TRANSLATED: HeadingWords = {
  users: /^(?:be)?nutzer\b|^utilisateurs$|^usuarios$/,
  overview:
    /^(?:einleitung|überblick|zusammenfassung|présentation|résumé|introducción|resumen|descripción(?: general)?|introdução|resumo|descrição(?: geral)?|visão geral|introduzione|panoramica|inleiding|samenvatting|введение|обзор|описание)$|概述|概要|简介|はじめに|개요|소개/,
  goals:
    /^(?:ziele?|zielsetzung|objectifs?|objetivos?(?: generales?)?|obiettivi|doelen|doelstellingen|цели)$|^(?:项目|产品)?目标$|^目標$|^目的$|목표$/,
};

const TABLES = [
  [SURE, true],
  [UNSURE, false],
  [TRANSLATED_SURE, true],
  [TRANSLATED, false],
] as const;

/** Headings of lists whose entries are parts of one thing. */
const TRANSLATED_FIELDS = /\b(?:datenmodell|felder|campos)\b|参数|数据(?:模型|结构)|資料模型|パラメータ|フィールド/;
