import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readAfterPassword } from '../../src/campus/contract/form-login.ts';
import { readAllPages, rowsOfPages } from '../../src/campus/contract/kit.ts';
import { imageOf } from '../../src/campus/contract/sign-in.ts';
import { readDecision, readEnvelope } from '../../src/campus/contract/ticket-application.ts';
import { amountIn, statesAmount } from '../../src/campus/parsing/amounts.ts';
import * as scalars from '../../src/campus/parsing/cells.ts';
import { hasHan, isPlainNumber } from '../../src/campus/parsing/columns.ts';
import { elementsIn, optionsOf, scriptsIn } from '../../src/campus/parsing/elements.ts';
import * as examTimes from '../../src/campus/parsing/exam-times.ts';
import { asksNewPassword, formsIn, signInForm, takesCode, takesPassword } from '../../src/campus/parsing/forms.ts';
import { isHidden } from '../../src/campus/parsing/hidden-elements.ts';
import { attributeOf, hasCssClasses, hasEnd, htmlTokens } from '../../src/campus/parsing/html-tokens.ts';
import { judgeCodeText, judgeText, lockSecondsIn, saysSessionGone } from '../../src/campus/parsing/login-texts.ts';
import { judgeShown, readShown, showsSlider, standingTexts } from '../../src/campus/parsing/page-messages.ts';
import { hiddenPasswordIn, passwordCipherIn } from '../../src/campus/parsing/password-cipher.ts';
import { type PageReader, readJson, readJsonList, readJsonObject } from '../../src/campus/parsing/reading.ts';
import * as refusals from '../../src/campus/parsing/refusals.ts';
import * as cells from '../../src/campus/parsing/row-reader.ts';
import {
  asJson,
  expressionEnd,
  readLiteral,
  readLiteralAt,
  withoutComments,
} from '../../src/campus/parsing/script-values.ts';
import * as sessions from '../../src/campus/parsing/sessions.ts';
import {
  clean,
  collapse,
  decodeEntities,
  detach,
  plainMessage,
  textBetween,
  trim,
} from '../../src/campus/parsing/text.ts';
import { weekMask } from '../../src/campus/parsing/weeks.ts';
import { mergeCategories, parseCategories, parseTotal } from '../../src/campus/products/aac/index.ts';
import * as authserver from '../../src/campus/products/authserver/pages.ts';
import * as secondSteps from '../../src/campus/products/authserver/second-step-pages.ts';
import * as card from '../../src/campus/products/card/parse-card.ts';
import { parseCroyptoPage } from '../../src/campus/products/cas/croypto.ts';
import { encrypted, plainPages } from '../../src/campus/products/cas/index.ts';
import { competitionPageAlive, readForm } from '../../src/campus/products/competition/form.ts';
import { pagePartsOf, parseAwards } from '../../src/campus/products/competition/parse-awards.ts';
import * as eams5Exams from '../../src/campus/products/eams5/parse-exams.ts';
import * as eams5Scores from '../../src/campus/products/eams5/parse-scores.ts';
import * as eams5Terms from '../../src/campus/products/eams5/parse-terms.ts';
import * as eams5Timetable from '../../src/campus/products/eams5/parse-timetable.ts';
import * as eams5SignIn from '../../src/campus/products/eams5/sign-in.ts';
import * as emapChanges from '../../src/campus/products/emap/changes.ts';
import * as emapEnvelope from '../../src/campus/products/emap/envelope.ts';
import * as emapExams from '../../src/campus/products/emap/parse-exams.ts';
import * as emapScores from '../../src/campus/products/emap/parse-scores.ts';
import * as emapTerms from '../../src/campus/products/emap/parse-terms.ts';
import * as emapTimetable from '../../src/campus/products/emap/parse-timetable.ts';
import {
  parsePaymentPage,
  parseUsagePage,
  recordItems,
  recordPageAlive,
} from '../../src/campus/products/isim/parse-records.ts';
import {
  buildingsPageAlive,
  codeNames,
  parseBound,
  parseBuildings,
  parseFloors,
  parseRooms,
} from '../../src/campus/products/isim/parse-rooms.ts';
import * as jwglxtPages from '../../src/campus/products/jwglxt/pages.ts';
import * as jwglxtScores from '../../src/campus/products/jwglxt/parse-scores.ts';
import * as jwglxtStudent from '../../src/campus/products/jwglxt/parse-student.ts';
import * as jwglxtTerms from '../../src/campus/products/jwglxt/parse-terms.ts';
import * as jwglxtTimetable from '../../src/campus/products/jwglxt/parse-timetable.ts';
import * as jwglxtSignIn from '../../src/campus/products/jwglxt/sign-in.ts';
import * as lakeside from '../../src/campus/products/lakeside/parse.ts';
import * as clubLists from '../../src/campus/products/ldjlb/parse-answers.ts';
import { parseDetail, parseFinishedCount, parseScoreInfo } from '../../src/campus/products/ldjlb/parse-answers.ts';
import {
  isGone,
  isPortalPage,
  isWholeSession,
  oddities,
  parseChallenge,
  parsePortalAnswer,
  wordsIn,
} from '../../src/campus/products/ssl-vpn/pages.ts';
import { maskPhone, parseCodeChecked, parseSent } from '../../src/campus/products/ssl-vpn/second-step-pages.ts';
import { parseSubmission } from '../../src/campus/products/urp/evaluation-client.ts';
import { parseOwnLogin, passwordFormOf } from '../../src/campus/products/urp/own-login.ts';
import * as evaluation from '../../src/campus/products/urp/parse-evaluation.ts';
import { examPageAlive, parseExamSeats } from '../../src/campus/products/urp/parse-exam-seats.ts';
import { parseOtherExams, parseUniversityExams } from '../../src/campus/products/urp/parse-exams.ts';
import * as offerings from '../../src/campus/products/urp/parse-offerings.ts';
import { parsePlanCompletion, planPageAlive } from '../../src/campus/products/urp/parse-plan-page.ts';
import { parseQuestionnaire, questionnaireAlive } from '../../src/campus/products/urp/parse-questionnaire.ts';
import { parseCourseTable, parseSections, teachersIn } from '../../src/campus/products/urp/parse-schedule.ts';
import {
  parseSchemeIndex,
  parseSchemeScores,
  schemeDataAlive,
  schemeIndexAlive,
} from '../../src/campus/products/urp/parse-scheme-scores.ts';
import {
  parseScoreComponents,
  parseScoreData,
  parseThisTermScores,
} from '../../src/campus/products/urp/parse-scores.ts';
import * as segments from '../../src/campus/products/urp/parse-segments.ts';
import * as smallAnswers from '../../src/campus/products/urp/parse-student.ts';
import { parseStudentFile, studentFileAlive } from '../../src/campus/products/urp/parse-student.ts';
import {
  calendarAlive,
  calendarPageAlive,
  homeAlive,
  parseCalendar,
  parseHome,
  parseTermList,
  termName,
} from '../../src/campus/products/urp/parse-terms.ts';
import { categoryText, courseText, plainCourseText } from '../../src/campus/products/urp/plan-texts.ts';
import { planNodesIn } from '../../src/campus/products/urp/plan-tree.ts';
import { docOf } from '../../src/campus/recordings/doc.ts';
import { applicationTicketIn, judgePage, judgeRedirect, losesItsWay } from '../../src/campus/session/judge.ts';
import { decodeBody } from '../../src/campus/transport/body-text.ts';
import { pickerPage, recordItem, recordPage } from '../unit/campus/products/isim/fixtures.ts';
import { addressesOf } from './addresses-of.ts';
import { mappedWiring } from './unused-wiring.ts';

