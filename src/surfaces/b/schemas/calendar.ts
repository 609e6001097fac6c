import { Type } from '@sinclair/typebox';

const name = Type.String({ minLength: 1, maxLength: 50, description: 'What calendar programs call it.' });
const parts = (limits: object) =>
  Type.Array(Type.Union([Type.Literal('classes'), Type.Literal('exams'), Type.Literal('activities')]), {
    ...limits,
    description:
      'What it holds: `classes` of the current term, `exams`, `activities` of the labor club that were joined and the ends of their sign-up.',
  });
const alarmDescription = 'Minutes before the beginning at which programs remind of it; null: never.';

export const FeedRequest = Type.Object(
  {
    name,
    include: parts({ minItems: 1, maxItems: 3, uniqueItems: true }),
    alarm_minutes: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0, maximum: 1440 }), Type.Null()], { description: alarmDescription }),
    ),
  },
  { title: 'FeedRequest', description: 'A calendar feed to be made.' },
);

const feedMembers = {
  id: Type.String({ description: 'Names the feed; of no use for reading it.' }),
  name,
  include: parts({}),
  alarm_minutes: Type.Union([Type.Integer(), Type.Null()], { description: alarmDescription }),
  created_at: Type.String({ description: 'In campus time.' }),
};

export const NewFeed = Type.Object(
  {
    ...feedMembers,
    url: Type.String({ description: 'The address to subscribe to. It is a secret, and shown this once.' }),
  },
  { title: 'NewFeed', description: 'A calendar feed with its address.' },
);

export const FeedList = Type.Object(
  {
    feeds: Type.Array(
      Type.Object(
        {
          ...feedMembers,
          last_polled_at: Type.Union([Type.String(), Type.Null()], {
            description: 'When a program last asked for it, to the hour; null: never.',
          }),
        },
        { title: 'Feed', description: 'A calendar feed.' },
      ),
      { description: 'The oldest first.' },
    ),
  },
  { title: 'FeedList', description: 'The calendar feeds of the student.' },
);

export const FeedPath = Type.Object({ id: Type.String({ description: 'Id of a feed.' }) });
