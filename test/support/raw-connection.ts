import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One TCP connection to a server under test, for what HTTP clients refuse to send. */
export class RawConnection {
  readonly #socket: Socket;
  #received = '';

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      this.#received += chunk;
    });
    // A reset is one of the endings under test.
    socket.on('error', () => {});
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  send(text: string): void {
    this.#socket.write(text);
  }

  /** Everything received, once `part` is in it or the server has closed. */
  async until(part: string): Promise<string> {
    while (!this.#received.includes(part) && !this.#socket.readableEnded && !this.#socket.destroyed) {
      await Promise.race([once(this.#socket, 'data'), once(this.#socket, 'close')]);
    }
    return this.#received;
  }

  /** Everything received, once there is more. */
  async more(): Promise<string> {
    await Promise.race([once(this.#socket, 'data'), once(this.#socket, 'close')]);
    return this.#received;
  }

  /** Everything received, once the server has closed. */
  async untilClosed(): Promise<string> {
    if (!this.#socket.closed) await once(this.#socket, 'close');
    return this.#received;
  }

  /** Closes the own side only. */
  finish(): void {
    this.#socket.end();
  }

  /** Leaves with a reset. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  /** Leaves without a word. */
  drop(): void {
    this.#socket.destroy();
  }
}