const campus = join(import.meta.dirname, '../../src/campus');
const recordings = join(import.meta.dirname, '../recordings');

export const isReader = (value: unknown): value is PageReader => typeof value === 'function' && 'place' in value;

/**
 * Everything in `src/campus` that reads text of an upstream, with a good text for each. What `readersOf` has made need not
 * be listed: a recorded page is found for it.
 */

type Read = (text: string) => unknown;

/** `exports`: what `read` calls. */
export interface Reader {
  readonly file: string;
  readonly exports: readonly string[];
  readonly sample: string;
  readonly read: Read;
}

const fixture = (path: string): string => readFileSync(new URL(`../fixtures/${path}`, import.meta.url), 'utf8');

/** The functions by name, each read with the text; that one refuses it keeps no other from reading it. */
const reader = (file: string, sample: string, functions: Readonly<Record<string, Read>>): Reader => ({
  file,
  exports: Object.keys(functions),
  sample,
  read: (text) =>
    Promise.allSettled(
      Object.values(functions).map(async (read) => {
        await read(text);
      }),
    ),
});

const data = (text: string): unknown => readEnvelope(text, 'labor-club').data;

const addresses = addressesOf(mappedWiring);

const challenge =
  '<Auth><TwfID>5f0c9a3b</TwfID><CSRF_RAND_CODE>17</CSRF_RAND_CODE><RSA_ENCRYPT_KEY>AB12</RSA_ENCRYPT_KEY></Auth>';
const questionnaire =
  '<div class="title">问卷</div><form><input type="hidden" name="tokenValue" value="abc"><input name="wjdm" value="1">' +
  '<table><tr><td rowspan="2">教学建议</td></tr><tr><td><textarea name="zgpj" maxlength="50"></textarea></td>' +
  '<td><label><input type="radio" name="q1" value="5_0.8"> 同意</label></td></tr>' +
  '</table></form>';
const rows = (row: string): string => `{"code":0,"msg":"","data":[${row},${row}],"pageInfo":{"TotalItemCount":2}}`;
const category =
  '{"ID":"1","ShowNum":1,"TypeName":"德育","TotalScore":"3.5","children":[{"ID":"7","Title":"志愿","Score":1}]}';
const offeringRow =
  '{"kch":"A1","kxh":"05","kcm":"线性代数","xf":2.5,"skjs":"许静* ","skzc":"1-18","skxq":1,"skjc":1,"cxjc":2,"zcsm":"1-16周"}';
const course = '[MAT1102004]线性代数(B)[2.5学分](必修,52.0(20250112))';
const statistics = '通识通修(最低修读学分:68,通过学分:34.4,已修课程门数:26,必修课缺修门数:12)';
const emapRows = (name: string, row: string): string =>
  `{"code":"0","datas":{"${name}":{"totalSize":2,"rows":[${row},${row}],"extParams":{"code":1,"msg":"查询成功"}}}}`;
const emapPlace = '{"KCM":"a","KCH":"A","KXH":"1","SKZC":"1111","ZCMC":"1-4周","SKXQ":1,"KSJC":"1","JSJC":2,"XH":"1"}';
const emapChange =
  '{"TKLXDM":"01","KCH":"A","KXH":"1","SKZC":"01","SKXQ":"1","KSJC":"1","JSJC":"2","XSKZC":"001","XSKXQ":"3","XKSJC":"5","XJSJC":"6"}';
const script = `var a = [1, "x//y", /* old */ 'z\\'', {b: 2}], // end\n c = (1);`;
const tag = `<input type="hidden" name='lt' value=LT-1 class="btn btn-round" disabled>`;
const page = `<!DOCTYPE html><html><body><!-- x --><p class="a">b &amp; c</p><script>if (a<b) "</p>";</script>${tag}</body></html>`;

