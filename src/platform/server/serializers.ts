import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';

type Factory = ReturnType<typeof SerializerSelector>;

/**
 * Makes a serializer at its first value. Those of every status of every operation, of which hardly any is ever answered,
 * took a good part of startup.
 */
export const lateSerializers: Factory = (schemas, options) => {
  const compile = SerializerSelector()(schemas, options);
  return (route) => {
    let made: ReturnType<typeof compile> | null = null;
    return (value) => {
      made ??= compile(route);
      return made(value);
    };
  };
};
