import { KindGuard, type TSchema } from '@sinclair/typebox';

const MEMBER = 'vpn_password';

const hasMember = (schema: TSchema | undefined): boolean => schema !== undefined && MEMBER in Object(schema.properties);

/** For a campus without a portal: nobody is asked for its password, and whoever sends one is not refused for it. */
export const withoutPortalPassword = <B extends TSchema | undefined>(body: B): B => {
  if (!hasMember(body) || !KindGuard.IsObject(body)) return body;
  const { [MEMBER]: _, ...properties } = body.properties;
  return { ...body, properties, required: body.required?.filter((name) => name !== MEMBER) };
};

/** Its place is taken by the one password there is, so that two equal pairs stay equal. */
export const fillPortalPassword = (declared: TSchema | undefined, body: unknown): void => {
  if (hasMember(declared)) Object.assign(Object(body), { [MEMBER]: Object(body).password });
};