const listed: readonly Reader[] = [
  reader('products/aac/index.ts', rows(category), { parseCategories: (text) => parseCategories(data(text)) }),
  reader('products/aac/index.ts', rows('{"ID":"1","TypeName":"德育"}'), {
    mergeCategories: (text) => {
      const { rows: categories } = parseCategories(data(text));
      return mergeCategories([categories.slice(0, 100), categories, categories.toReversed()]);
    },
  }),
  reader('products/aac/index.ts', '{"data":{"TotalScore":"12.5","IsTypeAdopt":true,"TypeAdoptResult":"合格"}}', {
    parseTotal: (text) => parseTotal(data(text)),
  }),
  reader(
    'products/card/parse-card.ts',
    '<div class="show"><label>校园卡余额：</label><label>-3,200.20元</label></div>',
    {
      balanceAlive: card.balanceAlive,
      parseBalance: card.parseBalance,
    },
  ),
  reader(
    'products/card/parse-card.ts',
    '<label>卡状态：</label><label>正常</label><label>账户状态</label><label>挂失</label>',
    {
      stateAlive: card.stateAlive,
      parseState: card.parseState,
    },
  ),
  reader(
    'products/card/parse-card.ts',
    '<table><tr><th>记账时间</th></tr><tr><td>1</td><td>2.50&nbsp;</td></tr></table>',
    {
      transactionsAlive: card.transactionsAlive,
      parseTransactions: card.parseTransactions,
    },
  ),
  reader('products/card/parse-card.ts', '<table><tr><td>姓名</td><td>购电</td></tr><tr><td>1</td></tr></table>', {
    purchasesAlive: card.purchasesAlive,
    parsePurchases: card.parsePurchases,
  }),
  reader('transport/body-text.ts', 'text/html; charset="gbk"', {
    decodeBody: (text) => [
      decodeBody(Buffer.from('<p>'), text),
      decodeBody(Buffer.from(`<meta content="${text}">`), undefined),
    ],
  }),
  reader('products/competition/form.ts', fixture('competition/start.html'), { readForm, competitionPageAlive }),
  reader('products/competition/parse-awards.ts', fixture('competition/awards.html'), { pagePartsOf }),
  reader('products/competition/parse-awards.ts', fixture('competition/awards.html'), { parseAwards }),
  reader('products/isim/parse-rooms.ts', '01,02,请选择,松园1号', {
    codeNames: (text) => codeNames(text.split(','), text.split(',')),
  }),
  reader('products/isim/parse-rooms.ts', pickerPage(), { buildingsPageAlive, parseBuildings }),
  reader(
    'products/isim/parse-rooms.ts',
    '[{floordm:["","0101"],roomdm:["","2"],floorname:["请选择","1层"],roomname:["",\'2室\']}]',
    {
      parseFloors,
      parseRooms,
    },
  ),
  reader('products/isim/parse-rooms.ts', '[{"bindinginfo":"松园1号 0101"}]', { parseBound }),
  reader(
    'products/isim/parse-records.ts',
    recordPage({ records: recordItem('2025-01-02 03:04:05', '-1,234.50 元', '类型： 电表：1') }),
    { recordPageAlive, parseUsagePage, parsePaymentPage },
  ),
  reader('products/isim/parse-records.ts', recordPage({ records: recordItem('2025-01-02', '1.5度') }), { recordItems }),
  reader('parsing/script-values.ts', `[{a:"x\\u0041",'b':[1,null,],c:"z"}]`, {
    readLiteral,
    readLiteralAt: (text) => readLiteralAt(text, 0),
  }),
  reader('products/urp/parse-student.ts', fixture('urp/academic-summary.json'), {
    parseAcademicSummary: smallAnswers.parseAcademicSummary,
  }),
  reader('products/urp/parse-terms.ts', fixture('urp/term-start.html'), { calendarAlive, parseCalendar }),
  reader('products/urp/parse-student.ts', fixture('urp/course-selection.json'), {
    parseCourseSelection: smallAnswers.parseCourseSelection,
  }),
  reader('products/urp/parse-schedule.ts', fixture('urp/courses.json'), { parseCourseTable, teachersIn }),
  ...['urp/evaluation-index.html', 'urp/evaluation-closed.html'].map((name) =>
    reader('products/urp/parse-evaluation.ts', fixture(name), {
      parseEvaluationIndex: evaluation.parseEvaluationIndex,
      evaluationIndexAlive: evaluation.evaluationIndexAlive,
      evaluationTokenIn: (text) => evaluation.evaluationTokenIn(text, 'id'),
    }),
  ),
  reader('products/urp/parse-evaluation.ts', fixture('urp/evaluation-list.json'), {
    parseEvaluationList: evaluation.parseEvaluationList,
  }),
  reader('products/urp/parse-exam-seats.ts', fixture('urp/exam-page.html'), { examPageAlive, parseExamSeats }),
  reader('products/urp/parse-terms.ts', fixture('urp/home.html'), { homeAlive, parseHome }),
  reader('products/urp/parse-segments.ts', fixture('urp/this-term-index.html'), {
    parseThisTermIndex: segments.parseThisTermIndex,
    segmentsIn: segments.segmentsIn,
    thisTermIndexAlive: segments.thisTermIndexAlive,
  }),
  reader('products/urp/parse-scores.ts', fixture('urp/this-term-scores.json'), { parseThisTermScores }),
  reader(
    'products/urp/parse-scheme-scores.ts',
    '[{"cjlx":"a","cjList":[{"id":{"courseNumber":"1"},"credit":".5","cj":"87"}]}]',
    {
      schemeDataAlive,
      parseSchemeScores,
    },
  ),
  reader('products/urp/parse-scheme-scores.ts', '/student/integratedQuery/scoreQuery/a1/schemeScores\\/callback', {
    schemeIndexAlive,
    parseSchemeIndex,
  }),
  reader(
    'products/urp/parse-student.ts',
    '<div class="profile-info-name">姓名：</div><div class="profile-info-value"><div>林</div>晓</div>',
    { studentFileAlive, parseStudentFile },
  ),
  reader('products/urp/parse-scores.ts', fixture('urp/score-components.json'), { parseScoreComponents }),
  ...['urp/other-exams.json', 'urp/other-exams-arrays.json'].map((name) =>
    reader('products/urp/parse-exams.ts', fixture(name), { parseOtherExams }),
  ),
  ...['urp/plan-inline.html', 'urp/plan-variable.html', 'urp/plan-choice.html', 'urp/plan-links.html'].map((name) =>
    reader('products/urp/parse-plan-page.ts', fixture(name), { planPageAlive, parsePlanCompletion }),
  ),
  reader('products/urp/plan-tree.ts', `var n = [{"id":"1","flagId":"2"}]; zTree.init(a, {b: 1}, n); ${script}`, {
    planNodesIn: (text) => planNodesIn([text]),
  }),
  reader('products/urp/plan-texts.ts', course, { courseText, plainCourseText }),
  reader('products/urp/plan-texts.ts', statistics, { categoryText }),
  reader('products/urp/parse-questionnaire.ts', questionnaire, { questionnaireAlive, parseQuestionnaire }),
  reader('products/urp/parse-segments.ts', fixture('urp/calendar.html'), {
    parseScheduleIndex: segments.parseScheduleIndex,
  }),
  reader('products/urp/parse-scores.ts', fixture('urp/scores.json'), { parseScoreData }),
  reader('products/urp/parse-segments.ts', fixture('urp/score-index-entities.html'), {
    scoreIndexAlive: segments.scoreIndexAlive,
    parseScoreIndex: segments.parseScoreIndex,
  }),
  reader('products/urp/parse-schedule.ts', fixture('urp/sections.json'), { parseSections }),
  reader('products/urp/evaluation-client.ts', '{"result":"error","msg":"操作过快，请<b>稍后</b>再试&nbsp;"}', {
    parseSubmission,
  }),
  reader('products/urp/parse-terms.ts', fixture('urp/calendar.html'), { calendarPageAlive, parseTermList, termName }),
  reader('parsing/elements.ts', fixture('urp/calendar.html'), {
    optionsOf: (text) => optionsOf(text, 'planCode'),
    elementsIn: (text) => elementsIn(text, (tag) => (tag === 'a' ? tag : null)),
    scriptsIn,
  }),
  reader(
    'products/urp/parse-offerings.ts',
    '<select id="zxjxjhh"><option value="2025-2026-2-1" selected>春</option></select>',
    {
      offeringsIndexAlive: offerings.offeringsIndexAlive,
      parseOfferingTerms: offerings.parseOfferingTerms,
    },
  ),
  reader(
    'products/urp/parse-offerings.ts',
    `{"list":{"records":[${offeringRow}],"pageContext":{"totalCount":1}},"pfcx":0}`,
    {
      parseOfferings: offerings.parseOfferings,
    },
  ),
  reader(
    'products/urp/parse-offerings.ts',
    '<select name="executiveEducationPlanNum"><option value="a">春</select><select id="departmentNum"><option value="08">院</select>' +
      '<select name="yearNum"><option value="2023"></select>',
    { classIndexAlive: offerings.classIndexAlive, parseClassFilters: offerings.parseClassFilters },
  ),
  reader('products/urp/parse-offerings.ts', '[{"subjectCode":"0801","subjectName":"会计学"}]', {
    parseMajors: offerings.parseMajors,
  }),
  reader('products/urp/parse-offerings.ts', '[{"records":[{"id":{"classNum":"230714"},"className":"会计231"}]}]', {
    parseClasses: offerings.parseClasses,
  }),
  reader(
    'products/urp/parse-offerings.ts',
    `{"data":{"kbInfo":[[{"id":{"kch":"A","kxh":"1"},"kcm":"a","jsm":"许静* "}]]}}`,
    {
      parseClassSchedule: offerings.parseClassSchedule,
    },
  ),
  reader('products/urp/parse-student.ts', fixture('urp/training-plan.json'), {
    parseTrainingPlan: smallAnswers.parseTrainingPlan,
  }),
  reader('products/urp/parse-exams.ts', fixture('urp/university-exams.json'), { parseUniversityExams }),
  reader('products/urp/parse-segments.ts', '/scoreQuery/a1B2/data', {
    findSegment: (text) => segments.findSegment(text, /\/scoreQuery\/(?:([A-Za-z0-9]{1,64})\/)?data/g),
  }),
  ...['第1周-第16周,2 - 18双', '第14周 周一 5-8节 14:30~18:00，1-8,10-16周(单)'].map((sample) =>
    reader('parsing/weeks.ts', sample, {
      weekMask: (text) => [weekMask(text, text), weekMask('', text)],
    }),
  ),
  reader('parsing/exam-times.ts', '2026年1月9-10日（周五下午）2:00-4:00', {
    whenIn: (text) => [examTimes.whenIn(text, text), examTimes.whenIn('', text)],
    whenInOne: examTimes.whenInOne,
    inHours: (text) => examTimes.inHours({ date: '', time: text }),
    statesDay: examTimes.statesDay,
    seatOf: examTimes.seatOf,
    seatNote: examTimes.seatNote,
  }),
  reader('parsing/sessions.ts', '第1-2节,5~6,0102', {
    weekdayIn: sessions.weekdayIn,
    sessionParts: sessions.sessionParts,
    sessionsIn: sessions.sessionsIn,
    sessionOf: sessions.sessionOf,
    clockTimeOf: sessions.clockTimeOf,
  }),
  reader('parsing/refusals.ts', '{"msg":"系统繁忙，请稍后再试","code":"error"}', {
    contradictsSuccess: (text) => refusals.contradictsSuccess({ status: text, result: text }),
    refusesRows: (text) => refusals.refusesRows({ msg: text, result: text }),
    saysFailure: (text) => refusals.saysFailure({ msg: text }),
    saysNoSuccess: (text) => refusals.saysNoSuccess({ message: text }),
    tellsError: (text) => refusals.tellsError({ status: text, code: text }),
    messageIn: (text) => refusals.messageIn({ errorMessage: text }),
  }),
  reader('parsing/hidden-elements.ts', ' style="display:none" class="btn hide" hidden', {
    isHidden: (text) => isHidden('div', text),
  }),
  reader('parsing/amounts.ts', '欠费 (-1,234.50) 度', {
    amountIn: (text) => amountIn(text, text),
    statesAmount,
  }),
  reader('contract/kit.ts', rows('{"ID":"1"}'), {
    readAllPages: (text) => {
      const { rows: items } = clubLists.parseSignItems(readEnvelope(text, 'labor-club'));
      const paging = { system: 'labor-club', what: 'sign-in', size: 1, mostPages: 40 } as const;
      return readAllPages(paging, async () => ({ rows: items, received: 1, total: null }));
    },
    rowsOfPages: (text) => {
      const { rows: items } = clubLists.parseSignItems(readEnvelope(text, 'labor-club'));
      return rowsOfPages([items, items.toReversed()]);
    },
  }),
  reader(
    'products/ldjlb/parse-answers.ts',
    '{"code":0,"data":{"ID":"1"},"formData":[{"ID":"1"}],"teacherList":[{"ID":"2"}]}',
    {
      parseDetail: (text) => parseDetail(readEnvelope(text, 'labor-club')),
    },
  ),
  ...(
    [
      ['parseActivities', clubLists.parseActivities, '{"ID":"1","Title":"a","State":"2","IsJson":"1","PeopleNum":3}'],
      ['parseApplications', clubLists.parseApplications, '{"ID":"1","ClubID":"2","IsAgree":"同意"}'],
      ['parseClubs', clubLists.parseClubs, '{"ID":"1","Name":"a","PorjectName":"b","IsEnable":true}'],
      ['parseDirectory', clubLists.parseDirectory, '{"ID":"1","Name":"a","PorjectName":"b","IsEnable":"1","IsJoin":0}'],
      ['parseSignItems', clubLists.parseSignItems, '{"ID":"1","Type":"1","IsSign":"true"}'],
    ] as const
  ).map(([name, read, row]) =>
    reader('products/ldjlb/parse-answers.ts', rows(row), { [name]: (text) => read(readEnvelope(text, 'labor-club')) }),
  ),
  reader('products/ldjlb/parse-answers.ts', rows('{"ID":"1","Name":"a"}'), {
    uniqueClubs: (text) => {
      const { rows: clubs } = clubLists.parseDirectory(readEnvelope(text, 'labor-club'));
      return clubLists.uniqueClubs([...clubs, ...clubs]);
    },
  }),
  reader('products/ldjlb/parse-answers.ts', '{"data":{"Progress":"45.5"}}', {
    parseFinishedCount: (text) => parseFinishedCount(data(text)),
    parseScoreInfo: (text) => parseScoreInfo(data(text)),
  }),
  reader('parsing/row-reader.ts', ' true ', {
    readText: cells.readText,
    readTextOrNull: cells.readTextOrNull,
    intOrNull: cells.intOrNull,
    readFlagOrNull: cells.readFlagOrNull,
    readFlag: cells.readFlag,
  }),
  reader('parsing/html-tokens.ts', page, { htmlTokens: (text) => [...htmlTokens(text)].length, hasEnd }),
  reader('parsing/html-tokens.ts', tag.slice(6, -1), {
    attributeOf: (text) => attributeOf(text, 'no-such-name'),
    hasCssClasses: (text) => hasCssClasses(text, 'btn', 'btn-round'),
  }),
  reader('parsing/reading.ts', rows(category), {
    readJson: (text) => readJson(text, 'labor-club'),
    readJsonList: (text) => readJsonList(text, 'labor-club', 'rows'),
    readJsonObject: (text) => readJsonObject(text, 'labor-club'),
  }),
  reader('parsing/cells.ts', ' -12.50e3 ', {
    mark: scalars.mark,
    optMark: scalars.optMark,
    optPoint: scalars.optPoint,
    saysText: scalars.saysText,
    str: scalars.str,
    label: scalars.label,
    optStr: scalars.optStr,
    optLabel: scalars.optLabel,
    optNum: scalars.optNum,
    optCount: scalars.optCount,
    int: scalars.int,
    num: scalars.num,
    hasMinus: scalars.hasMinus,
    namesIn: (text) => scalars.namesIn([text, text]),
    credits: scalars.credits,
    countOf: scalars.countOf,
    saysSomething: scalars.saysSomething,
  }),
  reader('parsing/script-values.ts', script, {
    expressionEnd: (text) => expressionEnd(text, 0),
    asJson,
    withoutComments,
  }),
  reader('parsing/text.ts', ' 甲&nbsp;&amp;乙 <b>c</b> &#x27; ', {
    collapse,
    decodeEntities,
    clean,
    detach: detach,
    plainMessage,
    trim: trim,
    textBetween: (text) => textBetween(text, '<b>', '</b>'),
  }),
  reader('parsing/columns.ts', '-12.50', { hasHan, isPlainNumber }),
  reader('session/judge.ts', `<html><script></script>login_auth.csp ${page}`, {
    judgePage: (text) => [judgePage(addresses, 'jwc', text, 'page'), judgePage(addresses, 'competition', text, 'json')],
  }),
  reader('session/judge.ts', `${mappedWiring.jwcUrl}/login?service=http%3A%2F%2Fx`, {
    judgeRedirect: (text) => judgeRedirect(addresses, 'jwc', addresses.base('jwc'), text),
    losesItsWay: (text) => losesItsWay(addresses, 'jwc', text, addresses.base('jwc')),
    applicationTicketIn: (text) => applicationTicketIn(text, 'service='),
  }),
  reader('products/ssl-vpn/pages.ts', challenge, { parseChallenge }),
  reader('products/ssl-vpn/pages.ts', `<Result>1</Result>${challenge}`, { parsePortalAnswer, oddities, wordsIn }),
  reader('products/ssl-vpn/pages.ts', '<Auth><ErrorCode><![CDATA[20026]]></ErrorCode></Auth>', {
    isWholeSession,
    isGone,
  }),
  reader('products/ssl-vpn/pages.ts', `<html><script></script>login_auth.csp ${page}`, { isPortalPage }),
  reader(
    'products/ssl-vpn/second-step-pages.ts',
    '<Auth><ErrorCode>1</ErrorCode><USER_PHONE>138****0000;1</USER_PHONE></Auth>',
    {
      parseSent,
      maskPhone: maskPhone,
      parseCodeChecked: (text) => [parseCodeChecked('sms', text), parseCodeChecked('totp', text)],
    },
  ),
  reader('contract/sign-in.ts', 'GIF89a', { imageOf: (text) => imageOf(Buffer.from(text)) }),
  reader('parsing/forms.ts', `<form id="a">${tag}<input type=password name="new" form="a"></form>`, {
    formsIn,
    takesPassword: (text) => formsIn(text).map(takesPassword),
    signInForm: (text) => signInForm(formsIn(text)),
    asksNewPassword,
    takesCode: (text) => takesCode({ name: text, id: '', type: 'password', value: '', isHidden: false }),
  }),
  reader('parsing/login-texts.ts', '密码错误次数过多，账号将被锁定 30 分钟 invalid password', {
    judgeText,
    judgeCodeText,
    saysSessionGone,
    lockSecondsIn,
  }),
  reader('parsing/page-messages.ts', '<p hidden>a<div class="msg" style="color:red">密码错误<br></div>', {
    readShown: readShown,
    standingTexts,
    showsSlider: (text) => showsSlider(`${text}向右滑动`),
    judgeShown: (text) => judgeShown(text, ['a']),
  }),
  reader('parsing/page-messages.ts', '{"code":1,"data":{"msg":"密码错误"}}', {
    judgeShown: (text) => judgeShown(text, ['a']),
  }),
  reader('parsing/password-cipher.ts', '<input name="x" value="1"><script>var pwdSalt = "a";</script>', {
    passwordCipherIn: (text) => [passwordCipherIn(text, 'des'), passwordCipherIn(text, 'nothing')],
    hiddenPasswordIn,
  }),
  reader(
    'products/cas/croypto.ts',
    '<p id="login-croypto">ASNFZ4mrze8=</p><p id=login-page-flowkey value="e1s1"></p>',
    {
      parseCroyptoPage,
    },
  ),
  reader('products/cas/login-page.ts', `<form>${tag}<input name="execution" value='e1s1' /></form>`, {
    parseLoginPage: (text) => [encrypted, plainPages].map((login) => [login.readForm(text), login.isLoginPage(text)]),
    stepIn: (text) => readAfterPassword(text, encrypted, ['x']),
  }),
  reader(
    'products/eams5/parse-terms.ts',
    `<select id="allSemesters"><option value="191" selected>2025-2026-2</option></select><script>var semesters = JSON.parse('[{\\"id\\":191,\\"startDate\\":\\"2026-03-02\\"}]');var studentId = 15;</script>`,
    { parseTermsPage: eams5Terms.parseTermsPage, termsPageAlive: eams5Terms.termsPageAlive },
  ),
  reader('products/eams5/parse-terms.ts', '{"id":191,"startDate":"2026-03-02","endDate":"2026-07-12"}', {
    parseTermStart: eams5Terms.parseTermStart,
  }),
  reader('products/eams5/parse-terms.ts', '2025-2026学年第2学期', { termCodeIn: eams5Terms.termCodeIn }),
  reader(
    'products/eams5/parse-timetable.ts',
    '{"studentTableVms":[{"id":1,"activities":[{"lessonCode":"A.1","courseName":"a","weekIndexes":[1,3],"weekday":1,"startUnit":1,"endUnit":2}],"timeTableLayout":{"courseUnitList":[{"indexNo":1,"startTime":800,"endTime":845}]}}]}',
    { parseTimetable: eams5Timetable.parseTimetable, nameIn: eams5Timetable.nameIn },
  ),
  reader(
    'products/eams5/parse-scores.ts',
    '{"semesters":[{"id":171,"nameZh":"2025-2026-1"}],"semesterId2studentGrades":{"171":[{"course":{"nameZh":"a","code":"A"},"gaGrade":"95","gradeDetail":"<span>平时成绩:90</span>"}]}}',
    { parseScores: eams5Scores.parseScores },
  ),
  reader(
    'products/eams5/parse-exams.ts',
    '<table id="exams"><tr><td><div>2026-01-10 08:30~10:30</div><span>a</span><span id="seat-7">b</span></td><td><span>c</span></td><td></td><td></td></tr></table><script>var studentExamList = [{\'id\':7,\'seatNo\':12}];</script>',
    { parseExams: eams5Exams.parseExams, examPageAlive: eams5Exams.examPageAlive },
  ),
  reader('products/emap/envelope.ts', emapRows('list', '{"a":1,"XH":"1"}'), {
    readEmapRows: (text) => emapEnvelope.readEmapRows(text, { names: ['list'], members: ['a'], read: (row) => row }),
  }),
  reader('products/emap/parse-terms.ts', emapRows('xnxqcx', '{"DM":"2025-2026-1","MC":"a"}'), {
    parseTermList: emapTerms.parseTermList,
    termCodeOf: emapTerms.termCodeOf,
    ownTermOf: emapTerms.ownTermOf,
  }),
  reader('products/emap/parse-terms.ts', emapRows('dqxnxq', '{"DM":"2025-2026-1"}'), {
    parseCurrentTerm: emapTerms.parseCurrentTerm,
  }),
  reader('products/emap/parse-terms.ts', emapRows('cxjcs', '{"XQKSRQ":"2025-09-01 00:00:00"}'), {
    parseTermStarts: emapTerms.parseTermStarts,
    firstDayOf: (text) => emapTerms.firstDayOf(emapTerms.parseTermStarts(text).rows, '2025-2026-1'),
  }),
  reader('products/emap/parse-timetable.ts', emapRows('xskcb', emapPlace), {
    parseTimetable: emapTimetable.parseTimetable,
    classKeyOf: (text) => emapTimetable.classKeyOf({ KCM: text }),
    weeksOf: (text) => emapTimetable.weeksOf(text, text),
    placeTimeOf: (text) => emapTimetable.placeTimeOf({ weekday: text, first: text, last: text, weekMask: text }),
  }),
  reader('products/emap/changes.ts', emapRows('xsdkkc', emapChange), {
    parseChanges: emapChanges.parseChanges,
    withChanges: (text) => {
      const { rows } = emapChanges.parseChanges(text);
      const { courses } = emapTimetable.parseTimetable(text.replaceAll('xsdkkc', 'xskcb').replaceAll('TKLXDM', 'KCM'));
      return emapChanges.withChanges(courses, rows);
    },
  }),
  reader('products/emap/parse-scores.ts', emapRows('xscjcx', '{"KCH":"A","XSKCM":"a","ZCJ":88,"PSCJ":"90","XS":48}'), {
    parseScores: emapScores.parseScores,
  }),
  reader('products/emap/parse-exams.ts', emapRows('wdksap', '{"KCM":"a","KSSJMS":"2026-01-10 09：00::11．00"}'), {
    parseExams: emapExams.parseExams,
  }),
  reader('products/eams5/sign-in.ts', '"11111111-2222-3333-4444-555555555555"', {
    saltIn: eams5SignIn.saltIn,
    outcomeIn: eams5SignIn.outcomeIn,
    studentIdIn: eams5SignIn.studentIdIn,
    showsLogin: eams5SignIn.showsLogin,
  }),
  reader(
    'products/urp/own-login.ts',
    `<form>${tag}<input name="j_username"><input name="j_password"><input name="j_captcha"></form><input id="loginButton" onclick="$('#input_password').val(hex_md5($('#input_password').val()))">`,
    {
      parseOwnLogin,
      passwordFormOf: (text) => passwordFormOf(text, 'md5'),
    },
  ),
  reader(
    'products/jwglxt/pages.ts',
    '<input id="mmsfjm" value= 0><form><input name="csrftoken" value="a"><input name="yhm"><input name="mm" type="password"><div id="yzmDiv" style="display:none"><input name="dxyz"></div></form><script src="zfdun"></script>',
    {
      parseLoginPage: jwglxtPages.parseLoginPage,
      closedWords: (text) => jwglxtPages.closedWords(403, text),
      wantsSms: jwglxtPages.wantsSms,
      showsLogin: jwglxtPages.showsLogin,
    },
  ),
  reader(
    'products/jwglxt/pages.ts',
    `<meta http-equiv="refresh" content="0;url=/xtgl/index_initMenu.html"><input id="sessionUserKey" value="1"><a onclick="clickMenu('N305005','/cjcx/cjcx_cxDgXscj.html','a','null')">a</a>`,
    {
      refreshTarget: jwglxtPages.refreshTarget,
      isMenuPath: jwglxtPages.isMenuPath,
      parseMenu: jwglxtPages.parseMenu,
    },
  ),
  reader('products/jwglxt/pages.ts', '<div class="alert alert-danger">该功能暂未开放</div>', {
    dataAlive: jwglxtPages.dataAlive,
    readData: jwglxtPages.readData,
    saysDead: jwglxtPages.saysDead,
    isOwnNumber: (text) => jwglxtPages.isOwnNumber(text, '1'),
  }),
  reader('products/jwglxt/sign-in.ts', '{"modulus":"AKBK","exponent":"AQAB"}', {
    keyIn: jwglxtSignIn.keyIn,
    memoOf: (text) => jwglxtSignIn.memoOf(text, '1'),
  }),
  reader(
    'products/jwglxt/parse-terms.ts',
    '<select id="xnm"><option value="2025" selected>2025-2026</option></select><select id="xqm"><option value="3" selected>1</option></select>',
    { parseTermsPage: jwglxtTerms.parseTermsPage, termsPageAlive: jwglxtTerms.termsPageAlive },
  ),
  reader(
    'products/jwglxt/parse-terms.ts',
    '<table><tr><td colspan="24">2025-2026学年1学期(2025-09-01至2026-01-18)</td></tr></table>',
    { parseArea: jwglxtTerms.parseArea, areaAlive: jwglxtTerms.areaAlive },
  ),
  reader('products/jwglxt/parse-terms.ts', '2025-2026-1-1', {
    calendarTextOf: jwglxtTerms.calendarTextOf,
    ownTerm: jwglxtTerms.ownTerm,
    termCodeOf: (text) => jwglxtTerms.termCodeOf(text, text),
    termCodeInWords: (text) => jwglxtTerms.termCodeInWords(text, text),
  }),
  reader(
    'products/jwglxt/parse-timetable.ts',
    '{"xsxx":{"XH":"1"},"kbList":[{"kch":"A1","kch_id":"A","kcmc":"a★","jxbmc":"a-1","xqj":"1","jcs":"1-2,5-6","zcd":"1-8周(单)","oldzc":"85"}],"sjkList":[{"kcmc":"b","qsjsz":"17-18周"}]}',
    {
      parseTimetable: jwglxtTimetable.parseTimetable,
      courseName: (text) => jwglxtTimetable.courseName({ kcmc: text }),
      courseCode: (text) => jwglxtTimetable.courseCode({ kch_id: text }),
    },
  ),
  reader('products/jwglxt/parse-timetable.ts', '[{"jcmc":"1","qssj":"08:00","jssj":"08:45"}]', {
    parseSections: jwglxtTimetable.parseSections,
  }),
  reader(
    'products/jwglxt/parse-scores.ts',
    '{"items":[{"xh":"1","xnm":"2025","xqm":"3","kch":"A1","kcmc":"a","jxbmc":"a-1","cj":"88","jd":"3.8"}],"totalResult":"1"}',
    { parseScores: jwglxtScores.parseScores, readGrid: (text) => jwglxtScores.readGrid(text, 'rows', () => 1) },
  ),
  reader(
    'products/jwglxt/parse-scores.ts',
    '<table id="subtab"><tbody><tr><td>【 平时 】</td><td>40%&nbsp;</td><td>77.5</td></tr></tbody></table>',
    { parseComponents: jwglxtScores.parseComponents, componentsAlive: jwglxtScores.componentsAlive },
  ),
  reader(
    'products/jwglxt/parse-student.ts',
    '{"items":[{"kcmc":"a","kssj":"2026-01-10(09:00-11:00)","zwh":"12"}],"totalResult":1}',
    { parseExams: jwglxtStudent.parseExams },
  ),
  reader(
    'products/jwglxt/parse-student.ts',
    '<label class="control-label">学号：</label><div><p>1</p></div><div id="alertBox">平均学分绩点（GPA）：3.62 通过 41 门, 未通过 1 门; 在读 6 门; 计划外：通过 2 门, 未通过 0 门</div></body>',
    {
      parseFile: jwglxtStudent.parseFile,
      fileAlive: jwglxtStudent.fileAlive,
      parseSummary: jwglxtStudent.parseSummary,
      summaryAlive: jwglxtStudent.summaryAlive,
    },
  ),
  reader(
    'products/authserver/pages.ts',
    '<form id="casLoginForm"><input name="username"><input type="password" name="password"><span>向右滑动</span>' +
      '<input name="execution" value="e1s1"></form><script>var pwdDefaultEncryptSalt = "Qw3rTyKp8sDfGh2J"; // x\n</script>',
    {
      parseLoginPage: authserver.parseLoginPage,
      unknownCipher: authserver.unknownCipher,
    },
  ),
  reader('products/authserver/pages.ts', '{"isNeed":false}', {
    membersIn: authserver.membersIn,
    parseQuestion: authserver.parseQuestion,
  }),
  reader(
    'products/authserver/second-step-pages.ts',
    '<script>var reAuthParams = {"reAuthType":"8",reAuthUserId:\'1\'};</script>' +
      '<div class="reauth-tab-item reauth-tab-active" data-type="8"></div><div class="reauth-tab-more-item" id="10"></div>',
    { parseSecondStep: secondSteps.parseSecondStep },
  ),
  reader(
    'products/authserver/second-step-pages.ts',
    '{"res":"code_time_fail","mobile":"138****0000","returnMessage":"请44秒后再试","codeTime":120,"code":"reAuth_failed"}',
    {
      parseSwitched: secondSteps.parseSwitched,
      parseSent: secondSteps.parseSent,
      parseChecked: secondSteps.parseChecked,
      parseRefusal: secondSteps.parseRefusal,
    },
  ),
  reader('products/lakeside/parse.ts', '{"id":"L1","name":"a","standing":{"taken":3,"gpa":"3.5"}}', {
    parseStudent: lakeside.parseStudent,
  }),
  reader(
    'products/lakeside/parse.ts',
    '{"terms":[{"code":"2025-2","name":"a","current":true,"firstDay":"2026-02-23","weeks":20}]}',
    {
      parseTerms: lakeside.parseTerms,
    },
  ),
  reader(
    'products/lakeside/parse.ts',
    '{"scores":[{"no":1,"term":"2025-1","course":{"code":"LK1","name":"a"},"mark":"90"}]}',
    {
      parseScores: lakeside.parseScores,
    },
  ),
  reader(
    'products/lakeside/parse.ts',
    '{"periods":[{"no":1,"from":"07:30","to":"08:20"}],"courses":[{"code":"LK1","teachers":["a"],"places":[{"day":1,"from":1,"to":2,"weeks":"1-8,10"}]}]}',
    { parseTimetable: (text) => lakeside.parseTimetable(text, null) },
  ),
  reader(
    'products/lakeside/parse.ts',
    '{"exams":[{"name":"a","date":"2026-01-01","from":"09:00","to":"11:00","seat":"7"}]}',
    {
      parseExams: lakeside.parseExams,
    },
  ),
  reader('products/lakeside/parse.ts', '1-8,10-18', {
    termCodeOf: lakeside.termCodeOf,
    ownTermCode: lakeside.ownTermCode,
  }),
  // What a recording takes apart; the values that it then replaces are those of the person's own pages.
  reader(
    'recordings/doc.ts',
    '<table><tr><td class="a" title="b">甲 &amp; 90</td></tr></table><script>var a = {"b":[1,"c"]};</script>',
    {
      docOf: (text) => docOf(text, () => true),
    },
  ),
  reader('recordings/doc.ts', '{"rows":[{"KCM":"甲","CJ":90,"BZ":"<b>a</b>"}],"msg":""}', {
    docOf: (text) => docOf(text, () => true),
  }),
  reader('contract/ticket-application.ts', '{"code":"-1","msg":"失败","data":null}', {
    readEnvelope: (text) => readEnvelope(text, 'labor-club'),
    readDecision: (text) => readDecision(text, 'labor-club'),
  }),
];

