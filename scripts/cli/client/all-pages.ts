export interface Page<T> {
  items: T[];
  next: string | null;
}

const MOST_PAGES = 1_000;

/** Reads a list to its end. @throws Error for a list that has none */
export async function allPages<T>(read: (query: { after?: string }) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = [];
  let query: { after?: string } = {};
  for (let page = 0; page < MOST_PAGES; page++) {
    const { items: more, next } = await read(query);
    items.push(...more);
    if (next === null || more.length === 0) return items;
    query = { after: next };
  }
  throw new Error(`A list did not end after ${MOST_PAGES} pages of ${items.length} entries.`);
}
