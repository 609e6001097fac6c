import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { silenceKnownWarnings } from '../../../src/lib/warnings.ts';

it('keeps the known warning from being printed, and no other', () => {
  const source = new EventEmitter();
  const print = vi.fn();
  source.on('warning', print);
  silenceKnownWarnings(source);
  const warning = (name: string, message: string) => Object.assign(new Error(message), { name });
  source.emit('warning', warning('ExperimentalWarning', 'SOCKS5 proxy support is experimental and subject to change'));
  expect(print).not.toHaveBeenCalled();
  const others = [warning('ExperimentalWarning', 'SQLite is experimental'), warning('Warning', 'SOCKS5')];
  for (const other of others) source.emit('warning', other);
  expect(print.mock.calls).toEqual(others.map((other) => [other]));
});