/** The good texts that recordings of the demo campuses have. */
const recordedTexts: readonly string[] = globSync('*/*.{html,json,xml}', { cwd: recordings })
  .filter((name) => basename(name) !== 'recording.json')
  .sort()
  .map((name) => readFileSync(join(recordings, name), 'utf8'));

/** How much a reader makes of a text; -1: it throws, as for a page that it does not know, or says no. */
const yieldOf = (read: PageReader, text: string): number => {
  try {
    const made = read(text);
    return made === false ? -1 : JSON.stringify(made).length;
  } catch {
    return -1;
  }
};

/** Readers that no line above names, each with the recorded page of which it makes most. */
const recordedReaders = async (): Promise<readonly Reader[]> => {
  const named = new Set(listed.flatMap(({ file, exports }) => exports.map((name) => `${file} ${name}`)));
  const found: Reader[] = [];
  for (const file of globSync('products/**/*.ts', { cwd: campus }).sort()) {
    if (!readFileSync(join(campus, file), 'utf8').includes('readersOf(')) continue;
    const module: Readonly<Record<string, unknown>> = await import(join(campus, file));
    for (const [name, read] of Object.entries(module)) {
      if (!isReader(read) || named.has(`${file} ${name}`)) continue;
      const [best] = recordedTexts
        .map((sample) => ({ sample, made: yieldOf(read, sample) }))
        .toSorted((a, b) => b.made - a.made);
      if (best && best.made >= 0) found.push(reader(file, best.sample, { [name]: read }));
    }
  }
  return found;
};

