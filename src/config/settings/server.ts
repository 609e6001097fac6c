import { SECOND_MS } from '../../lib/time.ts';
import {
  baseUrl,
  choice,
  commaList,
  contact,
  corsOrigin,
  decimalBetween,
  displayName,
  host,
  network,
  onOff,
  pathOrUrl,
  wholeBetween,
} from '../kinds.ts';
import { optionalSetting, setting } from '../setting.ts';

export const serverSettings = {
  environment: setting('NODE_ENV', choice('development', 'test', 'production'), 'development', {
    description: 'In `production` nothing secret is made up: `SECRET_KEY` and the choice of a campus are required.',
    example: 'production',
    needed: true,
  }),
  server: {
    host: setting('HOST', host, '127.0.0.1', {
      description: 'Address to listen on. `0.0.0.0` inside a container.',
    }),
    /** 0: the system chooses. */
    port: setting('PORT', wholeBetween(0, 65_535), '3000', {
      description: 'Port to listen on; 0 lets the system choose, and the start prints which.',
    }),
    publicUrl: optionalSetting('PUBLIC_URL', baseUrl, {
      description: 'Address at which clients reach the service; links in answers are built from it.',
      example: 'https://campus.example.edu',
      otherwise: 'the address the service listens on',
      needed: true,
    }),
    operator: {
      name: optionalSetting('OPERATOR_NAME', displayName, {
        description: 'Who operates the service: shown at `/docs`, in `/openapi.json` and at `/privacy`.',
        example: 'Student Union of Example University',
        otherwise: 'not set; students read of "the operator"',
      }),
      contact: optionalSetting('OPERATOR_CONTACT', contact, {
        description:
          'Where to report a weakness of the service, or anything else about it: shown at `/.well-known/security.txt`, `/privacy`, `/docs` and in `/openapi.json`.',
        example: 'security@example.edu',
        otherwise: 'not set; `/.well-known/security.txt` is 404',
      }),
    },
    /** Addresses and networks; empty: none is believed. */
    trustedProxies: setting('TRUSTED_PROXIES', commaList(network, 100), '', {
      description:
        'Reverse proxies whose `X-Forwarded-For` is believed; no other is. Callers from there can claim any address, so name the proxies and not the network they share with others.',
      example: '192.0.2.20,2001:db8:20::20',
      needed: true,
    }),
    trustedCallers: setting('TRUSTED_CALLERS', commaList(network, 100), '', {
      description:
        'Your own backends that call for many students: what is limited per address or network is not limited for them. One that sends `X-Forwarded-For` belongs into `TRUSTED_PROXIES` instead.',
      example: '192.0.2.10',
    }),
    limits: {
      callsPerToken: setting('LIMIT_CALLS_PER_TOKEN', wholeBetween(10, 1_000_000), '600', {
        description:
          'Calls per minute with one valid token, in each process. A student has half as many again over all tokens.',
      }),
      callsPerAddress: setting('LIMIT_CALLS_PER_ADDRESS', wholeBetween(10, 10_000_000), '6000', {
        description:
          'Calls per minute of one address without a valid token, in each process. High, because a campus may share one address; calls with a valid token are served beyond it too.',
      }),
    },
    maxConnections: setting('MAX_CONNECTIONS', wholeBetween(10, 1_000_000), '10000', {
      description:
        'Open connections of clients, those of a proxy included; further ones are closed at once. The limit of open files must be higher.',
    }),
    corsOrigins: setting('CORS_ORIGINS', commaList(corsOrigin, 100), '*', {
      description:
        'Origins whose pages may call the service. With `*` credentials are off, and `/docs` runs in a sandbox, which a list would shut out.',
      example: 'https://app.example.edu,https://admin.example.edu',
    }),
    requestTimeoutMs: setting('REQUEST_TIMEOUT_SECONDS', decimalBetween(0.5, 300, SECOND_MS), '30', {
      description: 'Total deadline of one call, queues and renewed logins at the campus included.',
    }),
  },
  log: {
    level: setting('LOG_LEVEL', choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'), 'info', {
      description: 'The least important log lines that are still written.',
    }),
  },
  shutdown: {
    drainMs: optionalSetting('SHUTDOWN_DRAIN_SECONDS', decimalBetween(0, 60, SECOND_MS), {
      description:
        'How long the service still answers after the signal to end, while `/ready` already fails, so that a balancer turns away first.',
      example: '10',
      otherwise: '5 in production, 0 elsewhere',
    }),
  },
  docs: {
    enabled: setting('DOCS', onOff, 'on', {
      description: 'Serves the interactive documentation at `/docs` and the interface description at `/openapi.json`.',
    }),
    url: setting('DOCS_URL', pathOrUrl, '/docs', {
      description: 'Where `GET /` redirects. Set it when `DOCS` is off.',
      example: 'https://docs.example.edu/campus',
    }),
  },
  pages: {
    enabled: setting('PAGES', onOff, 'on', {
      description:
        'Serves the page for students at `/app/`. `off` removes it, never `/challenge`, the only way through a captcha for apps of `/api/v1`.',
    }),
  },
  metrics: {
    enabled: setting('METRICS', onOff, 'off', {
      description:
        'Serves Prometheus metrics at `/metrics`. Keep that path away from the public, best by `METRICS_PORT`.',
    }),
    /** Of a server for them alone; null: that of the service. */
    port: optionalSetting('METRICS_PORT', wholeBetween(0, 65_535), {
      description:
        'Port for the metrics alone, at the same `HOST`; `PORT` does not serve them then. 0 lets the system choose, and the log says which.',
      example: '9464',
      otherwise: '`PORT` serves them',
    }),
  },
};
