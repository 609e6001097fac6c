import { systemClock } from '../lib/time.ts';
import { ActivityScore } from './aac/aac.ts';
import type { CampusState, DemoPortal, DemoUpstream, PortalState } from './campus-state.ts';
import { CARD_EFFECT, CardSystem } from './card/card.ts';
import { createCas } from './cas/cas.ts';
import { UnifiedLoginSessions } from './cas/unified-login-sessions.ts';
import { Competitions } from './competition/competition.ts';
import { createPortalKey, type PortalKey } from './crypto.ts';
import { FaultRules } from './fault-rules.ts';
import { Electricity } from './isim/isim.ts';
import { LaborClub } from './ldjlb/ldjlb.ts';
import { manyEvaluationCourses } from './records/evaluation.ts';
import { RequestLog } from './requests.ts';
import { PortalSessions } from './ssl-vpn/portal-sessions.ts';
import { SslVpn } from './ssl-vpn/vpn.ts';
import { Students } from './students.ts';
import {
  type DemoCampus,
  DemoCampusSwitches,
  type DemoChallenge,
  type DemoOptions,
  type DemoPlace,
  type DemoStudentSwitches,
  type DemoSystem,
  type DemoWiring,
  demoSystems,
} from './types.ts';
import { closeServer, listen, serveUpstream } from './upstream-server.ts';
import { createJwc } from './urp/urp.ts';

const DEMO_STUDENTS = ['2023000001', '2023000002', '2023000003', '2023000004'];

/** Services keep their inner host names, which resolve nowhere: a client must map them to the configured addresses. */
export const wiringOf = (originOf: (system: DemoSystem) => string, card = true): DemoWiring => ({
  vpnUrl: originOf('vpn'),
  vpnDomain: new URL(originOf('vpn')).hostname,
  casUrl: `${originOf('cas')}/cas`,
  jwcUrl: originOf('jwc'),
  jwcService: 'http://jwc.campus.test/j_spring_cas_security_check',
  aacUrl: originOf('aac'),
  aacService: 'http://aac-api.campus.test/User/Index/CoreLoginCallback?isCASGateway=true',
  ldjlbUrl: originOf('ldjlb'),
  ldjlbService: 'http://ldjlb-api.campus.test/User/Index/CoreLoginCallback?isCASGateway=true',
  isimUrl: originOf('isim'),
  competitionUrl: originOf('competition'),
  ...(card ? { cardUrl: originOf('card') } : {}),
});

/** Of a demo campus that runs by itself. */
export const demoWiringAt = ({ host, firstPort }: DemoPlace): DemoWiring =>
  wiringOf((system) => `http://${host}:${firstPort + demoSystems.indexOf(system)}`);

const upstreamsOf = (state: CampusState): Readonly<Record<DemoSystem, DemoUpstream>> => ({
  vpn: state.gate,
  cas: createCas(state),
  jwc: createJwc(state),
  aac: new ActivityScore(state),
  ldjlb: new LaborClub(state),
  isim: new Electricity(state),
  competition: new Competitions(state),
  card: new CardSystem(state),
});

const studentSwitches = (
  state: CampusState,
  upstreams: Readonly<Record<DemoSystem, DemoUpstream>>,
  userid: string,
): DemoStudentSwitches => {
  const student = state.students.get(userid);
  if (!student) throw new Error(`no demo student ${userid}`);
  return {
    expirePortal: () => upstreams.vpn.expire(userid),
    expireUnifiedLogin: () => upstreams.cas.expire(userid),
    expireService: (system) => upstreams[system].expire(userid),
    expireTicket: (system) => upstreams[system].expire(userid),
    setSecondFactor: (kind) => {
      student.secondFactor = kind;
    },
    changePasswords: ({ vpnPassword, password }) => {
      if (vpnPassword !== undefined) student.vpnPassword = vpnPassword;
      if (password !== undefined) student.password = password;
    },
    setEvaluation: (count, { refused = [] } = {}) => {
      student.evaluation = manyEvaluationCourses(count, refused);
    },
    evaluateByHand: (number) => {
      const course = student.evaluation[number - 1];
      if (course) course.done = true;
    },
    foreignPlans: () => [...student.foreignPlans],
    setSummary: (members) => Object.assign(student.summaryChanges, members),
    evaluations: () => student.evaluation.map((course) => ({ ...course })),
  };
};

/** A portal other than the SSL VPN, for tests of what depends on its kind. */
interface PortalOption {
  readonly createPortal?: (state: PortalState) => DemoPortal;
}

/**
 * Starts a separate campus on loopback: eight HTTP servers that speak the protocols of the real systems.
 * Independent of any client; none of its switches can be set over HTTP.
 */
export const startDemoCampus = async (options: DemoOptions & PortalOption = {}): Promise<DemoCampus> => {
  const {
    clock = systemClock,
    latencyMs = 0,
    place,
    portalKeyPem,
    card = true,
    createPortal = (own) => new SslVpn(own),
  } = options;
  const listening = await Promise.all(
    demoSystems.map(async (system, at) => ({
      system,
      ...(await (place ? listen('0.0.0.0', place.firstPort + at) : listen('127.0.0.1'))),
    })),
  );
  const wiring = place
    ? demoWiringAt(place)
    : wiringOf((wanted) => listening.find(({ system }) => system === wanted)?.origin ?? '', card);
  const switches = new DemoCampusSwitches();
  let portalKey: Promise<PortalKey> | undefined;
  const portalState: PortalState = {
    clock,
    switches,
    wiring,
    students: new Students(),
    portalKey: () => (portalKey ??= createPortalKey(portalKeyPem)),
    portal: new PortalSessions(clock, switches),
    messages: [],
    onMessage: options.onMessage,
  };
  const state: CampusState = {
    ...portalState,
    gate: createPortal(portalState),
    unifiedLogin: new UnifiedLoginSessions(clock, switches),
  };
  const upstreams = upstreamsOf(state);
  const faults = new FaultRules();
  const log = new RequestLog();
  const closing = new AbortController();
  const parts = { state, faults, log, latencyMs, closing: closing.signal };
  for (const { system, server } of listening) serveUpstream(server, system, upstreams[system], parts);
  return {
    wiring,
    switches,
    student: (userid) => studentSwitches(state, upstreams, userid),
    addStudent: (student) => state.students.add(student),
    fault: (rule) => faults.add(rule),
    clearFaults: () => faults.clear(),
    messages: () => [...state.messages],
    totp: (userid) => state.gate.totp?.(userid) ?? '',
    requests: (filter) => log.list(filter),
    resetRequests: () => log.reset(),
    cardEffects: () => log.list({ system: 'card', path: CARD_EFFECT }).length,
    close: async () => {
      closing.abort();
      await Promise.all(listening.map(({ server }) => closeServer(server)));
    },
  };
};

export const letNightFall = ({ fault }: DemoCampus): void => {
  for (const system of demoSystems) fault({ system, fault: { kind: 'status', status: 503 } });
};

export const wantChallenge = ({ switches, student }: DemoCampus, kind: DemoChallenge): void => {
  if (kind === 'captcha') switches.captcha = 'always';
  if (kind === 'sms-still-valid') switches.smsSender = 'login_psw';
  const factors = {
    sms: 'sms',
    'sms-still-valid': 'sms',
    'two-phones': 'sms-two-phones',
    totp: 'totp',
    certificate: 'certificate',
  } as const;
  if (kind === 'off' || kind === 'captcha') return;
  for (const userid of DEMO_STUDENTS) student(userid).setSecondFactor(factors[kind]);
};
