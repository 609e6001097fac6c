import { type TSchema, Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { createSchemas } from '../../../src/http/docs/openapi-schemas.ts';

/** A schema as the document has it. */
const said = (schema: unknown): unknown => JSON.parse(JSON.stringify(createSchemas().use(schema)));

describe('a schema of the document', () => {
  it('is referred to by its title wherever it stands, and kept once', () => {
    const { use, components } = createSchemas();
    const room = Type.Object({ code: Type.String() }, { title: 'Room' });
    expect(use(Type.Object({ rooms: Type.Array(room), first: room }))).toMatchObject({
      properties: {
        rooms: { items: { $ref: '#/components/schemas/Room' } },
        first: { $ref: '#/components/schemas/Room' },
      },
    });
    expect(Object.keys(components())).toEqual(['Room']);
  });

  it('may not share its title with another one, which would describe it, however deep that stands', () => {
    const { use } = createSchemas();
    const room = (code: TSchema) => Type.Object({ code }, { title: 'Room' });
    use(room(Type.String()));
    for (const other of [room(Type.Integer()), Type.Object({ rooms: Type.Array(room(Type.Integer())) })]) {
      expect(() => use(other)).toThrow('two different schemas are called Room');
    }
  });

  it('is told from one with a member that is called title', () => {
    const { use, components } = createSchemas();
    for (const title of [Type.String(), Type.Integer()]) use(Type.Object({ title }));
    expect(components()).toEqual({});
  });

  it.each([
    [
      'a text or null',
      Type.Union([Type.String({ maxLength: 3 }), Type.Null()]),
      { type: ['string', 'null'], maxLength: 3 },
    ],
    ['one of some texts', Type.Union([Type.Literal('a'), Type.Literal('b')]), { type: 'string', enum: ['a', 'b'] }],
    ['nothing but null', Type.Null(), { type: ['object', 'null'], maxProperties: 0 }],
    ['always true', Type.Literal(true), { type: 'boolean' }],
    [
      'a text or a number of places',
      Type.Union([Type.String(), Type.Integer()]),
      { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    ],
    ['what may be left out', { type: 'string', default: null }, { type: 'string' }],
  ])('says plainly: %s', (_name, schema, expected) => {
    expect(said(schema)).toEqual(expected);
  });

  it('has null beside a reference, which has no type', () => {
    const room = Type.Object({ code: Type.String() }, { title: 'Room' });
    expect(said(Type.Union([room, Type.Null()], { description: 'Or none.' }))).toEqual({
      anyOf: [{ $ref: '#/components/schemas/Room' }, { type: 'null' }],
      description: 'Or none.',
    });
  });

  it.each([
    Type.Number({ description: 'Credits.' }),
    Type.Union([Type.Number(), Type.Null()], { description: 'Credits.' }),
  ])('says of a number, once, that it may come without a fraction', (schema) => {
    expect(said(schema)).toMatchObject({ description: 'Credits. May come without a fraction: `1` for `1.0`.' });
  });
});
