/** Member names whose values must never be sent back, also when a client writes them a little differently. */
const secretName = /token|password|invite_?code|secret/i;
/** What this service hands out as a token, sent as the whole body or in the place of another member. */
const tokenForm = /^\s*[A-Za-z0-9_-]{43}\s*$/;
const longest = 1024;

/**
 * Walks a value with a budget, so that neither a huge nor a deeply nested body costs more than a few thousand steps
 * (serializing it first to measure it would overflow the stack at a nesting that the body limit still allows).
 */
const isHarmless = (value: unknown): boolean => {
  let budget = longest;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    budget -= typeof next === 'string' ? next.length + 1 : 1;
    if (budget < 0) return false;
    // What stands for a body that was not read.
    if (typeof next === 'symbol') return false;
    if (typeof next === 'string') {
      // A body that was encoded twice carries its secrets inside a text.
      if (secretName.test(next) || tokenForm.test(next)) return false;
    } else if (typeof next === 'number') {
      if (!Number.isFinite(next)) return false;
    } else if (Array.isArray(next)) {
      if (next.length > budget) return false;
      open.push(...next);
    } else if (typeof next === 'object' && next !== null) {
      for (const [name, member] of Object.entries(next)) {
        budget -= name.length + 1;
        if (budget < 0 || secretName.test(name)) return false;
        open.push(member);
      }
    }
  }
  return true;
};

/** True for a member that stands for a credential, e.g. `AuthmeRequest`, whose only content is the token. */
const isSecretName = (name: string): boolean => secretName.test(name) || name === 'AuthmeRequest';

/**
 * The offending value as a member to spread into a validation item: `{input}`, or nothing when the value is or would
 * contain a credential, or takes more than 1 KiB as JSON.
 */
export const echo = (value: unknown, name = ''): { input?: unknown } => {
  // A password of digits may well be sent as a number.
  if (isSecretName(name) && value !== null && typeof value !== 'boolean') return {};
  if (!isHarmless(value)) return {};
  return Buffer.byteLength(JSON.stringify(value)) > longest ? {} : { input: value };
};
