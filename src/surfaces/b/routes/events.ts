import type { ServerResponse } from 'node:http';
import { Type } from '@sinclair/typebox';
import type { EventSink, Goodbye } from '../../../domain/events/events.ts';
import { journalLimits } from '../../../domain/events/ports.ts';
import { ChangeEvent, eventTypeNames, eventTypes, presentEvent } from '../../../domain/events/records.ts';
import { flag, integer, listOf, object } from '../../../domain/record.ts';

import { delivery } from '../delivery.ts';

import type { SurfaceBDeps } from '../described.ts';
import { type Operation, operation } from '../operation.ts';

const defaults = { level: 'T', tag: 'Change events', scope: 'events' } as const;

const types = eventTypeNames.map((name) => `- \`${name}\`: ${eventTypes[name].means}`).join('\n');

const listing = `What differs in a new reading from the one before it, no matter which call asked for that reading: nothing is read at the campus for events. The first reading of anything is where events begin. The last ${journalLimits.entries} of a student are kept, for at most 30 days.\n\n${types}`;

const example = 'id: 42\nevent: score.published\ndata: {"seq":42,"type":"score.published"}\n\n';

const RETRY_MS = 3_000;

class EventText implements EventSink {
  readonly #timeZone: string;
  /** Keeps text until there is an answer to write it to. */
  #early = `retry: ${RETRY_MS}\n\n`;
  #out: ServerResponse | null = null;
  #isOver = false;

  constructor(timeZone: string) {
    this.#timeZone = timeZone;
  }

  begin(out: ServerResponse): void {
    this.#out = out;
    out.write(this.#early);
    this.#early = '';
    if (this.#isOver) out.end();
  }

  #say(text: string): void {
    if (this.#out === null) this.#early += text;
    // The call tells of a client that left.
    else if (!this.#out.destroyed) this.#out.write(text);
  }

  get waiting(): number {
    return this.#early.length + (this.#out?.writableLength ?? 0);
  }

  event(entry: Parameters<EventSink['event']>[0]): void {
    const event = presentEvent(entry, this.#timeZone);
    this.#say(`id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }

  at(seq: number): void {
    this.#say(`id: ${seq}\n\n`);
  }

  gap(): void {
    this.#say('event: gap\ndata: {}\n\n');
  }

  comment(): void {
    this.#say(':\n\n');
  }

  end(goodbye: Goodbye): void {
    this.#say(`event: goodbye\ndata: {"reason":"${goodbye}"}\n\n`);
    this.#isOver = true;
    this.#out?.end();
  }
}

const lastSeq = (header: string | string[] | undefined): number | null =>
  typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : null;

export const eventOperations = ({ services: { changeEvents }, timeZone }: SurfaceBDeps): Operation[] => [
  operation('GET /events', 'listEvents', {
    ...defaults,
    summary: { en: 'What has changed', zh: '变更事件' },
    description: listing,
    query: Type.Object({
      after: Type.Optional(
        integer('Leaves out events up to this `seq`. Left out: from the oldest that is kept.', 41, {
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
        }),
      ),
      limit: integer('At most so many.', 50, { minimum: 1, maximum: journalLimits.entries, default: 50 }),
    }),
    data: object('EventPage', 'Changes, as they were seen.', {
      events: listOf(ChangeEvent, 'In the order of `seq`.'),
      next: integer('Send it as `after` the next time.', 42),
      gap: flag('Events behind `after` are no longer kept: what was read before may be out of date.', false),
    }),
    message: '获取变更事件成功',
    run: async ({ student, query }) => {
      const { entries, next, gap } = await changeEvents.page(student, query.after ?? null, query.limit);
      return { events: entries.map((entry) => presentEvent(entry, timeZone)), next, gap };
    },
  }),
  delivery('GET /events/stream', 'streamEvents', {
    ...defaults,
    summary: { en: 'Changes as they are seen', zh: '变更事件的实时推送' },
    description:
      'Server-Sent Events: `id` is the `seq`, `event` the type, `data` a `ChangeEvent`. `Last-Event-ID` goes on behind that event; without it the stream begins with what happens next, and says so with an `id` alone. `event: gap` where events between are kept no more, `event: goodbye` before the service closes it, with the reason in `data`: `closing`, `token` or `slow`. A comment every 25 seconds. Three streams a student.',
    requestHeaders: {
      'Last-Event-ID': { description: 'The `seq` of the last event received.', schema: { type: 'string' } },
    },
    delivered: {
      200: {
        description: 'The stream.',
        headers: { 'X-Accel-Buffering': { type: 'string', description: 'Always `no`.' } },
        content: { 'text/event-stream': { schema: { type: 'string', examples: [example] } } },
      },
    },
    config: { stream: true },
    async handler({ call, headers }, reply) {
      const text = new EventText(timeZone);
      const leave = await changeEvents.stream(call.student, lastSeq(headers['last-event-id']), text);
      // At once where the client has left.
      call.onEnd(leave);
      if (call.interruption) throw call.interruption;
      reply.header('Cache-Control', 'no-store').header('X-Accel-Buffering', 'no');
      text.begin(reply.type('text/event-stream; charset=utf-8').begin());
      return reply;
    },
  }),
];
