// What a heading, or a line that leads into a list, says about what is below it. The words stand here and nowhere else;
// what they leave open, the content of the section decides (section-roles.ts).

import { isMarkedDone } from "../../spec/cues.js";
import { headingName, sameWords } from "../wording.js";
import { TRANSLATED, TRANSLATED_FIELDS } from "./translated-headings.js";

export type SectionRole =
  | "work"
  | "testing"
  | "acceptance"
  | "overview"
  | "motivation"
  | "goals"
  | "nonGoals"
  | "future"
  | "done"
  | "risks"
  | "questions"
  | "assumptions"
  | "constraints"
  | "decisions"
  | "design"
  | "glossary"
  | "users"
  | "examples"
  | "references"
  | "notes"
  | "metrics"
  | "process"
  | "rollback"
  | "discussion"
  | "document"
  | "unclear";

export interface HeadingRole {
  readonly role: SectionRole;
  /** The words alone settle it; otherwise the content may still make it work. */
  readonly isSure: boolean;
}

type Entry = readonly [role: SectionRole, isSure: boolean, words: RegExp];

/** Above questions, or above what is still to do. */
const OPEN = /^(?:still )?open$/;
export const isOpenTitle = (title: string): boolean => OPEN.test(nameOnly(title));

/** In the form of `sameWords`; the first that fits counts. */
const TITLES: readonly Entry[] = [
  [
    "document",
    true,
    /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day\b.*\d.*|\d{4} \d{1,2} \d{1,2}\b.*|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w* \d{1,2} \d{4})$/,
  ],
  ["work", false, /^planned$|\b(?:planned|upcoming) (?:features?|work|updates?|changes?|improvements?)\b/],
  ["references", true, /^(?:faqs?|frequently asked questions|questions and answers|q a)$/],
  [
    "questions",
    true,
    /\bopen (?:questions?|issues?|points?|items?|topics?|decisions?)\b|\bunresolved\b|^tbd\b|\bto be (?:decided|determined|discussed|defined)\b|\bundecided\b|\bdecisions? (?:needed|required|pending)\b|\bpending decisions?\b/,
  ],
  [
    "questions",
    false,
    /^(?:(?:\w+ )?questions?(?: (?:for|to|about) .*| and (?!answers?\b).*| remaining| raised)?|.* questions)$/,
  ],
  ["questions", false, OPEN],
  ["goals", false, /^(?:goals?|objectives?) (?:and |or |vs )?(?:non ?goals?|non objectives?)$/],
  ["work", false, /^(?:in )?scope and (?:non ?goals?|out of scope|exclusions?)$|^in and out of scope$/],
  [
    "nonGoals",
    true,
    /\bnon ?goals?\b|\bnon (?:objectives?|requirements?|features?)\b|\bout of scope\b|\bnot in scope\b|\bexclusions?\b|^excluded\b|\bwon ?t (?:do|have|fix|be)\b|\bwill not\b|\bnot (?:planned|doing|included|building|supported|covered|goals?|a goal|in (?:v|mvp|this))\b|\banti goals?\b|\bwhat (?:this|it|we|the \w+) (?:is|are|does|do|will) ?(?:not|n t)\b|^(?:known )?limitations$|^no gos?$|^cut\b|\bcut list\b|\b(?:we are|we re|explicitly) not\b/,
  ],
  [
    "future",
    true,
    /\bfuture\b(?! proof)|\blater\b|\bsomeday\b|\bnice to haves?\b|\bstretch(?: goals?)?\b|\bpost (?:mvp|launch|release|v ?\d)\b|\bdeferred\b|\bpossible (?:extensions|improvements|enhancements|updates|features|additions)\b|\bideas for\b|^(?:more |other )?ideas\b|^long(?:er)? term\b|\bwish ?list\b|\bparking lot\b|\bbeyond (?:the )?(?:mvp|v ?\d|scope)\b|\bicebox\b|\bpostponed\b|^on hold\b|\bnot now\b|\bunder consideration\b|^maybe\b/,
  ],
  [
    "acceptance",
    true,
    /\bacceptance\b|\bdefinition of (?:done|ready)\b|\bdone (?:when|criteria)\b|\b(?:exit|success|completion|launch|release|graduation|shipping|validation) criteria\b|\bcriteria (?:for|of) (?:success|acceptance|done|release|launch)\b/,
  ],
  [
    "done",
    true,
    /^(?:done|completed?|finished|implemented|shipped|delivered|released|closed|resolved)(?: (?:items?|tasks?|work|features?|stories|so far|already|recently|this \w+|in v?\d[\w ]*))?$|\bwhat (?:is|s|has been|was|already|we) (?:have )?(?:done|working|works|implemented|completed|shipped|built)\b|\balready (?:done|implemented|exists?|works?|built|there)\b|\bcompleted (?:work|tasks?|features?|items?|phases?|milestones?)\b|^(?:change ?log|release notes|implementation history)$/,
  ],
  [
    "metrics",
    true,
    /\bkpis?\b|\bokrs?\b|\bkey results?\b|\bsuccess (?:indicators?|measures?|metrics?)\b|\bmeasur(?:es?|ing|ements?|able) (?:of )?(?:success|outcomes?)\b|\bnorth star\b|\b(?:business|product|key|launch|adoption) metrics?\b/,
  ],
  ["work", true, /\bsolution you d like\b|^expected behaviou?rs?$/],
  [
    "glossary",
    true,
    /\b(?:status|state|priority|severity|symbol|icon) (?:legend|indicators?|levels?|definitions?)$|^legend$/,
  ],
  [
    "motivation",
    true,
    /\brelated to a problem\b|^(?:actual|observed) (?:behaviou?rs?|results?)$|^(?:steps )?to reproduce\b|^describe the (?:bug|problem)$/,
  ],
  [
    "references",
    true,
    /\b(?:considered|rejected|evaluated|discarded) options?\b|\boptions? considered\b|^(?:requirements? )?traceability(?: matrix)?$/,
  ],
  ["references", true, /^additional (?:context|information)$|^rejected\b|\busage tips$/],
  ["metrics", false, /^(?:metrics?|targets?|measurements?)$/],
  [
    "glossary",
    true,
    /\bglossary\b|\bterminology\b|\bacronyms?\b|\babbreviations?\b|\bvocabulary\b|^(?:key )?terms(?: and (?:definitions|abbreviations|concepts))?$|^definitions?\b(?! of)|\bnomenclature\b|^notation\b|\bkey ?words\b|^requirements? (?:language|levels?|notation)$|\bconventions and definitions\b|\bubiquitous language\b|^dictionary$/,
  ],
  [
    "risks",
    true,
    /\brisks?\b|^(?:concerns|drawbacks?|threats|known issues|trade ?offs|caveats?|failure modes|mitigations?|disadvantages|cons)\b|^(?:(?:potential|possible|technical|key|main|known|expected) )?challenges?\b/,
  ],
  ["assumptions", true, /\bassumptions?\b|^(?:preconditions|premises)$/],
  [
    "motivation",
    true,
    /^(?:motivation|background|context|(?:the )?problem(?: statement| description| space)?|(?:the )?pain(?: points?)?|why\b.*|rationale|reasoning\b.*|history|(?:(?:product|project|our) )?vision(?: statement)?|mission(?: statement)?|opportunity|justification|business case|market (?:analysis|research|opportunity|size|overview|context|need)s?|who suffers\b.*|current (?:\w+ ){0,2}(?:state|situation|behaviou?rs?|alternatives|solutions?|status|process|limitations|problems?|issues|implementation|approach|workflow)|status quo|existing (?:solutions|behaviou?r|system|alternatives)|how it works today|where (?:we|things) (?:are|stand)(?: (?:now|today))?|consequences|impact|implications|value proposition|benefits|pros|advantages|elevator pitch|lessons learned)(?: and (?:motivation|background|context|rationale|goals))?$/,
  ],
  [
    "references",
    true,
    /\bprior art\b|\balternatives?\b|\brelated (?:work|documents?|projects?|links|issues?|rfcs?|art|resources)\b|\bcompetit(?:ors?|ive|ion)\b|\bcomparison\b|^(?:references?|see also|links|further reading|bibliography|acknowledge?ments?|credits?|authors?(?: addresses)?|revision history|document (?:history|control|information|info|metadata|status)|version history|licen[cs]e|contributors|(?:normative|informative) references|(?:table of )?contents|toc|resources|contact|sources|citations|thanks|feedback|support|metadata|document|about (?:this|the) (?:document|author|spec)|status of this memo|copyright)$/,
  ],
  ["references", false, /^(?:appendix\b.*|annex\b.*|research|discussion|template\b.*)$/],
  [
    "notes",
    false,
    /^(?:(?:(?:further|other|general|final|important|additional|side) )?notes?|misc(?:ellaneous)?|comments?|tips|remarks)$/,
  ],
  [
    "examples",
    true,
    /^(?:more |further |other |additional |some |code |usage )?examples?\b(?! (?:app|project|application|implementation))|\bexamples?$|^sample (?:code|usage|output|input|session|rules?|config\w*)\b|^(?:screenshots?|demo|mock ?ups?|wireframes?)$/,
  ],
  [
    "users",
    true,
    /^(?:target|primary|secondary|tertiary|intended|key|our) (?:users?|personas?|audiences?|customers?|stakeholders?|groups)\b|^user (?:personas?|characteristics)\b|^personas?\b|\bpersonas?$|^(?:target |intended )?audience\b|^stakeholders?\b(?! (?:requirements?|needs|stories|requests?)\b)|^who is (?:this|it) for\b/,
  ],
  [
    "users",
    false,
    /^(?:users?|roles?|actors?|customers?|user (?:types?|classes|groups|roles))(?: and (?:roles?|users?|responsibilities|permissions))?$/,
  ],
  [
    "process",
    true,
    /\bsign ?off\b|\bquestionnaire\b|^(?:communication (?:plan|channels?)|(?:upcoming |next |previous )?meetings?|attendees|participants|present|absent|regrets|apologies|agenda|governance|raci|contributing|how to contribute|code of conduct|team members|contacts?|approvals?|approval|infrastructure needed\b.*|cost|costs|pricing|resources needed|team (?:split|structure|roles|size|reminders)|demo script|pitch|working agreements?)\b(?! (?:model|page))|^(?:project )?(?:timeline|schedule|time ?line|calendar|key dates|effort|estimates?|resourcing)$/,
  ],
  [
    "process",
    false,
    /^(?:team|budget|communication|(?:development|delivery|project|technical|our) (?:approach|process|methodology|workflow|plan|phases)|approach|methodology|process|workflow|milestones?(?: and .*)?|(?:(?:development|project|delivery|rollout|release) )?phases|phasing|release plan|rollout(?: plan)?|installation|install|getting started|quick ?start|usage|prerequisites|set ?up|how to (?:use|run|install)|development|building|build|configuration)$/,
  ],
  [
    "overview",
    false,
    /^(?:(?:project|product|system|feature|general|document|brief|short|technical|executive|high level|basic|app|application|solution) )?(?:overview|introduction|intro|summary|abstract|tl ?dr|description|about|purpose|status|preface|idea|at a glance|info|information|background information)$|^(?:guide level explanation|product perspective|overall description|description and priority|preamble|concept|what (?:is (?:it|this|\w+)|(?:it|this) (?:is|does))|about (?:the )?(?:project|product|app))$/,
  ],
  [
    "goals",
    false,
    /^(?:goals?|objectives?|aims?|outcomes?|desired outcomes?|expected (?:outcomes?|results?)|(?:project|primary|product|main|key|business|secondary) (?:goals?|objectives?))(?: and (?:objectives|goals|outcomes))?(?: (?:for|of|in) .*)?$/,
  ],
  [
    "testing",
    true,
    /^(?:testing|tests|test (?:plan|strategy|approach|cases|scenarios)|testing (?:strategy|plan|approach)|verification(?: plan)?|verifying|validation|how to (?:test|verify)|quality (?:gates|assurance)|qa|checks|continuous integration|ci|running (?:the )?tests|test and verification|verify|testing (?:decisions|notes))$/,
  ],
  [
    "constraints",
    true,
    /^(?:(?:technical |design |business |project |legal |general )?constraints?|tech(?:nology|nical)? stack|technolog(?:y|ies)(?: choices| used)?|stack|tech|(?:coding |style |design |development )?guidelines|(?:coding |naming )?conventions|(?:\w+ ){0,3}principles|tenets|ground rules|global rules|rules of engagement|environment|supported platforms|compliance|standards)$/,
  ],
  [
    "constraints",
    false,
    /^(?:(?:\w+ ){0,2}(?:dependencies|libraries|crates|frameworks|npm packages|third party (?:services|software|tools)))(?: and (?:technolog(?:y|ies)(?: stack)?|tools|libraries|versions))?$/,
  ],
  [
    "decisions",
    true,
    /^(?:(?:resolved |final |agreed |key |made )?(?:design |architecture |architectural |technical |implementation |product |technology )?decisions?(?: log| outcome| record| drivers| made)?|resolutions?|outcome)$/,
  ],
  [
    "design",
    false,
    /^(?:(?:system |software |technical |high level |solution |target )?architecture(?: overview| diagram)?|high level design|system design|(?:project|directory|folder|repository|code|file) (?:structure|layout|organi[sz]ation)|how it works|diagrams?|data flow|components?)$/,
  ],
  [
    "rollback",
    true,
    /^(?:roll ?back|back ?out|reverting)(?: plan| strategy| procedure)?$|^how to (?:revert|roll back)$/,
  ],
  [
    "work",
    true,
    /\brequirements?\b|\bfeatures?\b|\b(?:user )?stories\b|^(?:the )?specifications?$|\btasks?\b|\bto ?dos?\b|^work(?: items?| breakdown| packages?)?$|\bimplementation\b|\bdeliverables?\b|^(?:in )?scope$|\bmvp\b|\bdetailed (?:design|explanation|specification|description)\b|^(?:proposal|proposed (?:solution|changes?|design)|solution|design details|reference level explanation|technical design|design)$|\bcommands?\b|^behaviou?rs?$|^functionality$|\bfunctional(?:ity)?\b|^use cases?$|^(?:must|should|could) haves?$|^changes?(?: needed| required)?$|^(?:product )?backlog$|\bend ?points?\b|\broutes?\b|^api\b|\bapis?$|\baction (?:items?|points?)\b|^(?:actions|next steps|follow ups?)$|^(?:product |project )?roadmap$|^(?:implementation |work |project |build |delivery |migration |execution )?plan$|^steps$|\bcapabilities$/,
  ],
];

