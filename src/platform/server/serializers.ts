import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';

type Factory = ReturnType<typeof SerializerSelector>;

/**
 * Compiles a serializer with its first value. Compiling those of every status of every operation took a good part of startup,
 * and few of them are ever used.
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
