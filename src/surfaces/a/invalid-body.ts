/** One entry of `detail`. `input` and `ctx` are absent, not null, where they do not apply. */
export interface ValidationItem {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** The body of a call does not validate: HTTP 422 with all its defects, in schema order. */
export class InvalidBody extends Error {
  readonly items: readonly ValidationItem[];

  constructor(items: readonly ValidationItem[]) {
    super('invalid body');
    this.name = 'InvalidBody';
    this.items = items;
  }
}

/** The decoder text is fixed: the runtime's own quotes the body. */
export const malformedJson = (offset: number): ValidationItem => ({
  type: 'json_invalid',
  loc: ['body', offset],
  msg: 'JSON decode error',
  input: {},
  ctx: { error: 'Expecting value' },
});

export const notAnObject = 'Input should be a valid dictionary or object to extract fields from';