const LATER =
  /^(?:later|future|not now|out of scope|deferred|someday|stretch|nice to have|post mvp|post launch|non goals?|optional later|won t do)$/;
const FINISHED = /^(?:done|completed?|finished|implemented|shipped|released|delivered|closed)$/;

/** `Export — later`, `Export (future)`, `✅ Export`: what stands around the name. */
function roleOfAddition(title: string): HeadingRole | undefined {
  const additions = Array.from(
    title.matchAll(/[([]([^)\]]{1,60})[)\]]|\s[–—-]+\s*([^–—]{1,60})$/g),
    ([, inside, after]) => sameWords(inside ?? after ?? ""),
  );
  if (additions.some((words) => LATER.test(words))) return { role: "future", isSure: true };
  if (additions.some((words) => FINISHED.test(words)) || isMarkedDone(title)) return { role: "done", isSure: true };
  return undefined;
}

/** Without `(v1)`, `— phase 2`, pictures and words that add nothing. */
function nameOnly(title: string): string {
  const name = headingName(title.replaceAll(/\p{Extended_Pictographic}\uFE0F?/gu, " "));
  const bare = name.replaceAll(/\s*[([][^)\]]*[)\]]\s*$/g, "").replace(/\s+[–—]\s.*$/, "");
  return sameWords(bare || name).replace(/^(?:the|our|a) /, "");
}