export const readers: readonly Reader[] = [...listed, ...(await recordedReaders())];

/** Functions of the same files that read no text of an upstream, or only through those above. */
export const otherFunctions: Readonly<Record<string, readonly string[]>> = {
  'products/isim/index.ts': ['bindRequest', 'createIsimClient'],
  'parsing/script-values.ts': ['isList', 'isMembers'],
  'products/urp/parse-schedule.ts': ['mergeCourses'],
  'products/urp/evaluation-client.ts': [
    'createEvaluationClient',
    'questionnaireRequest',
    'readEvaluationList',
    'submissionRequest',
  ],
  'products/urp/offerings-client.ts': ['createOfferingsClient'],
  'products/urp/plan-tree.ts': ['planTree'],
  'products/urp/parse-offerings.ts': ['offeringTermsOf'],
  'products/urp/places.ts': ['placeIn'],
  'parsing/text.ts': ['extend'],
  'parsing/cells.ts': ['list', 'obj'],
  'parsing/hidden-elements.ts': ['ElementScope', 'isVoidElement'],
  'parsing/sessions.ts': ['minutesBetween'],
  // A page goes through both in the readers of the logins.
  // A page goes through the readers in it in those of the logins.
  'contract/form-login.ts': [
    'casPage',
    'formLogin',
    'readAfterPassword',
    'readRedirectInside',
    'unifiedLogin',
    'withTicket',
  ],
  'products/urp/index.ts': ['createJwcClient'],
  'products/urp/parse-scores.ts': ['memberReaderOf'],
  'products/urp/score-columns.ts': ['refuseSwappedColumns', 'scoreReaderOf'],
  'products/urp/parse-terms.ts': ['termOptions'],
  'parsing/columns.ts': ['refuseCellsOutOfPlace', 'refuseOtherOrder'],
  'parsing/owners.ts': ['isOtherNumber'],
  'parsing/oddities.ts': ['beginRow', 'collectOddities', 'noteCell', 'noteOddity'],
  'parsing/reading.ts': [
    'belowRows',
    'elementsOf',
    'hasAnyOf',
    'leaveOut',
    'readRows',
    'readersOf',
    'records',
    'refuseIfMostDropped',
    'statedNumber',
    'unreadable',
  ],
  'parsing/row-reader.ts': ['readEither', 'refuseOddNumbers', 'rowReader', 'subjectOf'],
  'products/cas/croypto.ts': ['encryptUnderCroypto'],
  'products/authserver/pages.ts': ['encryptPassword'],
  'products/urp/own-login.ts': ['passwordIn', 'urpLogin'],
  'products/cas/index.ts': ['encryptForUnifiedLogin'],
  'contract/addresses.ts': ['Addresses'],
  'transport/breaker.ts': ['CircuitBreaker', 'BreakerScope'],
  'transport/http.ts': ['CampusHttp', 'silenceReason'],
  'transport/unpack.ts': ['TooLarge', 'unpack'],
  'connect.ts': ['attendedHalves', 'connect', 'manifestFaults', 'ownLoginOf', 'systemsOf', 'takenHalves'],
  'products/urp/read-exams.ts': ['readExams'],
  'products/urp/parse-segments.ts': ['scheduleAddress', 'segmentPath'],
  'transport/http-proxy.ts': ['askHead', 'dispatcherOf', 'isProxyRefusal'],
  'products/lakeside/index.ts': ['createLakesideClient'],
  'products/eams5/index.ts': ['createEams5Client'],
  'products/emap/index.ts': ['createEmapClient'],
  'products/emap/applications.ts': ['EmapApplications'],
  'products/jwglxt/index.ts': ['createJwglxtClient'],
  'products/jwglxt/requests.ts': [
    'byEitherName',
    'dataRequest',
    'functionOf',
    'pageRequest',
    'refuseForeignOwner',
    'termOf',
  ],
  'products/jwglxt/pages.ts': ['isMissing', 'pageReaders', 'refuseWithoutRows', 'usualFunction'],
  'products/jwglxt/parse-scores.ts': ['mergeScores'],
  'products/jwglxt/sign-in.ts': ['jwglxtSignIn'],
  'contract/rsa-password.ts': ['encryptRsa', 'roomUnder', 'rsaKeyFault'],
  'transport/page-threads.ts': ['PageThreads', 'answerTo'],
  'contract/sign-in.ts': [
    'cookieName',
    'halfOf',
    'imageAsked',
    'isRedirect',
    'needsPerson',
    'needsPersonElsewhere',
    'setsCookie',
    'unknownResume',
  ],
  'contract/ticket-application.ts': ['TicketApplication'],
  'products/ssl-vpn/index.ts': ['SslVpn', 'encryptForPortal'],
  'products/ssl-vpn/pages.ts': ['memberOf', 'plainWord'],
  'products/ssl-vpn/second-step.ts': ['checkCode', 'codeNeeded', 'lookAt', 'sendCode'],
  'session/judge.ts': ['budgetSpent', 'callOutcomeOf', 'failure', 'judgeAnswer', 'judgeSilence', 'outcomeUnknown'],
};
