const standIn = <T extends object>(current: () => T): T =>
  new Proxy(current(), {
    get: (_first, name) => {
      const target = current();
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

/**
 * Services, or anything alike, that may be exchanged while something built on them stays: each member stands for that of
 * the object which `current` gives at the moment of its use.
 */
export const standIns = <T extends object>(current: () => T): T =>
  new Proxy(current(), {
    get: (_first, name) => {
      const value: unknown = Reflect.get(current(), name);
      if (typeof value === 'function') return value.bind(current());
      return typeof value === 'object' && value !== null ? standIn(() => Object(Reflect.get(current(), name))) : value;
    },
  });
