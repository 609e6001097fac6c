import { type Finding, malformedJson as malformed } from '../../platform/findings.ts';
import type { Language } from '../../platform/languages.ts';
import { echo } from './echo.ts';

/** One entry of `detail`. `input` and `ctx` are absent, not null, where they do not apply. */
interface ValidationItem {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

export const malformedJson = (offset: number): Finding => ({
  ...malformed,
  loc: ['body', offset],
  value: {},
  ctx: { error: 'Expecting value' },
});

/** True where `input` says that nothing was sent, or nothing readable: the same for everybody. */
const isConstant = ({ type, value }: Finding): boolean =>
  type === 'json_invalid' || (type === 'missing' && value === null);

/** Where a body holds credentials (`echoes` is false) nothing of it is sent back. */
export const itemOf = (finding: Finding, echoes: boolean, language: Language): ValidationItem => {
  const { type, loc, msg, value, ctx } = finding;
  // A missing member is told with what should hold it, which has no name of its own.
  const name = type === 'missing' ? '' : String(loc.at(-1));
  const input = isConstant(finding) ? { input: value } : echoes ? echo(value, name) : {};
  return { type, loc, msg: msg[language], ...input, ...(ctx === undefined ? {} : { ctx }) };
};