function roleOfWords(words: string): HeadingRole | undefined {
  const fits = ([, , pattern]: Entry): boolean => pattern.test(words);
  const found = TITLES.find(fits) ?? TRANSLATED.find(fits);
  return found === undefined ? undefined : { role: found[0], isSure: found[1] };
}

/** What the words of a heading say by themselves; nothing if they name something of the spec's own. */
export function headingRole(title: string): HeadingRole | undefined {
  if (known.has(title)) return known.get(title);
  if (known.size >= MOST_KEPT) known.clear();
  const role = readTitle(title);
  known.set(title, role);
  return role;
}

/** Every statement asks about the headings around it. */
const known = new Map<string, HeadingRole | undefined>();
const MOST_KEPT = 5_000;

function readTitle(title: string): HeadingRole | undefined {
  const addition = roleOfAddition(title);
  if (addition !== undefined) return addition;
  const words = nameOnly(title);
  const whole = roleOfWords(words);
  if (whole !== undefined) return whole;
  // "Appendix B: Example rules", "Part 2: Requirements".
  const [, rest] = /^(?:appendix|annex|part|section|chapter) \w{1,4} (.+)$/.exec(words) ?? [];
  if (rest !== undefined) return roleOfWords(rest) ?? { role: "references", isSure: false };
  return roleOfParts(title, words);
}

