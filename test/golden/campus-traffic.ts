import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { DemoSystem, DemoWiring } from '../../src/demo/types.ts';
import { issuedHeaders, maskedTarget, maskedText } from './masks.ts';

/** One request as it reached the campus. */
interface Arrival {
  readonly system: DemoSystem;
  readonly request: IncomingMessage;
  readonly chunks: Buffer[];
  /** Of the world's clock. Whatever waits for an answer comes later: at one time is only what was sent side by side. */
  readonly at: number;
}

interface RequestStart {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly socket: Socket;
}

const portOf = (url: string): number => Number(new URL(url).port);

const portsOf = (wiring: DemoWiring): ReadonlyMap<number, DemoSystem> =>
  new Map([
    [portOf(wiring.vpnUrl), 'vpn'],
    [portOf(wiring.casUrl), 'cas'],
    [portOf(wiring.jwcUrl), 'jwc'],
    [portOf(wiring.aacUrl), 'aac'],
    [portOf(wiring.ldjlbUrl), 'ldjlb'],
    [portOf(wiring.isimUrl), 'isim'],
    [portOf(wiring.competitionUrl), 'competition'],
    ...(wiring.cardUrl === undefined ? [] : [[portOf(wiring.cardUrl), 'card'] as const]),
  ]);

/** Keys in the order sent; where there are many alike, such as the answers of a questionnaire, their digits are masked. */
const keysOf = (form: URLSearchParams): string[] => {
  const keys = [...form.keys()];
  return keys.length < 20 ? keys : [...new Set(keys.map((key) => key.replaceAll(/\d+/g, '#')))];
};

const isForm = (type: string | undefined): boolean => type?.startsWith('application/x-www-form-urlencoded') ?? false;

const cookieNames = (header: string | undefined): string[] =>
  (header ?? '')
    .split(';')
    .map((pair) => pair.split('=')[0]?.trim() ?? '')
    .filter((name) => name !== '')
    .sort();

/** Set for each connection or request by HTTP itself, or described elsewhere. */
const ownColumn: ReadonlySet<string> = new Set(['host', 'cookie', 'content-length', ...issuedHeaders]);

const shown = ([name, value]: [string, string | string[] | undefined]): string =>
  ownColumn.has(name) ? name : `${name}: ${maskedText(String(value))}`;

const headersOf = ({ request }: Arrival): string => Object.entries(request.headers).map(shown).sort().join(' | ');

const bodyOf = ({ request, chunks }: Arrival): string => {
  const text = Buffer.concat(chunks).toString();
  if (text === '') return '';
  if (isForm(request.headers['content-type'])) return ` form(${keysOf(new URLSearchParams(text)).join(' ')})`;
  return ` body(${maskedText(text)})`;
};

const lineOf = (arrival: Arrival): string => {
  const { system, request } = arrival;
  return `${system} ${request.method} ${maskedTarget(request.url ?? '')}${bodyOf(arrival)}`;
};

/**
 * Everything that a gateway sends to a demo campus of this process, noticed at the campus's sockets and not in anything
 * of ours that sends or serves it.
 */
export class CampusTraffic {
  readonly #now: () => number;
  readonly #ports: ReadonlyMap<number, DemoSystem>;
  readonly #answering = new Set<Socket>();
  readonly #shapes = new Set<string>();
  #arrivals: Arrival[] = [];
  #events = 0;
  #sent = 0;

  constructor(wiring: DemoWiring, now: () => number) {
    this.#now = now;
    this.#ports = portsOf(wiring);
    channel('http.server.request.start').subscribe(this.#onRequest);
  }

  readonly #onRequest = (message: unknown): void => {
    const { request, response, socket } = message as RequestStart;
    const system = this.#ports.get(socket.localPort ?? 0);
    if (system === undefined) return;
    const arrival: Arrival = { system, request, chunks: [], at: this.#now() };
    this.#arrivals.push(arrival);
    this.#answering.add(socket);
    this.#events += 1;
    request.on('data', (chunk: Buffer) => arrival.chunks.push(chunk));
    response.once('close', () => {
      this.#events += 1;
      this.#sent += socket.bytesWritten;
      this.#answering.delete(socket);
    });
  };

  /** Grows with every request that arrives and every answer that ends. */
  get events(): number {
    return this.#events;
  }

  /** Grows while an answer is on its way. */
  get bytes(): number {
    let sum = this.#sent;
    for (const { bytesWritten } of this.#answering) sum += bytesWritten;
    return sum;
  }

  get active(): number {
    return this.#answering.size;
  }

  reset(): void {
    this.#arrivals = [];
  }

  /**
   * One line for each request since the last reset, with the names of its cookies, in order of arrival; what was sent side
   * by side in alphabetical order, as it may arrive in any.
   */
  lines(): string[] {
    const lines = this.#arrivals.map((arrival) => {
      const cookies = cookieNames(arrival.request.headers.cookie).join(' ');
      this.#shapes.add(`${lineOf(arrival)}\n    ${headersOf(arrival)}`);
      return { at: arrival.at, line: `${lineOf(arrival)}${cookies === '' ? '' : ` cookies(${cookies})`}` };
    });
    return [...Map.groupBy(lines, ({ at }) => at).values()].flatMap((once) => once.map(({ line }) => line).sort());
  }

  /** Every kind of request seen in `lines`, with its headers. */
  shapes(): string[] {
    return [...this.#shapes].sort();
  }

  close(): void {
    channel('http.server.request.start').unsubscribe(this.#onRequest);
  }
}
