const seasons = new Map([
  ['1', '秋季学期'],
  ['2', '春季学期'],
]);

/** `2025-2026-1-1` → `2025-2026秋季学期`; the code itself when it has fewer than three parts or another season. */
export const termDisplayName = (code: string): string => {
  const [from, to, season] = code.split('-');
  const name = season === undefined ? undefined : seasons.get(season);
  return name === undefined ? code : `${from}-${to}${name}`;
};
