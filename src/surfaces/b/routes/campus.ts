import { flag, listOf, object, oneOf, text, textOrNull } from '../../../domain/record.ts';
import type { SurfaceBDeps } from '../described.ts';
import { type Operation, operation } from '../operation.ts';

/** It changes when the service is started with another manifest. */
const KEPT_SECONDS = 300;

const CampusInfo = object('Campus', 'The campus behind this service, and what of it can be asked.', {
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
  supplied: listOf(
    object('CampusSupplied', 'One of them, and what is known of it.', {
      capability: text('Area and read or write.', 'academics.terms'),
      product: text('The driver that supplies it.', 'jwc'),
      proven: textOrNull(
        'Month of the newest recording of a real campus that is read with it, by what its sender says; null: no recording has shown it yet.',
        null,
      ),
    }),
    'The same in the same order.',
  ),
  sign_in: oneOf(
    ['unattended', 'attended'],
    'Who signs in when a session at the campus ends. `unattended`: the service does, with the stored passwords. `attended`: every login shows an image, so the service cannot; calls then answer from copies or 403 `PERSON_NEEDED` until the student has signed in by `POST /auth/challenges` or a login.',
    'unattended',
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
    data: CampusInfo,
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
        supplied: campus.supplied.toSorted((a, b) => (a.capability < b.capability ? -1 : 1)),
        sign_in: campus.isAttended ? 'attended' : 'unattended',
        login: { fields, challenges: [...campus.challenges] },
      };
    },
  });
