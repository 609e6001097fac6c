import { KindGuard, type TSchema } from '@sinclair/typebox';

const MEMBER = 'vpn_password';

const hasMember = (schema: TSchema | undefined): boolean => schema !== undefined && MEMBER in Object(schema.properties);

interface DescribedBody {
  readonly body?: TSchema;
  readonly example?: { readonly body?: unknown };
}

/** For a campus without a portal: its password is not asked for, and sending one is no mistake. */
export const withoutPortalPassword = <D extends DescribedBody>(described: D): D => {
  const { body, example } = described;
  if (!hasMember(body) || !KindGuard.IsObject(body)) return described;
  const { [MEMBER]: _, ...properties } = body.properties;
  const required = body.required?.filter((name) => name !== MEMBER);
  const { [MEMBER]: __, ...shown } = Object(example?.body);
  return {
    ...described,
    body: { ...body, properties, required },
    ...(example?.body === undefined ? {} : { example: { ...example, body: shown } }),
  };
};

/** Its place is taken by the one password there is, so that two equal pairs stay equal. */
export const fillPortalPassword = (declared: TSchema | undefined, body: unknown): void => {
  if (hasMember(declared)) Object.assign(Object(body), { [MEMBER]: Object(body).password });
};
