// What the words of one statement say about it, whatever heading it stands under: that it asks for work, is done, is
// open, waits for somebody, or is left for later. Grammar and marks, not the vocabulary of one kind of document.

const MAX_REMEMBERED = 10_000;

/** Every cue, title and body looks at the same words, several times each. */
export function remembered<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined || known.has(text)) return before as T;
    const found = read(text);
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(text, found);
    return found;
  };
}

/** A statement longer than this says early what it is. */
const MAX_CUE_LENGTH = 4_000;

/** Code, links and emphasis keep their words; nothing else of them counts. */
export const plainWords = remembered((text) =>
  text
    .slice(0, MAX_CUE_LENGTH)
    .replaceAll(/!?\[([^\][]{0,300})\]\([^()\s]{0,500}(?:\s"[^"]{0,200}")?\)/g, "$1")
    .replaceAll(/<\/?[a-zA-Z][^<>]{0,300}>/g, " ")
    .replaceAll(/\*{1,3}|~~|(?<![\p{L}\p{N}_])_{1,3}|_{1,3}(?![\p{L}\p{N}_])/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim(),
);

const OBLIGES =
  /必须|必須|不得|しなければならない|해야 ?한다|должн[аоы]?\b|\b(?:muss|müssen|soll|sollen|sollte|darf nicht|doit|doivent|debe|deben|deberá|deve|devem|deverá|must|shall|should(?! expect\b)|ought to|needs? to|ha(?:s|ve) to|(?:is|are|be) (?:required|expected|supposed|able) to|(?:is|are) (?:REQUIRED|RECOMMENDED|mandatory)|(?<!\()REQUIRED|SHALL|MUST|we need|I want|let[’']s)\b/i;
const STORY =
  /\bas (?:an?|the) [^,.]{1,80},? (?:I|we) (?:want|need|would like|should|must|can|am able|wish|expect|receive|get|see)\b/i;
const ENDPOINT = /(?:^|[\s([`])(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b[\])`]*\s+[`'"]?\/[\w:{]/i;
const ABLE =
  /\b(?:users?|admin(?:istrator)?s?|customers?|clients?|visitors?|members?|owners?|developers?|operators?|managers?|teams?|people|anyone|everyone|system|service|server|app|application|tool|it|they|you|we|i|one)\s+(?:can(?:not|'t)?|may|will be able to)\s+(?:also |only |then |always |never )?[a-z]+/i;

/** The sentence says that something has to be: must, shall, should, a user story, an endpoint. */
export const obliges = (text: string): boolean => {
  const words = plainWords(text);
  return OBLIGES.test(words) || STORY.test(words) || ENDPOINT.test(words);
};

/** Binds by its own words, wherever it stands: must, shall, never. */
export const isDuty = (text: string): boolean => /\b(?:must|shall|never)\b/i.test(plainWords(text));

/** As `obliges`, or it says what somebody can do. */
export const asksForWork = (text: string): boolean => obliges(text) || ABLE.test(plainWords(text));

export const isEndpoint = (text: string): boolean => ENDPOINT.test(plainWords(text));

/** Verbs that begin an order: "Add a field", "Migrate the store". */
const VERBS =
  "abort|accept|achieve|activate|adapt|add|adjust|adopt|align|allow|analy[sz]e|animate|annotate|append|apply|archive|arrange|ask|assert|assign|attach|audit|authenticate|authori[sz]e|automate|avoid|back up|backfill|backport|batch|benchmark|block|book|boot|bootstrap|broadcast|build|bump|bundle|cache|calculate|call|cancel|capture|change|charge|check|choose|clean|clear|clone|close|code|collapse|collect|combine|compare|compile|complete|compress|compute|configure|confirm|connect|consolidate|consume|containeri[sz]e|control|convert|copy|correct|cover|crawl|create|customi[sz]e|cut|debounce|debug|declare|decode|decouple|decrease|decrypt|deduplicate|define|delete|deliver|deploy|deprecate|describe|design|detect|determine|develop|disable|discard|dispatch|display|distribute|document|download|draft|draw|drop|dump|duplicate|edit|eliminate|embed|emit|enable|encode|encrypt|enforce|enhance|ensure|enter|establish|evaluate|execute|expand|expire|explain|explore|export|expose|extend|extract|fall back|fetch|fill|filter|finali[sz]e|find|finish|fix|flag|flush|follow|forbid|force|format|forward|gather|generate|get|give|grant|group|guard|guarantee|guide|handle|hash|hide|highlight|host|identify|ignore|implement|import|improve|include|increase|index|ingest|inject|insert|inspect|install|instrument|integrate|introduce|invalidate|investigate|invite|invoke|isolate|join|keep|launch|lazy[- ]load|let|limit|link|list|load|locali[sz]e|lock|log|login|look up|make|manage|map|mark|match|measure|merge|migrate|minimi[sz]e|mock|model|modify|monitor|move|name|navigate|normali[sz]e|notify|obtain|offer|open|optimi[sz]e|orchestrate|order|organi[sz]e|output|override|own|package|paginate|parallelize|parse|pass|paste|pause|perform|persist|pick|pin|place|plan|play|poll|populate|port|post|prefetch|prepare|present|preserve|prevent|preview|print|prioriti[sz]e|process|produce|profile|prompt|propagate|protect|prototype|prove|provide|provision|prune|publish|pull|purge|push|put|query|queue|raise|randomi[sz]e|rank|re-?export|re-?use|reach|read|rebuild|receive|recogni[sz]e|recommend|record|recover|redact|redesign|redirect|reduce|refactor|refine|refresh|refuse|register|reject|release|reload|remember|remind|remove|rename|render|renew|reorder|reorgani[sz]e|repair|replace|replay|replicate|report|request|require|reserve|reset|resize|resolve|respect|respond|restart|restore|restrict|restructure|resume|retrieve|retry|return|revert|review|revise|revoke|rewrite|rollback|roll out|rotate|route|run|sample|sanitize|save|scaffold|scale|scan|schedule|scrape|scroll|search|secure|seed|select|send|separate|serialize|serve|set|set up|setup|share|ship|show|shrink|sign|simplify|simulate|skip|snapshot|sort|specify|split|stage|standardi[sz]e|start|stop|store|stream|streamline|strip|structure|style|submit|subscribe|suggest|summari[sz]e|support|surface|suspend|swap|switch|sync|synchroni[sz]e|tag|target|terminate|test|throttle|throw|toggle|tokenize|track|train|transfer|transform|translate|treat|trigger|trim|truncate|try|tune|turn|undo|unify|unlock|update|upgrade|upload|use|validate|verify|version|view|visuali[sz]e|walk|warm|warn|watch|wire|work|wrap|write";
const ORDER = new RegExp(
  String.raw`^(?:(?:please|then|also|optionally|first|next|finally|TODO|FIXME|ACTION|fix|feat|chore)\b[\s:,-]*)?(?:${VERBS})(?=\s|[,:/]|$)`,
  "i",
);

/** As `isOrder`, also behind a name: "Ann: write the parser". */
export const ordersSomething = (text: string): boolean =>
  isOrder(text) || ORDER.test(plainWords(text).replace(/^[\p{L}\p{N} .'’-]{1,40}:\s+/u, ""));

/** What is done in one sitting. */
export const isSmallChange = (text: string): boolean =>
  /^(?:please )?(?:fix|rename|bump|correct|remove|delete|drop|revert|typo|update|upgrade|format)\b/i.test(text);

/** "Could somebody look at why it crashes?": a request, however it is put. */
const REQUEST =
  /^(?:(?:could|would|can) (?:somebody|someone|anybody|anyone)|(?:could|would|can) you please) (?:please )?[a-z]+ \S/i;

/** "Filter matching is cached": a name, not an order. "Ensure data is kept" is one. */
const IS_SUBJECT =
  /^(?!(?:assert|check|confirm|ensure|guarantee|keep|let|make|prove|validate|verify)\b)[a-z]+ [\w-]+ (?:is|are|was|were)\b(?! to\b)/i;

/** "Add a field". */
export function isOrder(text: string): boolean {
  const words = plainWords(text);
  return (
    (ORDER.test(words) && !IS_SUBJECT.test(words)) ||
    REQUEST.test(words) ||
    /^(?:TODO|FIXME|ACTION(?: ITEM)?S?|AI)\s*[:\]-]/i.test(words)
  );
}

const DONE_MARK = /^(?:[✅✔☑🎉]\uFE0F?|\[(?:done|x|complete[d]?|shipped)\])\s*|[✅✔☑]\uFE0F?[\s.)]*$/iu;
/** A sign that something is still to be done, in a list whose other entries are ticked off. */
export const hasOpenMark = (text: string): boolean => /^(?:[⬜🔲🚧⏳🔄☐]|\[ \])/u.test(plainWords(text));

const DONE_WORD =
  /(?:^|[（(【[–—\-:|：])\s*(?:status:\s*)?(?:already )?(?:done|completed?|finished|implemented|shipped|released|merged|landed|delivered|resolved|fixed|closed|已完成|完了|完成済み|완료|erledigt|terminé|terminado|concluído)(?:\s+(?:in|on|by|since|as of)\s+[^)\]]{1,40}|\s+✅)?\s*[)\]）】.!]*$/iu;

/** "Bo moved the index, done last week". */
const DONE_WHEN =
  /,\s*(?:already )?(?:done|completed|finished|shipped|merged)(?: (?:already|yesterday|today|(?:last|this) (?:week|month|sprint|friday|monday|tuesday|wednesday|thursday)|in v?\d[\w.]*))?[.!]?$/i;

/** Marked as finished: ✅, (done), struck through. */
export function isMarkedDone(text: string): boolean {
  const words = text.trim();
  if (/^~~[\s\S]+~~[.!]?$/.test(words)) return true;
  const plain = plainWords(words);
  return DONE_MARK.test(plain) || DONE_WHEN.test(plain) || (/\s|[^ -~]/.test(plain) && DONE_WORD.test(plain));
}

/** The cell of a column about status. */
export const isDoneStatus = (cell: string): boolean =>
  /^(?:[✅✔☑🟢]\uFE0F?)|^\[?x\]?$|\b(?:done|complete[d]?|finished|implemented|shipped|released|merged|landed|delivered|resolved|fixed|closed|live|100 ?%)\b/iu.test(
    plainWords(cell),
  ) && !/\b(?:not|in|partially|partly|almost|un\w+)\b/i.test(plainWords(cell));

/** How far something is, or nothing: "in progress", "✅", "open". */
export const isStatus = (cell: string): boolean =>
  isDoneStatus(cell) ||
  isDroppedStatus(cell) ||
  /^\W*$|^\W*(?:open|to ?do|planned|pending|in progress|wip|started|not started|new|blocked|ready|draft|active|partial(?:ly)?\b.*|\d+ ?%)\W*$/iu.test(
    plainWords(cell),
  );

/** The cell of a column about status says that nobody will do it, or not now. */
export const isDroppedStatus = (cell: string): boolean =>
  /\b(?:dropped|cancell?ed|rejected|won'?t|wontfix|declined|obsolete|withdrawn|deferred|postponed|later|future|out of scope|backlog|icebox)\b/i.test(
    plainWords(cell),
  );

const UNDECIDED =
  /\b(?:TBD|TBC|TBA|needs clarification|to be (?:decided|determined|discussed|confirmed|clarified|agreed)|(?:still|yet) to be defined|undecided|not (?:yet )?(?:decided|clear|agreed|defined|determined)|needs? (?:a decision|to be decided|clarification|discussion)|open question|unclear (?:whether|if|how|what|which|who)|we (?:still )?need to (?:decide|figure out|agree)|for discussion)\b|^(?:[^:]{1,40}:\s*)?consider\b[^.]*\s(?:or|vs\.?)\s|\?\?\?|\[\?\]/i;
const PROPOSED = /[([]\s*(?:proposed|proposal|suggested|suggestion|tentative(?:ly)?)\s*:/i;
const OPEN_LABEL = /^(?:open|question|Q\d{0,3}|decision needed|to decide|undecided)\s*(?:\([^)]{1,40}\)\s*)?:/i;
const PROMISE = /^(?:once .{1,40}, )?(?:I|we)(?:[’']ll| will) (?!see\b|be\b|have\b|discuss\b)[a-z]/i;
const NEXT = /^next steps?(?: is| are)?\s*(?:to\b|:)|\bwe (?:need|have) to (?!be\b|discuss\b|think\b|decide\b)[a-z]/i;
const NAMED_WILL = /^(?:\p{Lu}[\p{L}'’-]+ ){1,2}(?:will|to) (?!be\b|have\b|discuss\b)[a-z]/u;

/** "I'll open a PR", "Next step is to …", "Ann will write it": what comes out of a meeting. */
export const isActionItem = (text: string): boolean => {
  const words = plainWords(text);
  return (
    /\b(?:must|shall|TODO|ACTION)\b/.test(words) || PROMISE.test(words) || NEXT.test(words) || NAMED_WILL.test(words)
  );
};

const ASKS = /？|\?(?=["')\]”]*(?:\s|$))/;

/** Leaves something to be decided. A question mark inside of code or of a quoted phrase asks nothing. */
export function isOpenQuestion(text: string): boolean {
  const words = plainWords(text.replaceAll(/`[^`]*`/g, "code")).replaceAll(/["“][^"”]{1,200}["”]/g, "quote");
  return ASKS.test(words) || UNDECIDED.test(words) || PROPOSED.test(words) || OPEN_LABEL.test(words);
}

/** "None so far" in a list of questions. */
export const isNothing = (text: string): boolean =>
  /^(?:none|nothing|n\/?a)(?:\b(?! (?:of|but|is|are|in the))|$)|^no\b.{0,30}\b(?:questions?|issues?|points?)\b/i.test(
    plainWords(text),
  );

const READER =
  /^(?=(.*?\b(?:should|shall|do|does|can|could|would|will|is|are|which|what|who|how|where|when|whether)\b))\1.*\b(?:we|us|our|I|you|this (?:rfc|proposal|feature|spec))\b/im;

/** Asks, and answers what has to be: "What if it is down? (Must return 503)". */
export const isAnswered = (text: string): boolean => {
  const answer = /\?["')\]”]*\s+(.+)$/s.exec(plainWords(text))?.[1];
  return answer !== undefined && !PROPOSED.test(answer) && OBLIGES.test(answer) && !ASKS.test(answer);
};

/** Without what stands in brackets, and without what asks. */
const withoutQuestions = (text: string): string =>
  plainWords(text)
    .replaceAll(/[([][^()[\]]{0,300}[)\]]/g, " ")
    .replaceAll(/(?<![^.!?])[^.!?]*\?/g, " ");

/** Says what has to be, and leaves a part of it open: "It shall print a receipt. TBD: which printer?" */
export const isOpenObligation = (text: string): boolean =>
  isOpenQuestion(text) && !PROPOSED.test(plainWords(text)) && obliges(withoutQuestions(text));

/** A question to those who read it, or something marked as undecided. */
export function asksReader(text: string): boolean {
  const words = plainWords(text);
  return READER.test(words) || UNDECIDED.test(words) || PROPOSED.test(words) || OPEN_LABEL.test(words);
}

const BRINGS =
  "(?:provide|supply|send|share|deliver|hand over|approve|sign(?:[- ]off)?|confirm|obtain|buy|purchase|procure|order|grant|give (?:us )?access)";
const BROUGHT =
  "(?:samples?|data ?sets?|access|credentials?|keys?|licen[cs]es?|logos?|content|assets?|designs?|mock ?ups?|wireframes?|copy|texts?|approval|sign-?off|budget|hardware|devices?|accounts?|documents?|documentation|files?|examples?|translations?|domains?|certificates?|servers?|feedback|requirements|pdfs?|images?|photos?|fonts?|contracts?)";
/** A name or a team: "Ann will send the logo", "Legal to approve the text". */
const NAMED_BRINGS = new RegExp(
  String.raw`^(?:@?[A-Z][a-z’'-]+(?: [A-Z][a-z-]+)?|[Tt]he [a-z-]+ team|[Oo]ur [a-z-]+|(?:[Tt]he )?(?:[Ll]egal|[Mm]arketing|[Dd]esign(?:ers?)?|[Oo]ps|[Mm]anagement|[Ss]takeholders?|[Vv]endor|[Pp]artner|[Oo]wner)s?(?: team)?) (?:will|to|is going to|has to|needs to) (?:first )?${BRINGS}\b`,
);
/** Users and clients are also what a system serves: only what is brought tells. */
const USER_BRINGS = new RegExp(
  String.raw`^(?:the |our )?(?:users?|clients?|customers?|we|you) (?:will|is going to|are going to) (?:first )?${BRINGS}\b.*\b${BROUGHT}\b`,
  "i",
);
/** "Tax adviser will provide three sample files": a role, and something that no program makes. */
const ROLE_BRINGS = new RegExp(
  String.raw`^(?:the |our |an? )?(?:[\w-]+ ){0,2}(?:advis[eo]rs?|accountants?|lawyers?|counsel|leads?|managers?|teams?|departments?|suppliers?|agency|agencies|designers?|architects?|officers?|directors?|translators?|photographers?|consultants?|contractors?|experts?|engineers?|office|board|council) (?:will|is going to|are going to|has to|have to|needs? to) (?:first )?${BRINGS}\b.*\b${BROUGHT}\b`,
  "i",
);
const WAITS =
  /^(?:waiting (?:for|on)|blocked (?:on|by)|pending (?:an? |the )?(?:approval|sign-?off|decision|answer|access|confirmation|permission|licen[cs]e|legal|\w+ (?:approval|sign-?off|decision|review by))|awaiting|needs? (?:approval|sign-?off|access|credentials|a licen[cs]e) (?:from|of|by|for|to)|requires? (?:approval|sign-?off) (?:from|of|by))\b/i;
const MACHINES =
  /^(?:the )?(?:system|service|server|app|application|api|cli|tool|program|module|component|library|parser|worker|daemon|backend|frontend|ui|page|plugin|sdk|package|function|class|command|code|implementation|it|this|that|each|every|all|they|when|if|once|after|before)\b/i;

/** Something that only a person can bring: "User will provide samples", "Pending approval of legal". */
export function isGate(text: string): boolean {
  const words = plainWords(text).replace(/^[^:]{1,40}:\s+(?=\p{Lu})/u, "");
  if (STORY.test(words)) return false;
  return (
    (NAMED_BRINGS.test(words) && !MACHINES.test(words)) ||
    [USER_BRINGS, ROLE_BRINGS, WAITS].some((brings) => brings.test(words))
  );
}

const LATER_MARK =
  /[([]\s*(?:planned |maybe |possibly |probably |left |for |in |a |the ){0,3}(?:future|later|post[- ]?(?:mvp|launch|v?\d[\w.]*)|out of scope|not in (?:scope|v?\d[\w.]*|mvp)|deferred|postponed|stretch(?: goal)?|won'?t(?: have| do)?|nice[- ]to[- ]have|not planned|not (?:yet )?supported|v2\+?|phase [2-9]\+?)(?: (?:versions?|releases?|work|phases?|enhancements?|iterations?|only|ideas?))?\s*[)\]]\s*(?:[.:]\s*)?$/i;
/** "A heat map — deferred to a later version", "[>] Share links", "[-] Share links". */
const LATER_TAIL = /\s[–—-]+\s*(?:deferred|postponed|dropped|out of scope|not planned)\b[^.]{0,60}\.?$|^\[[->]\]\s/i;
/** "when that exists (post-MVP), so that …". */
const LATER_INSIDE = /[([]\s*(?:post[- ]?mvp|not in (?:the )?mvp|out of scope|deferred)\s*[)\]]/i;
const LATER_LABEL =
  /^[([]?(?:future|later|out of scope|non-?goals?|not in scope|deferred|postponed|stretch(?: goal)?|won'?t have|wontfix|someday)[)\]]?(?:\s*\([^)]{1,30}\))?\s*[:–—-]/i;
const LATER_SENTENCE =
  /\b(?:(?:is|are|remains?|will be) (?:explicitly |currently |considered )?(?:out of (?:the )?scope|not (?:planned|in scope|part of|a goal|supported yet)|left (?:for|to) (?:later|the future|future)|deferred|postponed|beyond the scope|a non-?goal)|we (?:will not|won'?t|do(?:es)? not (?:aim|try|intend|attempt|plan|seek) to|are not going to)\b|(?:may|might|could) be (?:considered|added|revisited|supported|explored) (?:later|in (?:a|the) future|in future|in (?:a )?later))/i;

/** The spec itself leaves it for later or for nobody. */
export function isLeftForLater(text: string): boolean {
  const words = plainWords(text);
  return (
    LATER_TAIL.test(words) ||
    LATER_MARK.test(words) ||
    LATER_INSIDE.test(words) ||
    LATER_LABEL.test(words) ||
    LATER_SENTENCE.test(words)
  );
}

const META =
  /^(?:(?:document|doc|spec)\s+)?(?:version|revision|last (?:updated|modified|reviewed|edited)|updated|created|date|owners?|authors?|status|state|reviewers?|approvers?|approved by|prepared by|editors?|maintainers?|contacts?|licen[cs]e|copyright|attendees?|participants?|present|absent|location|time|duration|facilitator|note[- ]?taker|stakeholders|target release|epic link|jira|ticket|issue|tracking issue|implementation pr|discussion|rfc pr|start date|feature name|confidentiality|classification|next (?:review|meeting)|end of (?:the )?document)\s*(?:\([^)]*\)\s*)?(?::|$)/i;

const ABOUT_TEXT =
  /^(?:this (?:document|spec|specification|rfc|section|page|proposal|adr|file|chapter|doc|prd|note)\b|these (?:are|were) (?:the |my |our )?(?:notes|minutes)|the following (?:sections?|document)|below (?:is|are)\b|the (?:\w+ ){1,4}(?:identified|described|listed|outlined|defined) in this (?:document|spec|specification|rfc|proposal|prd)\b)/i;

/** Says how words such as MUST are meant. */
export const explainsKeyWords = (text: string): boolean =>
  /\bkey ?words\b.{0,300}\b(?:RFC|BCP) ?\d|\bto be interpreted as described in\b/is.test(plainWords(text));

/** Says what the text itself is: "These are the notes of a meeting". */
export const describesText = (text: string): boolean => ABOUT_TEXT.test(plainWords(text));

/** About the document or the meeting, not about the work: "Version: 1.0", "Attendees: Ann, Bob". */
export const isAboutDocument = (text: string): boolean => {
  const words = plainWords(text);
  return (
    (words.length < 300 && META.test(words) && !obliges(words)) ||
    /^(?:©|\(c\)|copyright\b|generated (?:by|with|on)\b|end of document)/i.test(words)
  );
};

/** "Let us fix that.", "Let's get started!": says that something is to be done, and nothing of what. */
export const saysNothingNew = (text: string): boolean =>
  /^(?:let['’]s|let us)\s+(?:[a-z]+\s+){1,3}(?:that|this|it|started|going|dive in)\W*$/i.test(plainWords(text)) ||
  /^(?:primary |main |alternative )?(?:tag ?line|slogan|motto)s?\s*:/i.test(plainWords(text));

/** "Next meeting 18 Nov". */
export const saysNextMeeting = (text: string): boolean =>
  /^(?:the )?next (?:meeting|call|sync|session|review|stand-?up|appointment)\b[^.]{0,60}\.?$/i.test(plainWords(text)) &&
  !obliges(text);

const OPTIONAL = /^\W*[[(]optional[\])]|[[(]optional[\])]\W*$|^optional\s*[:–—-]|\b(?:could|nice to|may) have\b/i;
const PRIORITY = /(?:^|[[(|\s])(P[0-4])(?=[\])|\s:,.]|$)/;

/** 0 is the most urgent; undefined if nothing is said. */
export function statedPriority(text: string): number | undefined {
  const stated = PRIORITY.exec(text)?.[1];
  if (stated !== undefined) return Number(stated[1]);
  if (/[([]\s*must(?:[ -]have)?\s*[)\]]/i.test(text)) return 0;
  if (/[([]\s*should(?:[ -]have)?\s*[)\]]/i.test(text)) return 1;
  return OPTIONAL.test(text) || /[([]\s*could(?:[ -]have)?\s*[)\]]/i.test(text) ? 3 : undefined;
}

/** As `statedPriority`, for a cell of a column about priority. */
export function priorityOf(cell: string): number | undefined {
  const words = plainWords(cell).toLowerCase();
  const level = /\bp\s?([0-4])\b|^([0-4])$/.exec(words);
  if (level !== null) return Number(level[1] ?? level[2]);
  if (/\b(?:must|critical|blocker|highest|urgent)\b/.test(words)) return 0;
  if (/\b(?:should|high|important|required)\b/.test(words)) return 1;
  if (/\b(?:medium|normal|moderate)\b/.test(words)) return 2;
  if (/\b(?:could|low|lowest|nice|optional|minor)\b/.test(words)) return 3;
  return undefined;
}

const DECIDED =
  /^(?:[\p{L} ]{2,30}:\s*)?(?:(?:we|they|the team|everyone|all)\s+)?(?:agreed|decided|decision|agreement|resolved)\b(?!.*\?)/iu;
const TOLD =
  /^(?:[\p{Lu}][\p{L}'’-]+(?:\s+(?:and|&)\s+[\p{Lu}][\p{L}'’-]+)?|we|they|the team|everyone)\s+(?:has |have )?(?:discussed|talked|reviewed|presented|reported|mentioned|noted|explained|joined|walked|showed|demoed|shared|went|raised|brought up|said)\b|^(?:discussed|talked about|reviewed|presented|went over|recap(?:ped)?)\b/iu;

/** What a note says that was said or decided; nothing if it asks for something. */
export function isMeetingNote(text: string): "decisions" | "overview" | undefined {
  const words = plainWords(text);
  if (DECIDED.test(words) && !/\b(?:must|shall)\b/i.test(words)) return "decisions";
  return TOLD.test(words) && !obliges(words) ? "overview" : undefined;
}

/** Says in the present what something does or how it is treated, as specs do: "The key is only read at the root". */
const BEHAVES = new RegExp(
  String.raw`\b(?:will|can|may|cannot|is|are|gets?)\s+(?:(?:not|only|also|always|never|then|be|automatically|still|now)\s+){0,3}(?:[a-z]{2,}(?:ed|en)|set|sent|read|put|built|kept|shown|made|able|allowed|required|possible)\b|\b(?:${VERBS})(?:s|es)\b`,
  "i",
);
const NOT_NOW =
  /\b(?:currently|today|at the moment|right now|was|were|had|has been|have been|yesterday|last (?:week|month|year))\b/i;

const SCENARIO = /^given\b.{1,400}\bwhen\b.{1,400}\bthen\b/is;

export const tellsBehaviour = (text: string): boolean => {
  const words = plainWords(text);
  return SCENARIO.test(words) || (BEHAVES.test(words) && !NOT_NOW.test(words)) || asksForWork(words) || isOrder(words);
};
/** Control characters are no words either, nor is half of a surrogate pair. */
export const SPACES = /[\s\p{Cc}\p{Cs}]+/gu;

export const collapse = (text: string): string => text.replace(SPACES, " ").trim();

const UNSEEN = /(?![\t\n\r])[\p{Cc}\p{Cs}]/gu;

/** As it stands, line by line, but for what `collapse` takes for white space and no page shows. */
export const withoutControls = (text: string): string => text.replace(UNSEEN, " ");

/** Whether a person would see anything: a letter, a digit, or a picture. */
export const hasLetters = (text: string): boolean => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text);
