import { type LimitRow, limits } from '../src/domain/limits.ts';

const spans: ReadonlyArray<readonly [ms: number, one: string, several: string]> = [
  [3_600_000, 'an hour', 'hours'],
  [60_000, 'a minute', 'minutes'],
  [1_000, 'a second', 'seconds'],
];

const windowText = (ms: number): string => {
  if (ms === 0) return 'at once';
  const [unit, one, several] = spans.find(([span]) => ms % span === 0) ?? [1, '', 'ms'];
  return ms === unit ? one : `in ${ms / unit} ${several}`;
};

/** `docs/reference/limits.md`: everything that is counted and refused as `rate-limited`, but for logins. */
export const limitsDocument = (): string => {
  const rows = Object.values(limits).map(({ counts, most, setting, windowMs, lease, reason }: LimitRow) => [
    `${counts[0]?.toUpperCase()}${counts.slice(1)}`,
    `${most.toLocaleString('en')} ${windowText(windowMs)}${setting === undefined ? '' : ` (\`${setting}\`)`}`,
    lease === undefined ? 'each process' : 'all replicas',
    `\`${reason}\``,
  ]);
  const heads = ['Counts', 'Most', 'Counted by', 'In logs'];
  const lines = [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `# Limits

Generated from \`src/domain/limits.ts\` by \`npm run documents\`; \`npm run check\` compares. Do not edit.

Beyond a limit a call is \`rate-limited\`: 429 \`COOLDOWN\` with \`Retry-After\`, below \`/api/v1\` code 429. Logins and registrations have
limits of their own, which count over all replicas where that matters: [threat-model.md](../run/threat-model.md).

${lines.join('\n')}
`;
};
