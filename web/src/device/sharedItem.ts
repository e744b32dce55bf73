interface SharedItemOptions<T> {
  key: string;
  storage: Pick<Storage, 'getItem' | 'setItem'>;
  /** Reads what JSON.parse made of the stored text; undefined where there is none or it is broken. */
  parse: (stored: unknown) => T;
}

/**
 * One value in the device's storage, which all tabs read and write. A change begins from what is stored at that moment,
 * never from what this tab read earlier, so that no tab undoes what another one did.
 */
export function createSharedItem<T>({ key, storage, parse }: SharedItemOptions<T>) {
  /** The stored text and what it means; a full storage keeps the value in memory. */
  let known: { text: string | null; value: T } | undefined;

  const read = (): T => {
    let text: string | null = null;
    try {
      text = storage.getItem(key);
      if (known?.text !== text || known === undefined)
        known = { text, value: parse(JSON.parse(text ?? 'null') ?? undefined) };
    } catch {
      // Another version, a person's hand, or a browser that keeps nothing.
      known = { text, value: parse(undefined) };
    }
    return known.value;
  };

  return {
    read,
    /** Stores what `next` makes of the present value, and returns it. */
    change(next: (current: T) => T): T {
      const value = next(read());
      let text = known?.text ?? null;
      try {
        const changed = JSON.stringify(value);
        storage.setItem(key, changed);
        text = changed;
      } catch {
        // A full storage: the value holds for as long as the page does.
      }
      known = { text, value };
      return value;
    },
  };
}
