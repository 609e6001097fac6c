export interface Target {
  readonly area: string;
  /** Files, as patterns below `src`. */
  readonly sources: readonly string[];
  /** Tests that should notice, by the beginning of their path below `test`: a step runs when those before saw nothing. */
  readonly steps: readonly (readonly string[])[];
}

const studies = ['socket/gateway-{studies-members,studies-failures,academics,plans,current-}'];
const sessions = ['socket/sessions-'];
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
    sources: ['domain/accounts/*'],
    steps: [
      [
        'unit/domain/accounts/guard/table',
        'unit/domain/accounts/{counted,invite,refusal,storage,token,waiting}',
        'http/b/auth',
        ...records,
      ],
      ['unit/domain/accounts/scenarios', 'unit/domain/accounts/failure'],
      ['socket/gateway-accounts', 'socket/login-guard'],
    ],
  },
  {
    area: 'domain/accounts/guard',
    sources: ['domain/accounts/guard/*'],
    steps: [
      ['unit/domain/accounts/guard/{table,person,properties}'],
      ['unit/domain/accounts/scenarios', 'unit/domain/accounts/failure'],
      ['unit/domain/accounts/guard/simulation', 'socket/login-guard'],
    ],
  },
  {
    area: 'domain/accounts/challenges',
    sources: ['domain/accounts/challenges/*', 'storage/accounts/challenges.ts'],
    steps: [
      ['unit/domain/accounts/challenges', 'storage/challenges', 'http/challenges'],
      ['socket/challenges', 'socket/gateway-challenges'],
    ],
  },
  {
    area: 'personal tokens, access log, all my data',
    sources: ['{domain,storage}/{accounts,upkeep}/{access-log,export,personal-tokens}.ts'],
    steps: [
      ['storage/access-log', 'storage/personal-tokens', 'storage/schema', 'http/b/auth'],
      ['socket/personal-tokens', 'socket/account-export'],
    ],
  },
  {
    area: 'domain/events',
    sources: ['domain/events/*', 'storage/events/{event-states,journal}.ts'],
    steps: [['unit/domain/events'], ['storage/events', 'socket/change-events']],
  },
  {
    area: 'domain/hooks, webhooks',
    sources: ['domain/hooks/*', 'webhooks/*', 'storage/events/{due-readings,hook*}.ts'],
    steps: [
      ['unit/domain/hooks', 'storage/hooks', 'storage/own-readings'],
      ['socket/hooks', 'socket/own-readings'],
    ],
  },
  {
    area: 'domain/offerings, reads for everybody',
    sources: ['domain/offerings/*', 'domain/reads/campus-line.ts', 'storage/campus/campus-line.ts'],
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
    steps: [['unit/domain/labor-club', 'unit/domain/events', ...records], ['socket/gateway-labor-']],
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
      ['socket/gateway-card', 'socket/gateway-home', 'socket/gateway-activity-score'],
    ],
  },
  {
    area: 'domain: what all of it shares',
    sources: ['domain/{background-call,capabilities,context,errors,observation,record,replicas}.ts'],
    steps: [
      ['unit/domain/context', 'unit/domain/record', 'unit/domain/replicas', 'http/b/errors', 'http/b/failure-facts'],
      ['socket/gateway-accounts', 'socket/gateway-lakeside'],
    ],
  },
  {
    area: 'domain/reads',
    sources: ['domain/reads/**'],
    steps: [['unit/domain/reads'], ['socket/reads', 'socket/read-statements', 'storage/read-copies']],
  },
  { area: 'campus/session', sources: ['campus/session/**'], steps: [['unit/campus/session'], sessions] },
  {
    area: 'campus: portals and logins',
    sources: ['campus/portal/**', 'campus/drivers/**', 'campus/sign-in-failures.ts'],
    steps: [['unit/campus/drivers', 'unit/campus/session', 'unit/campus/sign-in-failures'], sessions],
  },
  {
    area: 'campus: transport, tickets, breaker',
    sources: [
      'campus/breaker.ts',
      'campus/http.ts',
      'campus/ticket-*.ts',
      'campus/addresses.ts',
      'campus/upstreams.ts',
      'campus/http.ts',
    ],
    steps: [
      ['unit/campus/breaker', 'unit/campus/addresses', 'unit/campus/charset', 'unit/campus/session'],
      ['unit/campus/aac', 'unit/campus/ldjlb', 'socket/campus-http', 'socket/slow-pages'],
      ['socket/sessions-{cost,generations,lines,thrift,tickets}'],
    ],
  },
  {
    area: 'campus: drivers and page threads',
    sources: ['campus/{all-pages,connect,driver*,kit,manifest,page-*,wiring}.ts'],
    steps: [
      ['unit/campus/all-pages', 'unit/campus/connect', 'unit/campus/page-threads'],
      ['unit/config', 'socket/slow-pages', 'socket/gateway-lakeside'],
    ],
  },
  { area: 'campus/parsing', sources: ['campus/parsing/*'], steps: [['unit/campus/parsing'], ['unit/campus/']] },
  {
    area: 'campus/jwc',
    sources: ['campus/jwc/*'],
    steps: [['unit/campus/jwc'], studies],
  },
  {
    area: 'campus/isim',
    sources: ['campus/isim/*'],
    steps: [
      ['unit/campus/isim'],
      ['socket/{electricity-client,gateway-rooms,gateway-electricity,sessions-electricity}'],
    ],
  },
  {
    area: 'campus/aac, campus/competition',
    sources: ['campus/aac/*', 'campus/competition/*'],
    steps: [
      ['unit/campus/aac', 'unit/campus/competition'],
      ['socket/gateway-activity-score', ...studies],
    ],
  },
  {
    area: 'campus/card, campus/lakeside',
    sources: ['campus/{card,direct,lakeside}/*'],
    steps: [['socket/gateway-card', 'socket/gateway-lakeside']],
  },
  { area: 'campus/ldjlb', sources: ['campus/ldjlb/*'], steps: [['unit/campus/ldjlb'], ['socket/gateway-labor-']] },
  {
    area: 'storage: sealing, leases',
    sources: ['domain/lease.ts', 'storage/**/{seal,leases,rotate,sessions,run}.ts'],
    steps: [
      ['unit/storage/seal', 'unit/domain/lease'],
      ['storage/{leases,sessions,rotation,accounts,opening}', 'unit/domain/accounts/scenarios'],
      ['storage/postgres', 'storage/invites', 'storage/tokens'],
    ],
  },
  {
    area: 'storage: databases, copies of them',
    sources: [
      'storage/{columns,schema,storage}.ts',
      'storage/database/{database,postgres,rows,sqlite,storage-failure,upgrade-copies}.ts',
      'storage/upkeep/{campus-identity,copy-database}.ts',
    ],
    steps: [
      ['storage/opening', 'storage/schema', 'storage/upgrade', 'storage/campus-identity', 'storage/postgres'],
      ['storage/tokens', 'storage/accounts', 'unit/domain/accounts/storage-calls'],
    ],
  },
  {
    area: 'storage: tokens, accounts, guards',
    sources: ['storage/**/{tokens,accounts,guards,guard-rows,grants,invites,student-marks}.ts'],
    steps: [
      ['storage/tokens', 'storage/accounts', 'storage/guards', 'storage/invites'],
      ['unit/domain/accounts/scenarios', 'unit/domain/accounts/failure', 'unit/domain/accounts/storage-calls'],
      ['socket/gateway-accounts', 'socket/stolen-token'],
    ],
  },
  {
    area: 'storage: copies, evaluation, feeds',
    sources: ['storage/**/{copies,evaluation,feeds}.ts'],
    steps: [
      [
        'storage/copies',
        'storage/read-copies',
        'storage/former-copies',
        'storage/evaluation',
        'storage/calendar-feeds',
      ],
      ['socket/reads', 'socket/read-statements', 'socket/read-generations', 'socket/gateway-evaluation-b'],
      ['socket/calendar-feeds'],
    ],
  },
  {
    area: 'storage: images, profiles, erasure',
    sources: ['storage/**/{images,profile-update,profiles,rooms,erasure,sweeping}.ts'],
    steps: [
      ['storage/profiles', 'storage/electricity', 'storage/erasure', 'unit/storage/erasure'],
      ['socket/gateway-erasure', 'socket/gateway-uploads', 'socket/gateway-files', 'socket/gateway-rooms'],
    ],
  },
  {
    area: 'platform',
    sources: ['platform/{server,call,limits,requests,logs}/*'],
    steps: [
      ['unit/platform', 'http/b/conventions', 'http/b/openapi', 'http/a/bodies', 'http/a/listening'],
      ['http/', 'socket/answer-head', 'socket/overload', 'socket/large-bodies', 'socket/platform-shutdown'],
      ['socket/platform-connections', 'socket/fair-share', 'socket/gateway-{log,metrics}'],
    ],
  },
  {
    area: 'surfaces/a',
    sources: ['surfaces/a/**'],
    steps: [
      ['unit/surfaces/a', 'http/a'],
      ['socket/gateway-evaluation-{limits,students}', 'socket/gateway-{labor-club,academics,app-profile}'],
    ],
  },
  {
    area: 'surfaces/b',
    sources: ['surfaces/b/**', 'surfaces/common/*'],
    steps: [
      ['unit/surfaces/b', 'http/b', 'golden/feeds'],
      ['socket/gateway-{card,profiles,labor-club,plans,evaluation-b,home,rooms}', 'socket/change-events'],
      ['socket/hooks', 'socket/personal-tokens', 'socket/calendar-feeds'],
    ],
  },
  {
    area: 'surfaces/challenge-page, documentation',
    sources: ['surfaces/challenge-page/*', 'platform/docs/*', 'platform/languages.ts'],
    steps: [
      ['http/challenges', 'http/b/pages', 'http/b/documentation', 'http/b/openapi', 'unit/platform/'],
      ['operator-documents', 'documents'],
    ],
  },
  {
    area: 'cli, config',
    sources: ['cli/**', 'config/**'],
    steps: [['unit/config', 'unit/cli', 'operator-documents', 'documents'], ['socket/start-{config,documents}']],
  },
  {
    area: 'app, services',
    sources: ['{app,services,open-*}.ts'],
    steps: [['http/'], ['socket/platform-{connections,shutdown}', 'socket/gateway-metrics', 'socket/reads']],
  },
  {
    area: 'lib',
    sources: ['lib/*'],
    steps: [
      ['unit/lib', 'unit/storage/secret-keys', 'unit/demo/calendar'],
      ['unit/campus', 'unit/config', 'unit/domain/{academics,calendar,evaluation,reads}', 'unit/platform'],
      ['socket/login-guard', 'socket/sessions-{cost,thrift,lines}'],
    ],
  },
];
