import { Type } from '@sinclair/typebox';
import { settingOf } from '../setting.ts';

const server = settingOf('Server');

export const serverSettings = {
  NODE_ENV: server(
    Type.Union([Type.Literal('development'), Type.Literal('test'), Type.Literal('production')], {
      default: 'development',
    }),
    {
      description: 'In `production` nothing secret is made up: `SECRET_KEY` and the choice of a campus are required.',
      example: 'production',
    },
  ),
  HOST: server(Type.String({ default: '127.0.0.1' }), {
    form: 'host',
    description: 'Address to listen on. `0.0.0.0` inside a container.',
    example: '0.0.0.0',
  }),
  PORT: server(Type.Integer({ default: 3000, minimum: 0, maximum: 65535 }), {
    description: 'Port to listen on; 0 lets the system choose, and the start prints which.',
    example: '8080',
  }),
  LOG_LEVEL: server(
    Type.Union(
      [
        Type.Literal('fatal'),
        Type.Literal('error'),
        Type.Literal('warn'),
        Type.Literal('info'),
        Type.Literal('debug'),
        Type.Literal('trace'),
        Type.Literal('silent'),
      ],
      { default: 'info' },
    ),
    { description: 'The least important log lines that are still written.', example: 'warn' },
  ),
  PUBLIC_URL: server(Type.Optional(Type.String({ maxLength: 2000 })), {
    form: 'base-url',
    description: 'Address at which clients reach the service; links in answers are built from it.',
    example: 'https://campus.example.edu',
    otherwise: 'the address the service listens on',
  }),
  TRUSTED_PROXIES: server(Type.Array(Type.String(), { default: [], maxItems: 100 }), {
    form: 'network',
    description: 'Reverse proxies whose `X-Forwarded-*` headers are believed; nobody else’s are.',
    example: '10.0.0.0/8,fd00::/8',
  }),
  TRUSTED_CALLERS: server(Type.Array(Type.String(), { default: [], maxItems: 100 }), {
    form: 'network',
    description:
      'Backends of your own that call for many students: what is limited per address or network is not limited for them. One that sends `X-Forwarded-For` belongs into `TRUSTED_PROXIES` instead.',
    example: '192.0.2.10',
  }),
  LIMIT_CALLS_PER_TOKEN: server(Type.Integer({ default: 600, minimum: 10, maximum: 1_000_000 }), {
    description: 'Calls per minute with one valid token, in each process.',
    example: '300',
  }),
  LIMIT_CALLS_PER_ADDRESS: server(Type.Integer({ default: 6_000, minimum: 10, maximum: 10_000_000 }), {
    description:
      'Calls per minute of one address without a valid token, in each process. High, because a campus may share one address; calls with a valid token are served beyond it too.',
    example: '2000',
  }),
  MAX_CONNECTIONS: server(Type.Integer({ default: 10_000, minimum: 10, maximum: 1_000_000 }), {
    description:
      'Open connections of clients, those of a proxy included; further ones are closed at once. The limit of open files must be higher.',
    example: '2000',
  }),
  CORS_ORIGINS: server(Type.Array(Type.String(), { default: ['*'], maxItems: 100 }), {
    form: 'cors-origin',
    description: 'Origins whose pages may call the service. With `*` credentials are off.',
    example: 'https://app.example.edu,https://admin.example.edu',
  }),
  REQUEST_TIMEOUT_SECONDS: server(Type.Number({ default: 30, minimum: 0.5, maximum: 300 }), {
    description: 'Total deadline of one call, waiting lines and renewed logins at the campus included.',
    example: '30',
  }),
  SHUTDOWN_DRAIN_SECONDS: server(Type.Optional(Type.Number({ minimum: 0, maximum: 60 })), {
    description:
      'How long the service goes on answering after the signal to end, while `/ready` already fails, so that a balancer turns away first.',
    example: '10',
    otherwise: '5 in production, 0 elsewhere',
  }),
  DOCS: server(Type.Boolean({ default: true }), {
    description: 'Serves the interactive documentation at `/docs` and the interface description at `/openapi.json`.',
    example: 'off',
  }),
  DOCS_URL: server(Type.String({ default: '/docs', maxLength: 2000 }), {
    form: 'path-or-url',
    description: 'Where `GET /` redirects. Set it when `DOCS` is off.',
    example: 'https://docs.example.edu/campus',
  }),
  METRICS: server(Type.Boolean({ default: false }), {
    description: 'Serves Prometheus metrics at `/metrics`. Keep that path away from the public.',
    example: 'on',
  }),
};