/** "Context and scope", "Notes/Constraints/Caveats": what its parts say, if each of them says something. */
function roleOfParts(title: string, words: string): HeadingRole | undefined {
  const bare = headingName(title.replaceAll(/\p{Extended_Pictographic}\uFE0F?/gu, " ")).replaceAll(
    /\s*[([][^)\]]*[)\]]\s*$/g,
    "",
  );
  const marked = bare.split(/\s*[&/,]\s*|\s+(?:and|or)\s+/i).map(sameWords);
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
  /^(?:(?:requirements?|features?|functional|non|user|stories|story|tasks?|to|do|todos?|work|items?|implementation|details?|detailed|design|proposal|proposed|solution|scope|mvp|core|main|key|technical|specific|system|product|software|explanation|reference|level|description|plan|backlog|document|and|the|list|changes?|functionality|specifications?|overview|introduction|deliverables|capabilities|behaviou?rs?|steps|actions?|use|cases?|api|apis|commands?|endpoints?|development|roadmap|next|rfc|prd|spec|adr|readme)\b ?)+$/;

export const saysLittle = (title: string): boolean => {
  const words = nameOnly(title);
  return (
    words === "" ||
    /\byou d like$|^expected /.test(words) ||
    SAYS_LITTLE.test(words) ||
    (roleOfTitle(title) ?? "work") !== "work"
  );
};

