import { flag, listOf, object, text } from '../../../domain/record.ts';
import type { SurfaceBDeps } from '../described.ts';
import { type Operation, operation } from '../operation.ts';

/** It changes when the service is started with another manifest. */
const KEPT_SECONDS = 300;

const Campus = object('Campus', 'The campus behind this service, and what of it can be asked.', {
  id: text('Name of its description; `custom` where it has none.', 'demo'),
  name: object('CampusName', 'What people call it.', {
    zh: text('In Chinese.', '演示大学'),
    en: text('In English.', 'Demo University'),
  }),
  time_zone: text('IANA time zone of dates and times in answers.', 'Asia/Shanghai'),
  capabilities: listOf(
    text('Area and read or write.', 'academics.terms'),
    'What it supplies, in alphabetical order. An operation that needs more (`x-capabilities` in the document) answers 501 `NOT_OFFERED`.',
  ),
  login: object('CampusLogin', 'What a login takes.', {
    fields: listOf(
      object('CampusLoginField', 'A member of the bodies of login and registration.', {
        name: text('Name of the member.', 'password'),
        secret: flag('Not to be shown while it is typed.', true),
      }),
      'In the order in which people are asked for them.',
    ),
    challenges: listOf(
      text('`captcha`, `sms`, `totp`, or `elsewhere`.', 'sms'),
      'Second steps that the campus may want.',
    ),
  }),
});

/** For apps that serve several campuses: they draw their menus and their login from it. */
export const campusOperation = ({ services: { campus }, timeZone }: SurfaceBDeps): Operation =>
  operation('GET /campus', 'getCampus', {
    level: '-',
    tag: 'Home and health',
    summary: { en: 'The campus, and what it offers', zh: '校园和它提供的功能' },
    description: 'The same for everyone until the service restarts; the campus is not asked.',
    data: Campus,
    message: '获取校园信息成功',
    answerHeaders: {
      'Cache-Control': { type: 'string', description: `\`public, max-age=${KEPT_SECONDS}\`` },
    },
    run: ({ answer }) => {
      answer.headers({ 'Cache-Control': `public, max-age=${KEPT_SECONDS}` });
      const fields = [
        { name: 'userid', secret: false },
        { name: 'password', secret: true },
        ...(campus.hasPortal ? [{ name: 'vpn_password', secret: true }] : []),
      ];
      return {
        id: campus.id,
        name: campus.name,
        time_zone: timeZone,
        capabilities: [...campus.capabilities].toSorted(),
        login: { fields, challenges: [...campus.challenges] },
      };
    },
  });
