interface SharedItemOptions<T> {
  key: string;
  storage: Pick<Storage, 'getItem' | 'setItem'>;
  /** Converts the parsed JSON. Receives undefined if the text is missing or broken. */
  parse: (stored: unknown) => T;
}

/**
 * Creates a value in the device's storage that all tabs share. A change starts from the value stored at that moment,
 * never from an earlier read, so that no tab undoes changes by another.
 */
export function createCrossTabStorageItem<T>({ key, storage, parse }: SharedItemOptions<T>) {
  /** Stored text and its parsed value. If storage is full, the value stays in memory. */
  let known: { text: string | null; value: T } | undefined;

  const read = (): T => {
    let text: string | null = null;
    try {
      text = storage.getItem(key);
      if (known?.text !== text || known === undefined)
        known = { text, value: parse(JSON.parse(text ?? 'null') ?? undefined) };
    } catch {
      // Text from another version or edited by hand, or a browser without storage.
      known = { text, value: parse(undefined) };
    }
    return known.value;
  };

  return {
    read,
    /** Stores the result of `next` for the current value, and returns it. */
    change(next: (current: T) => T): T {
      const value = next(read());
      let text = known?.text ?? null;
      try {
        const changed = JSON.stringify(value);
        storage.setItem(key, changed);
        text = changed;
      } catch {
        // Full storage: the value lasts until the page closes.
      }
      known = { text, value };
      return value;
    },
  };
}
