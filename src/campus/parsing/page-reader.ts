declare const registered: unique symbol;

/** A pure function of the text of a page, which other threads find. What it returns is plain data. */
export type PageReader<T = unknown> = ((text: string) => T) & { readonly [registered]: true };

/** Where a thread finds a reader: the module that registers it, and its name there. */
export interface ReaderPlace {
  readonly module: string;
  readonly name: string;
}

/** Filled while modules are loaded, and never after. */
const readers = new Map<string, (text: string) => unknown>();
const places = new WeakMap<(text: string) => unknown, ReaderPlace>();

/**
 * Registers the readers of a module, named by `import.meta.url`. A request takes nothing else, so that there is no page
 * that cannot be read on another thread.
 */
export const readersOf =
  (module: string) =>
  <T>(name: string, read: (text: string) => T): PageReader<T> => {
    const place = { module, name };
    readers.set(`${module} ${name}`, read);
    places.set(read, place);
    // The only place that makes readers.
    return read as PageReader<T>;
  };

/** @throws Error for one that was not registered */
export const placeOf = (reader: PageReader): ReaderPlace => {
  const place = places.get(reader);
  if (place === undefined) throw new Error('a page reader that was never registered');
  return place;
};

/** Of a thread that has loaded the module. */
export const readerAt = ({ module, name }: ReaderPlace): ((text: string) => unknown) => {
  const read = readers.get(`${module} ${name}`);
  if (read === undefined) throw new Error(`no page reader ${name}`);
  return read;
};
