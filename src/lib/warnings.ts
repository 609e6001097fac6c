import type { EventEmitter } from 'node:events';

/** Node's client calls its SOCKS agent experimental, which is no news to those who run the service. */
const isKnown = ({ name, message }: Error): boolean => name === 'ExperimentalWarning' && message.startsWith('SOCKS5');

/** Keeps the warnings that we know of from being printed. `source`: the process. */
export const silenceKnownWarnings = (source: EventEmitter): void => {
  const printers = source.listeners('warning');
  source.removeAllListeners('warning');
  source.on('warning', (warning: Error) => {
    if (!isKnown(warning)) for (const print of printers) Reflect.apply(print, source, [warning]);
  });
};
