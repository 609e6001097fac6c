import { globSync } from 'node:fs';
import { join } from 'node:path';

export interface Target {
  readonly area: string;
  /** Files, as patterns below `src`. */
  readonly sources: readonly string[];
  /**
   * Tests that should notice, by the beginning of their path below `test`: each step is run when the ones before saw
   * nothing.
   */
  readonly steps: readonly (readonly string[])[];
}

const studies = ['socket/gateway-{academics,plans,whole-record}'];
const sessions = ['socket/sessions-', 'socket/challenges', 'socket/second-step'];
/** Kinds of odd answers, each tried on the readers of many products. */
const odd = ['unit/campus/products/rows-without-subject', 'unit/campus/known-variants'];
/** Of a member of a record: its example in the interface description, and what is stored of it. */
const records = ['http/b/examples', 'golden/read-shapes'];

/** All of the service but the demo campus, the migrations and `main.ts`. */
export const targets: readonly Target[] = [
  {
    area: 'domain/academics',
    sources: ['domain/academics/**'],
    steps: [['unit/domain/academics', 'unit/domain/events', ...records], studies],
  },
  {
    area: 'domain/accounts',
    sources: ['domain/accounts/*', 'domain/accounts/tokens/*'],
    steps: [
      [
        'unit/domain/accounts/guard/rules',
        'unit/domain/accounts/{tokens,guard/refusal,sign-in/waiting}',
        'http/b/auth',
        ...records,
      ],
      ['unit/domain/accounts/sign-in/scenarios', 'unit/domain/accounts/sign-in/failure'],
      [
        'storage/personal-tokens',
        ...['socket/gateway-accounts', 'socket/login-guard', 'socket/personal-tokens', 'socket/account-export'],
      ],
    ],
  },
  {
    area: 'domain/accounts/guard',
    sources: ['domain/accounts/guard/*'],
    steps: [
      ['unit/domain/accounts/guard/rules', 'unit/domain/hooks/daily-readings'],
      ['unit/domain/accounts/sign-in/scenarios', 'unit/domain/accounts/sign-in/failure'],
      ['unit/domain/accounts/guard/simulation', 'socket/login-guard'],
    ],
  },
  {
    area: 'domain/accounts/sign-in',
    sources: ['domain/accounts/sign-in/*'],
    steps: [
      [
        'unit/domain/accounts/sign-in/',
        'unit/domain/accounts/guard/account-texts',
        'storage/challenges',
        'http/challenges',
      ],
      ['socket/challenges', 'socket/second-step'],
    ],
  },
  {
    area: 'domain/events',
    sources: ['domain/{changes,events}/*', 'storage/{hook-deliveries,hooks,journal,student-rows}.ts'],
    steps: [
      ['unit/domain/events', 'storage/read-copies'],
      ['storage/events', 'storage/hooks', 'socket/change-events'],
    ],
  },
  {
    area: 'domain/hooks, webhooks',
    sources: ['domain/hooks/*', 'webhooks/*'],
    steps: [
      ['unit/domain/hooks', 'storage/hooks', 'storage/daily-readings'],
      ['socket/hooks', 'socket/daily-readings'],
    ],
  },
  {
    area: 'domain/offerings',
    sources: ['domain/offerings/*'],
    steps: [
      ['unit/domain/offerings', 'unit/domain/reads/for-all', 'storage/copies-for-all'],
      ['socket/gateway-offerings', ...records],
    ],
  },
  {
    area: 'domain/calendar',
    sources: ['domain/calendar/**', 'icalendar/*'],
    steps: [
      ['unit/domain/calendar', 'unit/icalendar'],
      ['socket/calendar-feeds', 'storage/calendar-feeds'],
    ],
  },
  {
    area: 'domain/electricity',
    sources: ['domain/electricity/**'],
    steps: [['unit/domain/electricity'], ['socket/{gateway-rooms,gateway-electricity,sessions-electricity}']],
  },
  {
    area: 'domain/evaluation',
    sources: ['domain/evaluation/**'],
    steps: [['unit/domain/evaluation', 'unit/surfaces/a/evaluation-view'], ['socket/gateway-evaluation-']],
  },
  {
    area: 'domain/labor-club',
    sources: ['domain/labor-club/**'],
    steps: [['unit/domain/labor-club', 'unit/domain/events', ...records], ['socket/gateway-labor']],
  },
  {
    area: 'domain/profiles',
    sources: ['domain/profiles/**'],
    steps: [
      ['unit/domain/profiles'],
      ['socket/gateway-app-profile', 'socket/gateway-profiles', 'socket/gateway-files', 'socket/gateway-uploads'],
    ],
  },
  {
    area: 'domain: card, home, competitions, activity score',
    sources: ['domain/{card,home,competitions,activity-score}/*'],
    steps: [
      ['unit/domain/home', ...records],
      ['socket/gateway-card', 'socket/gateway-home'],
    ],
  },
  {
    area: 'domain: what all of it shares',
    sources: ['domain/*'],
    steps: [
      [
        'unit/domain/{context,lease,limits,record,replicas}',
        'http/b/errors',
        'http/b/failure-facts',
        'http/challenges',
      ],
      ['socket/gateway-accounts', 'socket/gateway-lakeside'],
    ],
  },
  {
    area: 'domain/reads',
    sources: ['domain/reads/**'],
    steps: [
      ['unit/domain/reads', 'unit/domain/calendar/sources', 'unit/domain/events/news'],
      ['socket/reads', 'socket/read-statements', 'storage/read-copies'],
    ],
  },
  { area: 'campus/session', sources: ['campus/session/**'], steps: [['unit/campus/session'], sessions] },
  {
    area: 'campus: portals and logins',
    sources: ['campus/contract/*', 'campus/products/{cas,direct,ssl-vpn}/**'],
    steps: [
      ['unit/campus/products/{cas,ssl-vpn}', 'unit/campus/session', 'unit/campus/contract'],
      ['unit/campus/all-pages', 'unit/campus/products/{aac,ldjlb}', ...sessions],
    ],
  },
  {
    area: 'campus: transport, breaker, page threads',
    sources: ['campus/*', 'campus/transport/*'],
    steps: [
      ['unit/campus/{all-pages,connect,transport}', 'unit/campus/session'],
      ['unit/campus/products/{aac,ldjlb}', 'socket/campus-http', 'socket/slow-pages'],
      ['unit/config', 'socket/sessions-{generations,queues,thrift,tickets}'],
    ],
  },
  {
    area: 'campus/recordings',
    sources: ['campus/recordings/*'],
    steps: [
      ['unit/campus/recordings', 'socket/recordings'],
      ['socket/record-command', 'recordings'],
    ],
  },
  { area: 'campus/parsing', sources: ['campus/parsing/*'], steps: [['unit/campus/parsing'], ['unit/campus/']] },
  {
    area: 'campus/products/urp',
    sources: ['campus/products/urp/*'],
    steps: [
      ['unit/campus/products/urp', ...odd],
      [...studies, 'socket/gateway-hillside'],
    ],
  },
  {
    area: 'campus/products/isim',
    sources: ['campus/products/isim/*'],
    steps: [
      ['unit/campus/products/isim', ...odd],
      ['socket/{electricity-client,gateway-rooms,gateway-electricity,sessions-electricity}'],
    ],
  },
  {
    area: 'campus/products: aac, competition',
    sources: ['campus/products/{aac,competition}/*'],
    steps: [['unit/campus/products/{aac,competition}', ...odd], studies],
  },
  {
    area: 'campus/products: eams5, jwglxt, authserver, emap',
    sources: ['campus/products/{eams5,jwglxt,authserver,emap}/*'],
    steps: [
      ['unit/campus/products/{authserver,emap,jwglxt}', ...odd],
      ['socket/{gateway-shuwei,gateway-jinzhi,gateway-zhengfang,zhengfang-ticket,authserver,attended-authserver}'],
    ],
  },
  {
    area: 'campus/products: card, lakeside',
    sources: ['campus/products/{card,lakeside}/*'],
    steps: [
      ['unit/campus/products/lakeside', ...odd],
      ['socket/gateway-card', 'socket/gateway-lakeside'],
    ],
  },
  {
    area: 'campus/products/ldjlb',
    sources: ['campus/products/ldjlb/*'],
    steps: [['unit/campus/products/ldjlb', ...odd], ['socket/gateway-labor']],
  },
  {
    area: 'storage: sealing, leases, databases',
    sources: ['storage/{columns,leases,schema,seal,storage,store}.ts', 'storage/{database,upkeep}/*'],
    steps: [
      ['unit/storage', 'unit/domain/lease', 'storage/{leases,sessions,rotation,erasure,opening,schema,upgrade}'],
      ['storage/{campus-identity,copies,postgres,sweeps,tokens}', 'unit/domain/accounts/sign-in/scenarios'],
    ],
  },
  {
    area: 'storage: accounts',
    sources: ['storage/{account-erasure,accounts,challenges,guards,invites,personal-tokens,sessions,tokens}.ts'],
    steps: [
      ['storage/{tokens,personal-tokens,accounts,guards,invites,challenges,sessions}'],
      ['unit/domain/accounts/sign-in/scenarios', 'unit/domain/accounts/sign-in/failure'],
      ['socket/gateway-accounts', 'socket/stolen-token'],
    ],
  },
  {
    area: 'storage: copies, runs, feeds',
    sources: ['storage/{copies,evaluation,feeds,rooms,student-marks}.ts'],
    steps: [
      [
        'storage/copies',
        'storage/read-copies',
        'storage/former-copies',
        'storage/{evaluation,calendar-feeds,electricity,copies-for-all}',
      ],
      ['socket/reads', 'socket/read-statements', 'socket/read-generations', 'socket/gateway-evaluation-b'],
      ['socket/calendar-feeds'],
    ],
  },
  {
    area: 'storage: profiles',
    sources: ['storage/{images,profile-update,profiles}.ts'],
    steps: [['storage/profiles'], ['socket/gateway-erasure', 'socket/gateway-uploads', 'socket/gateway-files']],
  },
  {
    area: 'http',
    sources: ['http/{server,call,limits,requests,logs}/*'],
    steps: [
      ['unit/http', 'http/b/conventions', 'http/b/openapi', 'http/a/bodies'],
      ['http/', 'socket/answer-head', 'socket/overload', 'socket/large-bodies', 'socket/platform-shutdown'],
      ['socket/platform-connections', 'socket/fair-share', 'socket/gateway-{log,metrics}'],
    ],
  },
  {
    area: 'surfaces/a',
    sources: ['surfaces/a/**'],
    steps: [
      ['unit/surfaces/a', 'http/a'],
      ['socket/gateway-evaluation-runs', 'socket/gateway-{academics,app-profile}'],
    ],
  },
  {
    area: 'surfaces/b',
    sources: ['surfaces/b/**', 'surfaces/common/*'],
    steps: [
      ['unit/surfaces/b', 'http/b', 'golden/feeds'],
      ['socket/gateway-{card,profiles,labor,plans,evaluation-b,home,rooms}', 'socket/change-events'],
      ['socket/hooks', 'socket/personal-tokens', 'socket/calendar-feeds'],
    ],
  },
  {
    area: 'pages, documentation',
    sources: ['pages/**', 'http/docs/*', 'http/*'],
    steps: [
      ['http/challenges', 'http/b/pages', 'http/b/documentation', 'http/b/openapi', 'unit/http/', 'unit/pages/'],
      ['operator-documents', 'documents'],
    ],
  },
  {
    area: 'cli, config',
    sources: ['cli/**', 'config/**'],
    steps: [['unit/config', 'unit/cli', 'operator-documents', 'documents'], ['socket/start-{config,documents}']],
  },
  {
    area: 'composition',
    sources: ['composition/*'],
    steps: [['http/'], ['socket/platform-{connections,shutdown}', 'socket/gateway-metrics', 'socket/reads']],
  },
  {
    area: 'lib',
    sources: ['lib/**'],
    steps: [
      ['unit/lib', 'unit/storage/secret-keys', 'unit/demo/calendar'],
      ['unit/campus', 'unit/config', 'unit/domain/{academics,calendar,evaluation,reads}', 'unit/http'],
      ['socket/login-guard', 'socket/sessions-{thrift,queues}'],
    ],
  },
];

const root = join(import.meta.dirname, '../..');

/** `a{b,c}` as `ab` and `ac`: each of them has to match something. */
const expanded = (name: string): string[] => {
  const [, before = '', choices = '', after = ''] = /^(.*?)\{([^{}]*)\}(.*)$/.exec(name) ?? [];
  return choices === '' ? [name] : choices.split(',').flatMap((choice) => expanded(before + choice + after));
};

/** @throws Error for a name that matches no file */
const matching = (names: readonly string[], patternsOf: (name: string) => readonly string[]): string[] =>
  names.flatMap(expanded).flatMap((name) => {
    const found = globSync([...patternsOf(name)], { cwd: root }).filter((path) => path.endsWith('.ts'));
    if (found.length === 0) throw new Error(`nothing matches ${name}`);
    return found;
  });

/** The files of an area, below the root. */
export const sourcesOf = ({ sources }: Target): string[] =>
  matching(sources, (pattern) => [`src/${pattern}`]).toSorted();

/** The test files of a step, below the root. */
export const testsOf = (step: readonly string[]): string[] =>
  matching(step, (begin) => [`test/${begin}*.test.ts`, `test/${begin}*/**/*.test.ts`]);