export const roleOfTitle = (title: string): SectionRole | undefined => headingRole(title)?.role;

const SEQUENCE =
  /^(?:(?:implementation|build|delivery|migration|rollout|release|execution|project|work|development) )?(?:steps?|phases?|milestones?|plan|roadmap|order|sequence|stages|procedure|workflow|approach)$/;

/** Under such a heading a list is done from first to last. */
export const isSequenceTitle = (title: string): boolean => SEQUENCE.test(nameOnly(title));

/** "Phase 2: Sharing", "v1.3.0": a part of the work, by when it is due. */
export const isPhaseTitle = (title: string): boolean =>
  /^\W*(?:(?:phase|milestone|sprint|stage|iteration|release|version|increment)\s+\S|v\d)/iu.test(title);

/** Headings of what the whole must be like, rather than of something to build. */
export const isQualityTitle = (title: string): boolean =>
  /\bnon ?functional\b|\bquality (?:attributes|requirements)\b|\bnfrs?\b|\bcross cutting\b|\bnicht ?funktional|qualitätsanforderungen|\bnon fonctionnel|\bno funcionales\b|\bnão funcionais\b|非功能/.test(
    nameOnly(title),
  );

/** Headings of lists whose entries are parts of one thing. */
export const isFieldTitle = (title: string): boolean =>
  TRANSLATED_FIELDS.test(nameOnly(title)) ||
  /\b(?:data ?(?:shapes?|models?|types?|structures?)|schemas?|fields?|attributes?|properties|columns?|payloads?|parameters?|entit(?:y|ies)|data ?base|tables?|env(?:ironment)? variables?|config(?:uration)? (?:options|keys|values)|settings|flags|enums?|constants|status codes|error codes)\b|\b(?:states|statuses|types)$|^(?!sample|test|seed|demo)\w+ (?:data|information|details)$/.test(
    nameOnly(title),
  );

/** Headings above figures that the whole has to reach. */
export const isLimitTitle = (title: string): boolean =>
  /^(?:performance|scalability|availability|reliability|capacity|latency|throughput|service levels?|limits)(?: (?:requirements?|targets?|goals?|limits))?$/.test(
    nameOnly(title),
  );

/** Why the words of such a section are no task. */
export const LEFT_OUT: Readonly<Record<Exclude<SectionRole, "work" | "unclear">, string>> = {
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
