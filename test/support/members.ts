/** The members of values of one kind and their types, as text: `{ name: string, score?: null | number }`. */
export const membersOf = (values: readonly unknown[]): string => {
  const objects = values.filter((value) => typeof value === 'object' && value !== null && !Array.isArray(value));
  const lists = values.filter((value) => Array.isArray(value));
  const scalars = values.filter((value) => typeof value !== 'object' || value === null);
  const texts = new Set(scalars.map((value): string => (value === null ? 'null' : typeof value)));
  const kinds = [...texts].toSorted();
  if (lists.length > 0) {
    const items = lists.flat();
    kinds.push(`[${items.length === 0 ? '' : membersOf(items)}]`);
  }
  if (objects.length > 0) {
    const names = [...new Set(objects.flatMap((value) => Object.keys(value ?? {})))].toSorted();
    const members = names.map((name) => {
      const having = objects.filter((value) => Object.hasOwn(value ?? {}, name));
      const optional = having.length < objects.length ? '?' : '';
      return `${name}${optional}: ${membersOf(having.map((value) => Reflect.get(value ?? {}, name)))}`;
    });
    kinds.push(`{ ${members.join(', ')} }`);
  }
  return kinds.join(' | ');
};
