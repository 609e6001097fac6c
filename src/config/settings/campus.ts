import { Type } from '@sinclair/typebox';
import { settingOf } from '../setting.ts';

const campus = settingOf('Campus');

const address = (upstream: string, example: string) =>
  campus(Type.Optional(Type.String({ maxLength: 2000 })), {
    form: 'base-url',
    description: `Address of ${upstream}, as reached through the portal.`,
    example,
    otherwise: 'required with any other campus address',
  });

const service = (application: string, example: string) =>
  campus(Type.Optional(Type.String({ maxLength: 2000 })), {
    form: 'web-url',
    description: `The \`service\` value under which the unified login knows ${application}: its inner address, sent exactly as given.`,
    example,
    otherwise: 'required with any other campus address',
  });

export const campusSettings = {
  CAMPUS: campus(Type.Optional(Type.Literal('demo')), {
    description:
      '`demo` serves the built-in demo campus. Needed in production only; elsewhere it is what happens without campus addresses.',
    example: 'demo',
    otherwise: 'demo campus when no campus address is set',
  }),
  CAMPUS_VPN_URL: campus(Type.Optional(Type.String({ maxLength: 2000 })), {
    form: 'base-url',
    description: 'Address of the VPN portal. `http://` is accepted for tests, with a warning.',
    example: 'https://vpn.example.edu',
    otherwise: 'required with any other campus address',
  }),
  CAMPUS_VPN_DOMAIN: campus(Type.Optional(Type.String()), {
    form: 'domain',
    description: 'Domain under which the portal maps the inner hosts.',
    example: 'vpn.example.edu',
    otherwise: 'required with any other campus address',
  }),
  CAMPUS_CAS_URL: address('the unified login, its path `/cas` included', 'http://cas-example.vpn.example.edu:8118/cas'),
  CAMPUS_JWC_URL: address('academic affairs', 'http://jwc-example.vpn.example.edu:8118'),
  CAMPUS_JWC_SERVICE: service('academic affairs', 'http://jwc.example.edu/j_spring_cas_security_check'),
  CAMPUS_AAC_URL: address('the activity score application', 'http://aac-example.vpn.example.edu:8118'),
  CAMPUS_AAC_SERVICE: service(
    'the activity score application',
    'http://aac.example.edu/User/Index/CoreLoginCallback?isCASGateway=true',
  ),
  CAMPUS_LDJLB_URL: address('the labor club', 'http://ldjlb-example.vpn.example.edu:8118'),
  CAMPUS_LDJLB_SERVICE: service(
    'the labor club',
    'http://ldjlb.example.edu/User/Index/CoreLoginCallback?isCASGateway=true',
  ),
  CAMPUS_ISIM_URL: address('the electricity application', 'http://isim-example.vpn.example.edu'),
  CAMPUS_COMPETITION_URL: address('the competition pages', 'http://10-20-30-40.vpn.example.edu:8118'),
  CAMPUS_VPN_INSECURE_TLS: campus(Type.Boolean({ default: false }), {
    description: 'Does not verify the certificate of the portal (only there). Passwords can then be read on the way.',
    example: 'on',
  }),
  CAMPUS_TIMEZONE: campus(Type.String({ default: 'Asia/Shanghai' }), {
    form: 'time-zone',
    description: 'Time zone of the campus: timestamps in answers and dates on campus pages.',
    example: 'Asia/Urumqi',
  }),
  CAMPUS_CONNECTIONS: campus(Type.Integer({ default: 32, minimum: 1, maximum: 1024 }), {
    description: 'Connections kept to each campus system.',
    example: '64',
  }),
  CAMPUS_ATTEMPT_SECONDS: campus(Type.Optional(Type.Number({ minimum: 0.1, maximum: 299 })), {
    description: 'Deadline of one request to a campus system. Must be below `REQUEST_TIMEOUT_SECONDS`.',
    example: '8',
    otherwise: '12, or 80 % of `REQUEST_TIMEOUT_SECONDS` where that is less',
  }),
  SCAN_SIGN_BODY: campus(Type.Union([Type.Literal('form'), Type.Literal('json')], { default: 'form' }), {
    description:
      'How a scanned QR code is sent to the labor club. Its own clients differ; change it when every scan is refused.',
    example: 'json',
  }),
  DEMO_NIGHT: campus(Type.Boolean({ default: false }), {
    description: 'The demo campus is down, as campus systems are at night: every one of its systems answers 503.',
    example: 'on',
  }),
};
