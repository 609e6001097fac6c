import { SECOND_MS } from '../../lib/time.ts';
import {
  baseUrl,
  calendarDay,
  campus,
  choice,
  decimalBetween,
  demoPlace,
  domainName,
  onOff,
  proxyAuthorization,
  proxyUrl,
  type SettingKind,
  timeZone,
  webUrl,
  wholeBetween,
} from '../kinds.ts';
import { optionalSetting, type Setting, setting } from '../setting.ts';

/** All of these are set, or none for the demo campus. */
const wiringSetting = (
  key: string,
  kind: SettingKind<string>,
  description: string,
  example: string,
): Setting<string> => {
  const otherwise = 'required with any other campus address';
  return { key, kind, default: null, unset: '', meta: { description, example, otherwise, needed: true } };
};

const upstreamAddress = (key: string, upstream: string, host: string): Setting<string> =>
  wiringSetting(key, baseUrl, `Address of ${upstream}, as reached through the portal.`, `http://${host}`);

const serviceAddress = (key: string, application: string, inner: string): Setting<string> =>
  wiringSetting(
    key,
    webUrl,
    `The \`service\` value under which the unified login knows ${application}: its inner address, sent exactly as given.`,
    `http://${inner}`,
  );

export const campusSettings = {
  campus: {
    choice: optionalSetting('CAMPUS', campus, {
      description:
        'Which campus is served: `demo` for the built-in one, or a manifest (`docs/build/another-campus.md`). Not together with campus addresses, which describe a campus themselves.',
      example: 'demo',
      otherwise: 'the campus of the addresses; without any, and outside production, the demo campus',
    }),
    wiring: {
      vpnUrl: wiringSetting(
        'CAMPUS_VPN_URL',
        baseUrl,
        'Address of the VPN portal. `http://` is accepted for tests, with a warning.',
        'https://vpn.example.edu',
      ),
      vpnDomain: wiringSetting(
        'CAMPUS_VPN_DOMAIN',
        domainName,
        'Domain under which the portal maps the inner hosts.',
        'vpn.example.edu',
      ),
      casUrl: upstreamAddress(
        'CAMPUS_CAS_URL',
        'the unified login, its path `/cas` included',
        'cas-example.vpn.example.edu:8118/cas',
      ),
      jwcUrl: upstreamAddress('CAMPUS_JWC_URL', 'academic affairs', 'jwc-example.vpn.example.edu:8118'),
      jwcService: serviceAddress(
        'CAMPUS_JWC_SERVICE',
        'academic affairs',
        'jwc.example.edu/j_spring_cas_security_check',
      ),
      aacUrl: upstreamAddress('CAMPUS_AAC_URL', 'the activity score application', 'aac-example.vpn.example.edu:8118'),
      aacService: serviceAddress(
        'CAMPUS_AAC_SERVICE',
        'the activity score application',
        'aac.example.edu/User/Index/CoreLoginCallback?isCASGateway=true',
      ),
      ldjlbUrl: upstreamAddress('CAMPUS_LDJLB_URL', 'the labor club', 'ldjlb-example.vpn.example.edu:8118'),
      ldjlbService: serviceAddress(
        'CAMPUS_LDJLB_SERVICE',
        'the labor club',
        'ldjlb.example.edu/User/Index/CoreLoginCallback?isCASGateway=true',
      ),
      isimUrl: upstreamAddress('CAMPUS_ISIM_URL', 'the electricity application', 'isim-example.vpn.example.edu'),
      competitionUrl: upstreamAddress(
        'CAMPUS_COMPETITION_URL',
        'the competition pages',
        '10-20-30-40.vpn.example.edu:8118',
      ),
    },
    /** The one address that may be left out beside the others. */
    cardUrl: optionalSetting('CAMPUS_CARD_URL', baseUrl, {
      description:
        'Address of the campus card system, as reached through the portal. The one campus address that may be left out beside the others.',
      example: 'http://card-example-s.vpn.example.edu:8118',
      otherwise: 'operations of the campus card answer 501; the demo campus has one',
    }),
    /** The portal's certificate only: broken ones are common there. */
    vpnInsecureTls: setting('CAMPUS_VPN_INSECURE_TLS', onOff, 'off', {
      description: 'Does not verify the certificate of the portal (only there). Passwords can then be read on the way.',
    }),
    timeZone: setting('CAMPUS_TIMEZONE', timeZone, 'Asia/Shanghai', {
      description: 'Time zone of the campus: timestamps in answers and dates on campus pages.',
    }),
    proxy: optionalSetting('CAMPUS_PROXY', proxyUrl, {
      description:
        'Proxy through which all systems of the campus are asked, and nothing is sent past it: that of a VPN client which runs beside the service, for example. It resolves their names. Stands before `proxy` of a manifest; hooks never use it.',
      example: 'socks5://127.0.0.1:1080',
      otherwise: 'the proxy of the manifest, if it names one',
    }),
    proxyAuthorization: optionalSetting('CAMPUS_PROXY_AUTHORIZATION', proxyAuthorization, {
      description: 'Name and password for that proxy, where it asks for them.',
      secret: true,
      example: 'name:password',
      otherwise: 'none are sent',
    }),
    connections: setting('CAMPUS_CONNECTIONS', wholeBetween(1, 1_024), '32', {
      description: 'Connections kept to each campus system.',
    }),
    attemptMs: optionalSetting('CAMPUS_ATTEMPT_SECONDS', decimalBetween(0.1, 299, SECOND_MS), {
      description: 'Deadline of one request to a campus system. Must be below `REQUEST_TIMEOUT_SECONDS`.',
      example: '8',
      otherwise: '12, or 80 % of `REQUEST_TIMEOUT_SECONDS` where that is less',
    }),
    offeringsEveryMs: setting('OFFERINGS_EVERY_SECONDS', wholeBetween(0, 60, SECOND_MS), '5', {
      description:
        'Seconds between two queries of the course offerings, over all replicas: the campus limits how often it is asked. Timetables of classes take at most one of them.',
      demoDefault: '0',
    }),
    scanSignBody: setting('SCAN_SIGN_BODY', choice('form', 'json'), 'form', {
      description:
        'How a scanned QR code is sent to the labor club. Its own clients differ; change it when every scan is refused.',
    }),
  },
  demoNight: setting('DEMO_NIGHT', onOff, 'off', {
    description: 'The demo campus is down, as campus systems are at night: every one of its systems answers 503.',
  }),
  demoHost: optionalSetting('DEMO_HOST', demoPlace, {
    description:
      'Where one demo campus runs for several replicas (`node src/cli/demo-campus.ts`, eight ports from 8100 on). Without it each process has its own demo campus, which does not know the sessions of another one.',
    example: 'demo-campus',
    otherwise: 'a demo campus inside the process',
  }),
  demoDate: optionalSetting('DEMO_DATE', calendarDay, {
    description:
      'Which day it is for the whole service while it serves the demo campus; the time of day is that of the machine. Name a separate database: what another day has left in one is too old or too new.',
    example: '2026-06-25',
    otherwise: 'the day of the machine',
  }),
  demoEvents: setting('DEMO_EVENTS', onOff, 'off', {
    description:
      'The demo campus publishes a mark of this term every three minutes: read the scores again, and a change event tells it.',
  }),
  demoChallenge: setting(
    'DEMO_CHALLENGE',
    choice('off', 'captcha', 'sms', 'sms-still-valid', 'two-phones', 'totp', 'certificate'),
    'off',
    {
      description:
        'What the demo campus wants beside a password: its portal, or the unified login of `demo-seaside`; `demo-hillside` wants an image in any case. What its phones, authenticators and images show is printed.',
      example: 'sms',
    },
  ),
};
