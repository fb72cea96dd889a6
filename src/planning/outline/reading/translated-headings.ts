// Headings in other languages than English. The same roles as in heading-roles.ts, with the words that specs use most.

import type { SectionRole } from "./heading-roles.js";

type Entry = readonly [role: SectionRole, isSure: boolean, words: RegExp];

/** In the form of `sameWords`; the first that fits counts. Words of Chinese, Japanese and Korean have no spaces between them. */
export const TRANSLATED: readonly Entry[] = [
  [
    "questions",
    true,
    /^(?:offene (?:fragen|punkte|themen)|questions? ouvertes?|points? ouverts?|preguntas abiertas|cuestiones abiertas|quest(?:ões|oes) (?:em aberto|abertas)|perguntas em aberto|domande aperte|open vragen|открытые вопросы)$|待定|待确认|待確認|待解决|未解决|開放問題|开放问题|未決|オープンな?質問|미해결|미정/,
  ],
  [
    "nonGoals",
    true,
    /^(?:nicht ?ziele|abgrenzung(?:skriterien)?|nicht (?:im|teil des) (?:umfang|umfangs|scope)|ausgeschlossen|hors (?:du )?(?:périmètre|perimetre|scope)|non objectifs|fuera de(?:l)? alcance|no objetivos|fora d[eo] escopo|não objetivos|fuori (?:ambito|scopo)|buiten scope|вне (?:рамок|области).*|не входит.*)$|非目标|非目標|不在范围|不在範圍|范围外|範圍外|スコープ外|対象外|범위 ?(?:제외|밖)|비목표/,
  ],
  [
    "future",
    true,
    /^(?:ausblick|zukünftige.*|zukunft|später|wunschkriterien|kannkriterien|erweiterungen|perspectives|évolutions(?: futures)?|améliorations futures|trabajo futuro|mejoras futuras|futuro|trabalhos? futuros?|melhorias futuras|sviluppi futuri|toekomst|планы на будущее|будущее.*)$|未来|未來|后续(?:计划|规划|扩展)|後續|将来|今後|향후|추후/,
  ],
  [
    "acceptance",
    true,
    /(?:akzeptanz|abnahme)kriterien$|^(?:critères d acceptation|criterios de aceptación|critérios de aceitação|criteri di accettazione|acceptatiecriteria|критерии приемки|критерии приёмки)$|验收|驗收|受け入れ基準|受入基準|인수 ?(?:기준|조건)/,
  ],
  [
    "done",
    true,
    /^(?:erledigt|fertig|abgeschlossen|terminé|fait|réalisé|hecho|completado|terminado|feito|concluído|fatto|completato|gedaan|готово|сделано|выполнено)$|^(?:已完成|完了|完成済み|완료)|版本(?:历史|歷史|记录|記錄)|更新(?:日志|日誌|记录)|變更(?:日誌|記錄)|変更履歴/,
  ],
  [
    "metrics",
    true,
    /^(?:kennzahlen|erfolgsmessung|indicateurs(?: de succès)?|métricas(?: de (?:éxito|sucesso))?|metriche|метрики.*)$|成功指标|成功指標|^指标$|^指標$|成功メトリクス|성공 ?지표/,
  ],
  [
    "glossary",
    true,
    /^(?:glossar|begriffe|definitionen|begriffsdefinitionen|glossaire|définitions|glosario|definiciones|glossário|definições|glossario|definizioni|begrippen|глоссарий|термины.*|определения)$|术语|術語|词汇表|詞彙表|用語集|用語定義|용어/,
  ],
  ["risks", true, /^(?:risiken|risques|riesgos|riscos|rischi|risico s|риски)\b|风险|風險|リスク|위험|리스크/],
  [
    "assumptions",
    true,
    /^(?:annahmen|hypothèses|supuestos|premissas|assunzioni|aannames|допущения)\b|假设|假設|前提条件/,
  ],
  [
    "references",
    true,
    /^(?:quellen|verweise|referenzen|anhang|inhaltsverzeichnis|références|annexes?|table des matières|referencias|índice|anexos?|referências|sumário|riferimenti|indice|ссылки|приложени.*|оглавление|содержание)$|参考|參考|附录|附錄|目录$|目錄$|竞品|競品|目次|참고/,
  ],
  [
    "users",
    true,
    /^(?:zielgruppen?|nutzergruppen|benutzergruppen|stakeholder|anwender|utilisateurs cibles|public cible|parties prenantes|usuarios objetivo|público objetivo|partes interesadas|público alvo|usuários alvo|utenti target|doelgroep(?:en)?|целевая аудитория|пользователи)$|目标用户|目標用戶|目標使用者|目标群体|用户画像|使用者輪廓|ターゲットユーザー|対象ユーザー|사용자 ?대상|대상 ?사용자|타겟/,
  ],
  ["users", false, /^(?:be)?nutzer\b|^anwender\b|^utilisateurs$|^usuarios$|^usuários$/],
  [
    "motivation",
    true,
    /^(?:hintergrund|ausgangslage|ist zustand|motivation|problemstellung|contexte|problématique|antecedentes|contexto|motivación|problema|motivação|justificativa|contesto|motivazione|achtergrond|probleemstelling|предпосылки|проблема|контекст)$|^背景|背景$|痛点|痛點|问题陈述|問題陳述|動機|课题|課題$|배경/,
  ],
  [
    "overview",
    false,
    /^(?:einleitung|überblick|zusammenfassung|projektbeschreibung|zweck|introduction|présentation|résumé|aperçu|introducción|resumen|descripción(?: general)?|introdução|resumo|descrição(?: geral)?|visão geral|introduzione|panoramica|inleiding|samenvatting|введение|обзор|описание)$|概述|概要|简介|簡介|项目特色|專案特色|产品特色|はじめに|개요|소개/,
  ],
  [
    "goals",
    false,
    /^(?:ziele?|zielsetzung|zielbestimmung(?:en)?|objectifs?|buts?|objetivos?(?: generales?| específicos?| gerais)?|obiettivi|doelen|doelstellingen|цели)$|^(?:项目|專案|产品|產品|业务|業務)?目标$|^(?:專案|產品|業務)?目標$|^目的$|목표$/,
  ],
  [
    "constraints",
    true,
    /^(?:randbedingungen|rahmenbedingungen|technologie(?:n| stack)?|contraintes(?: techniques)?|restricciones|restrições|tecnologías?|tecnologias?|vincoli|randvoorwaarden|ограничения)$|技术栈|技術棧|技術堆疊|(?:核心)?函式庫$|核心库$|兼容性$|相容性$|约束|約束|制約|기술 ?스택/,
  ],
  [
    "process",
    true,
    /^(?:zeitplan|meilensteine|vorgehen|calendrier|planning|échéancier|cronograma|calendario|planificación|tijdlijn|сроки|график)$|时间表|時間表|里程碑|排期|日程|スケジュール|일정/,
  ],
  [
    "testing",
    true,
    /^(?:testen|teststrategie|testplan|pruebas|testes|тестирование)$|^(?:测试|測試)(?:计划|計畫|計劃|方案|策略)?$|テスト(?:計画|戦略)/,
  ],
  [
    "work",
    true,
    /\b(?:anforderungen|funktionale anforderungen|musskriterien|lastenheft|pflichtenheft|produktfunktionen|funktionen|aufgaben|exigences|fonctionnalités|besoins fonctionnels|requisitos|funcionalidades|historias de usuario|histórias de usuário|tareas|tarefas|requisiti|funzionalità|eisen|требования|функции|задачи)\b|требования|需求|功能|待办|待辦|任务|任務|要件|機能|요구 ?사항|기능/,
  ],
];

/** Headings of lists whose entries are parts of one thing. */
export const TRANSLATED_FIELDS =
  /\b(?:datenmodell|datenbank|felder|attribute|champs|campos|parámetros|parâmetros|modelo de (?:datos|dados))\b|参数|參數|字段|欄位|属性|屬性|数据(?:模型|结构|表|库)|表结构|(?:状态|狀態)$|資料(?:模型|結構|表)|パラメータ|フィールド/;
