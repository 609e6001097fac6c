import { type TSchema, Type } from '@sinclair/typebox';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { addOpenApi } from '../../../src/platform/docs/openapi.ts';
import { testConfig } from '../../support/app.ts';

/** The document of an application that answers these. */
const documentOf = async (...answers: readonly TSchema[]) => {
  const app = Fastify();
  await addOpenApi(app, { ...testConfig.server, tags: [], tokens: testConfig.accounts, docsUrl: null });
  await app.register(async (scope) => {
    for (const [index, answer] of answers.entries()) {
      scope.get(`/${index}`, { schema: { response: { 200: answer } } }, async () => ({}));
    }
  });
  await app.ready();
  const { paths, components } = JSON.parse(JSON.stringify(app.swagger()));
  const refs = answers.map((_, index) => paths[`/${index}`].get.responses['200'].content['application/json'].schema);
  return { components, refs };
};

const room = (code: TSchema) => Type.Object({ code }, { title: 'Room' });

describe('schemas with a title', () => {
  it('become one component where they are the same', async () => {
    const { components, refs } = await documentOf(room(Type.String()), room(Type.String()));
    expect(Object.keys(components.schemas)).toEqual(['Room']);
    expect(refs).toEqual([{ $ref: '#/components/schemas/Room' }, { $ref: '#/components/schemas/Room' }]);
  });

  it('may not share a title where they differ: one would describe the other', async () => {
    await expect(documentOf(room(Type.String()), room(Type.Integer()))).rejects.toThrow(
      'two different schemas are called Room',
    );
  });

  it('may not share a title deep inside others either', async () => {
    const list = (code: TSchema) => Type.Object({ rooms: Type.Array(room(code)) });
    await expect(documentOf(list(Type.String()), list(Type.Integer()))).rejects.toThrow(
      'two different schemas are called Room',
    );
  });

  it('are told from a member that is called title', async () => {
    const { components } = await documentOf(
      Type.Object({ title: Type.String() }),
      Type.Object({ title: Type.Integer() }),
    );
    expect(components.schemas).toEqual({});
  });
});
