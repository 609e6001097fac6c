import { type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';

export const text = (description: string) => Type.String({ description });
export const integer = (description: string) => Type.Integer({ description });
export const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
export const textOrNull = (description: string) => orNull(Type.String(), description);

/** A named object schema; surfaces may make them in a way of their own. */
export type NamedObject = <T extends TProperties>(name: string, description: string, members: T) => TObject<T>;

export const object: NamedObject = (title, description, members) => Type.Object(members, { title, description });
