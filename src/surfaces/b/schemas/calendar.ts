import { Type } from '@sinclair/typebox';
import { object, text, textOrNull } from '../../records/atoms.ts';

const name = Type.String({ minLength: 1, maxLength: 50, description: 'What calendar programs call it.' });
const parts = (limits: object) =>
  Type.Array(Type.Union([Type.Literal('classes'), Type.Literal('exams'), Type.Literal('activities')]), {
    ...limits,
    description:
      'What it holds: `classes` of the current term, `exams`, `activities` of the labor club that were joined and the ends of their sign-up.',
  });
const alarmDescription = 'Minutes before the beginning at which programs remind of it; null: never.';

export const FeedRequest = object('FeedRequest', 'A calendar feed to be made.', {
  name,
  include: parts({ minItems: 1, maxItems: 3, uniqueItems: true }),
  alarm_minutes: Type.Optional(
    Type.Union([Type.Integer({ minimum: 0, maximum: 1440 }), Type.Null()], { description: alarmDescription }),
  ),
});

const feedMembers = {
  id: text('Names the feed; of no use for reading it.'),
  name,
  include: parts({}),
  alarm_minutes: Type.Union([Type.Integer(), Type.Null()], { description: alarmDescription }),
  created_at: text('In campus time.'),
};

export const NewFeed = object('NewFeed', 'A calendar feed with its address.', {
  ...feedMembers,
  url: text('The address to subscribe to. It is a secret, and shown this once.'),
});

export const FeedList = object('FeedList', 'The calendar feeds of the student.', {
  feeds: Type.Array(
    object('Feed', 'A calendar feed.', {
      ...feedMembers,
      last_polled_at: textOrNull('When a program last asked for it, to the hour; null: never.'),
    }),
    { description: 'The oldest first.' },
  ),
});

export const FeedPath = Type.Object({ id: text('Id of a feed.') });
