import { createStoreKey, openFromStore, sealForStore, type Bytes, type StoreKey } from '@nolo/e2ee';
import type { KeysPorts } from './ports.ts';

/**
 * Storage of values with secrets in them. Where the storage keeps handles of the engine, bytes of secrets are sealed
 * under a key that nobody can read (docs/encryption.md, section 3).
 */
export interface KeyStore {
  read<T>(key: string): Promise<T | undefined>;
  /** Returns the values whose keys begin with the prefix, in the order of their keys. */
  list<T>(prefix: string): Promise<readonly T[]>;
  /** Writes all values or none. Undefined deletes. */
  write(values: Readonly<Record<string, unknown>>): Promise<void>;
  /** Begins a task: drops what was kept if another tab or process has written since. */
  begin(): Promise<void>;
  /** Drops what was kept, because somebody who counts no generations may have written. */
  forget(): void;
}

/** Fields that hold secret bytes, wherever they stand in a value. */
const secretFields: ReadonlySet<string> = new Set(['privateKey', 'secret', 'seed']);

const sealedField = 'sealedForStore';
const storeKeyName = 'storeKey';
/** Number that every write increases. Tabs of 0.4.0 do not increase it, so `keys_changed` empties the memory, too. */
const generationName = 'generation';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && value.constructor?.name === 'Object';

/** Maps the secrets in a value. Handles of the engine and bytes are left as they are. */
async function mapSecrets(
  value: unknown,
  map: (field: string, inner: unknown) => Promise<unknown> | undefined,
): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((one) => mapSecrets(one, map)));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(
    async ([field, inner]) => [field, await (map(field, inner) ?? mapSecrets(inner, map))] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

const seal = (key: StoreKey, value: unknown) =>
  mapSecrets(value, (field, inner) =>
    secretFields.has(field) && inner instanceof Uint8Array
      ? sealForStore(key, Uint8Array.from(inner)).then((bytes) => ({ [sealedField]: bytes }))
      : undefined,
  );

const open = (key: StoreKey, value: unknown) =>
  mapSecrets(value, (field, inner) =>
    secretFields.has(field) && isRecord(inner) && sealedField in inner
      ? openFromStore(key, inner[sealedField] as Bytes)
      : undefined,
  );

type Entry = readonly [key: string, value: unknown];

/** Most values that are kept in memory: more than those of a group of 500 people. */
const maxKept = 8_192;

/** Returns the entries of a list after a write. */
function withWritten(entries: readonly Entry[], written: readonly Entry[]): Entry[] {
  const all = new Map([...entries, ...written]);
  return [...all].filter(([, value]) => value !== undefined).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** Values that were read or written, decoded and opened, so that a task costs only what changed. */
function createMemory() {
  const values = new Map<string, unknown>();
  const lists = new Map<string, { readonly entries: readonly Entry[]; readonly values: readonly unknown[] }>();
  const clear = (): void => {
    values.clear();
    lists.clear();
  };
  const putList = (prefix: string, entries: readonly Entry[]): void =>
    void lists.set(prefix, { entries, values: entries.map(([, value]) => value) });
  return {
    values,
    clear,
    listOf: (prefix: string): readonly unknown[] | undefined => lists.get(prefix)?.values,
    put(key: string, value: unknown): void {
      if (values.size >= maxKept) clear();
      values.set(key, value);
    },
    putList,
    putWritten(written: readonly Entry[]): void {
      for (const [key, value] of written) this.put(key, value);
      for (const [prefix, { entries }] of lists) {
        const own = written.filter(([key]) => key.startsWith(prefix));
        if (own.length > 0) putList(prefix, withWritten(entries, own));
      }
    },
  };
}

/**
 * Creates the store. All calls run alone. Values stay in memory until another tab or process has written: each write
 * counts a generation on in the storage. Callers change no value that they got or wrote.
 */
export function createKeyStore({ storage, keyForm }: Pick<KeysPorts, 'storage' | 'keyForm'>): KeyStore {
  let known: StoreKey | undefined;
  /** Generation of the storage that the memory has; undefined if that is not known. */
  let generation: number | undefined;
  const memory = createMemory();

  const readGeneration = async (): Promise<number> => ((await storage.read(generationName)) as number | undefined) ?? 0;
  const storeKey = async (): Promise<StoreKey | undefined> => {
    if (keyForm === 'bytes') return undefined;
    known ??= (await storage.read(storeKeyName)) as StoreKey | undefined;
    if (known) return known;
    await storage.write({ [storeKeyName]: await createStoreKey() });
    // Uses what the engine gave back, so that keys which it cannot keep are noticed before anything is sealed.
    known = (await storage.read(storeKeyName)) as StoreKey;
    return known;
  };
  const opened = async (value: unknown): Promise<unknown> => {
    const key = value === undefined ? undefined : await storeKey();
    return key ? open(key, value) : value;
  };
  const forget = (): void => {
    generation = undefined;
    memory.clear();
  };

  return {
    async begin() {
      const current = await readGeneration();
      if (current === generation) return;
      memory.clear();
      generation = current;
    },
    async read<T>(key: string) {
      if (!memory.values.has(key)) memory.put(key, await opened(await storage.read(key)));
      return memory.values.get(key) as T | undefined;
    },
    async list<T>(prefix: string) {
      const kept = memory.listOf(prefix);
      if (kept) return kept as readonly T[];
      const stored = await storage.list(prefix);
      const entries = await Promise.all(
        stored.map(async ([key, value]): Promise<Entry> => [key, memory.values.get(key) ?? (await opened(value))]),
      );
      for (const [key, value] of entries) memory.put(key, value);
      memory.putList(prefix, entries);
      return memory.listOf(prefix) as readonly T[];
    },
    async write(values) {
      const key = await storeKey();
      const entries = Object.entries(values);
      const sealed = entries.map(
        async ([name, value]) => [name, key && value !== undefined ? await seal(key, value) : value] as const,
      );
      generation ??= await readGeneration();
      const next = generation + 1;
      // A failed write may have reached the storage, so the next task reads it anew.
      generation = undefined;
      await storage.write({ ...Object.fromEntries(await Promise.all(sealed)), [generationName]: next });
      generation = next;
      memory.putWritten(entries);
    },
    forget,
  };
}
