// Headings in other languages than English. The same roles as in heading-roles.ts, with the words that specs use most.

import type { SectionRole } from "./heading-roles.js";

type Entry = readonly [role: SectionRole, isSure: boolean, words: RegExp];

/** In the form of `sameWords`; the first that fits counts. Words of Chinese, Japanese and Korean have no spaces between them. */
export const TRANSLATED: readonly Entry[] = [
  [
    "questions",
    true,
    /^(?:offene fragen|questions? ouvertes?|preguntas abiertas|questões em aberto|domande aperte|open vragen|открытые вопросы)$|待确认|待確認|开放问题|未決|미정/,
  ],
  [
    "nonGoals",
    true,
    /^(?:nicht ?ziele|abgrenzung(?:skriterien)?|nicht im umfang|hors (?:du )?(?:périmètre|scope)|fuera de(?:l)? alcance|fora d[eo] escopo|fuori ambito|buiten scope|вне рамок.*|не входит.*)$|非目标|非目標|不在范围|范围外|スコープ外|対象外|범위 ?제외|비목표/,
  ],
  [
    "future",
    true,
    /^(?:ausblick|wunschkriterien|perspectives|évolutions(?: futures)?|trabajo futuro|mejoras futuras|trabalhos? futuros?|melhorias futuras|sviluppi futuri|toekomst|планы на будущее)$|未来|未來|后续计划|将来|今後|향후|추후/,
  ],
  [
    "acceptance",
    true,
    /(?:akzeptanz|abnahme)kriterien$|^(?:critères d acceptation|criterios de aceptación|critérios de aceitação|criteri di accettazione|acceptatiecriteria|критерии приемки|критерии приёмки)$|验收|驗收|受け入れ基準|인수 ?기준/,
  ],
  ["done", true, /^(?:erledigt|hecho|completato|gedaan|готово)$|更新日志|変更履歴/],
  ["metrics", true, /^(?:kennzahlen|métricas(?: de éxito)?|metriche|метрики.*)$|成功指标|성공 ?지표/],
  [
    "glossary",
    true,
    /^(?:glossar|begriffe|glossaire|définitions|glosario|definiciones|glossário|definições|glossario|definizioni|begrippen|глоссарий|термины.*|определения)$|术语|術語|用語集|用語定義|용어/,
  ],
  ["risks", true, /^(?:risiken|risques|riesgos|riscos|rischi|risico s|риски)$|风险|風險|リスク|위험|리스크/],
  ["assumptions", true, /^(?:annahmen|hypothèses|supuestos|premissas|aannames|допущения)$|假设|前提条件/],
  [
    "references",
    true,
    /^(?:anhang|références|annexes?|referencias|referências|riferimenti|ссылки)$|参考|參考|附录|附錄|참고/,
  ],
  [
    "users",
    true,
    /^(?:zielgruppen?|utilisateurs cibles|público alvo|utenti target|doelgroep(?:en)?|целевая аудитория|пользователи)$|目标用户|目標使用者|用户画像|対象ユーザー|대상 ?사용자/,
  ],
  ["users", false, /^(?:be)?nutzer\b|^utilisateurs$|^usuarios$/],
  [
    "motivation",
    true,
    /^(?:hintergrund|ausgangslage|problemstellung|contexte|antecedentes|contexto|justificativa|contesto|motivazione|achtergrond|probleemstelling|предпосылки|проблема|контекст)$|背景$|痛点|課題$|배경/,
  ],
  [
    "overview",
    false,
    /^(?:einleitung|überblick|zusammenfassung|présentation|résumé|introducción|resumen|descripción(?: general)?|introdução|resumo|descrição(?: geral)?|visão geral|introduzione|panoramica|inleiding|samenvatting|введение|обзор|описание)$|概述|概要|简介|はじめに|개요|소개/,
  ],
  [
    "goals",
    false,
    /^(?:ziele?|zielsetzung|objectifs?|objetivos?(?: generales?)?|obiettivi|doelen|doelstellingen|цели)$|^(?:项目|产品)?目标$|^目標$|^目的$|목표$/,
  ],
  [
    "constraints",
    true,
    /^(?:rahmenbedingungen|technologie(?:n)?|contraintes(?: techniques)?|restricciones|restrições|vincoli|randvoorwaarden|ограничения)$|技术栈|技術棧|约束|制約|기술 ?스택/,
  ],
  [
    "process",
    true,
    /^(?:zeitplan|meilensteine|calendrier|planning|cronograma|calendario|tijdlijn|сроки|график)$|时间表|時間表|里程碑|スケジュール|일정/,
  ],
  ["testing", true, /^(?:testplan|pruebas|testes|тестирование)$|^(?:测试|測試)(?:计划|計畫)?$|テスト計画/],
  [
    "work",
    true,
    /\b(?:anforderungen|funktionale anforderungen|musskriterien|lastenheft|funktionen|aufgaben|exigences|fonctionnalités|besoins fonctionnels|requisitos|funcionalidades|historias de usuario|histórias de usuário|tareas|tarefas|requisiti|eisen|taken)\b|funzionalità|требования|функции|задачи|需求|功能|待办|任务|要件|機能|요구 ?사항|기능/,
  ],
];

/** Headings of lists whose entries are parts of one thing. */
export const TRANSLATED_FIELDS =
  /\b(?:datenmodell|felder|campos)\b|参数|数据(?:模型|结构)|資料模型|パラメータ|フィールド/;
