/** Where another thread finds a reader: the module that exports it, by that name. */
export interface ReaderPlace {
  readonly module: string;
  readonly name: string;
}

/** A pure function of the text of a page. What it returns is plain data. */
export type PageReader<T = unknown> = ((text: string) => T) & { readonly place: ReaderPlace };

/**
 * Makes the readers of a module, named by `import.meta.url`. A request takes no other function, so that every page can be
 * read on another thread.
 */
export const readersOf =
  (module: string) =>
  <T>(name: string, read: (text: string) => T): PageReader<T> =>
    Object.assign(read, { place: { module, name } });
